#!/usr/bin/env python3
"""A file system that stops answering on command: a folder, shown at another place through FUSE.

usage: hanging_disk.py FOLDER PLACE COMMANDS

It prints `mounted`, then obeys lines that are written to the named pipe COMMANDS, which it makes:

    hang          answers no request from now on
    hang NAME…    answers no request for paths that contain one of the words, such as `cover.jpg`
    hang @OP…     answers no request of these operations, such as `@READ`
    answer        answers the requests that wait, and all others again

It prints `waits OPERATION PATH` for each request that it does not answer. SIGTERM unmounts the place, and the requests that wait
fail. The kernel cannot end a process that waits for a request which has been read here: neither
signals nor SIGKILL wake it, as with a disk that has failed.

The protocol is that of linux/fuse.h, version 7.31; nothing but the kernel and Python is needed.
"""

import ctypes
import errno
import os
import select
import signal
import stat
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
OPERATIONS = {
    1: "LOOKUP", 2: "FORGET", 3: "GETATTR", 4: "SETATTR", 5: "READLINK", 6: "SYMLINK", 8: "MKNOD", 9: "MKDIR", 10: "UNLINK",
    11: "RMDIR", 12: "RENAME", 13: "LINK", 14: "OPEN", 15: "READ", 16: "WRITE", 17: "STATFS", 18: "RELEASE", 20: "FSYNC",
    21: "SETXATTR", 22: "GETXATTR", 23: "LISTXATTR", 24: "REMOVEXATTR", 25: "FLUSH", 26: "INIT", 27: "OPENDIR",
    28: "READDIR", 29: "RELEASEDIR", 30: "FSYNCDIR", 34: "ACCESS", 35: "CREATE", 36: "INTERRUPT", 38: "DESTROY",
    42: "BATCH_FORGET", 45: "RENAME2",
}
DIRECT_IO = 1
HEADER = struct.Struct("<IIQQIIII")
BUFFER = 1 << 20


class Disk:
    """The requests of the kernel, and their answers."""

    def __init__(self, folder, place, commands):
        self.folder, self.place = os.fsencode(folder), os.fsencode(place)
        os.mkfifo(commands)
        # With a writer of its own, the pipe has no end.
        self.commands = os.open(commands, os.O_RDWR | os.O_CLOEXEC)
        self.device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self.device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
        # Other users may enter: a daemon of a test may run as another one.
        if os.getuid() == 0:
            options += ",allow_other"
        if LIBC.mount(b"hanging-disk", self.place, b"fuse.hanging-disk", 6, options.encode()) != 0:
            raise OSError(ctypes.get_errno(), "mount")
        self.paths = {1: b""}
        self.nodes = {b"": 1}
        self.files = {}
        self.hangs = None
        self.held = []

    def run(self):
        """Answers requests and obeys commands until a signal."""
        print("mounted", flush=True)
        rest = b""
        while True:
            for ready in select.select([self.commands, self.device], [], [])[0]:
                if ready == self.commands:
                    *lines, rest = (rest + os.read(self.commands, 4096)).split(b"\n")
                    for line in lines:
                        self.command(line.decode().split())
                else:
                    self.take()

    def command(self, words):
        """Obeys a line."""
        if words and words[0] == "hang":
            self.hangs = words[1:]
        elif words == ["answer"]:
            self.hangs, held, self.held = None, self.held, []
            for request in held:
                self.answer(request)
        print("done " + " ".join(words), flush=True)

    def take(self):
        """Reads one request."""
        try:
            request = os.read(self.device, BUFFER)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                return
            # ENODEV: it was unmounted.
            sys.exit(0 if error.errno == errno.ENODEV else str(error))
        _, operation, _, node, _, _, _, _ = HEADER.unpack_from(request)
        name = OPERATIONS.get(operation, str(operation))
        if name in ("FORGET", "BATCH_FORGET", "INTERRUPT"):
            return
        if self.hangs is not None and name not in ("INIT", "DESTROY") and self.matches(name, request, node):
            self.held.append(request)
            print(f"waits {name} /{os.fsdecode(self.path(name, request, node))}", flush=True)
            return
        self.answer(request)

    def path(self, name, request, node):
        """Returns the path that a request is about."""
        path = self.paths.get(node, b"?")
        body = request[HEADER.size :]
        skip = {"LOOKUP": 0, "UNLINK": 0, "RMDIR": 0, "MKDIR": 8, "CREATE": 16, "RENAME": 8, "RENAME2": 16}.get(name)
        return path if skip is None else self.child(path, body[skip:].split(b"\0")[0])

    def matches(self, name, request, node):
        """Whether a request is one of those that hang."""
        operations = [word[1:] for word in self.hangs if word.startswith("@")]
        words = [word.encode() for word in self.hangs if not word.startswith("@")]
        if operations and name not in operations:
            return False
        return not words or any(word in self.path(name, request, node) for word in words)

    def answer(self, request):
        """Carries out a request."""
        _, operation, unique, node, _, _, _, _ = HEADER.unpack_from(request)
        name = OPERATIONS.get(operation, "")
        handler = getattr(self, name.lower(), None)
        try:
            if handler is None:
                raise OSError(errno.ENOSYS, name)
            self.reply(unique, 0, handler(node, request[HEADER.size :]) or b"")
        except OSError as error:
            self.reply(unique, -(error.errno or errno.EIO), b"")
        except KeyError:
            self.reply(unique, -errno.ESTALE, b"")

    def reply(self, unique, error, body):
        """Writes the answer to a request; the kernel may have withdrawn it."""
        try:
            os.write(self.device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
        except OSError as failure:
            if failure.errno != errno.ENOENT:
                raise

    def close(self):
        """Ends the connection: the requests that wait fail."""
        LIBC.umount2(self.place, 2)
        os.close(self.device)

    @staticmethod
    def child(path, name):
        """Returns the path of an entry of a folder."""
        return path + b"/" + name if path else name

    def real(self, node):
        """Returns the path in the folder behind the disk."""
        return os.path.join(self.folder, self.paths[node])

    def inside(self, node, name):
        """Returns the path of an entry in the folder behind the disk."""
        return os.path.join(self.folder, self.child(self.paths[node], name.split(b"\0")[0]))

    @staticmethod
    def attributes(info):
        """Returns a fuse_attr."""
        return struct.pack(
            "<QQQQQQIIIIIIIIII", info.st_ino, info.st_size, info.st_blocks, int(info.st_atime), int(info.st_mtime),
            int(info.st_ctime), info.st_atime_ns % 10**9, info.st_mtime_ns % 10**9, info.st_ctime_ns % 10**9, info.st_mode,
            info.st_nlink, info.st_uid, info.st_gid, 0, 4096, 0)

    def entry(self, path):
        """Returns a fuse_entry_out, which the kernel does not keep."""
        info = os.lstat(os.path.join(self.folder, path))
        node = self.nodes.setdefault(path, len(self.nodes) + 1)
        self.paths[node] = path
        return struct.pack("<QQQQII", node, 0, 0, 0, 0, 0) + self.attributes(info)

    def opened(self, file):
        """Returns a fuse_open_out."""
        handle = max(self.files, default=0) + 1
        self.files[handle] = file
        # Each read reaches this program.
        return struct.pack("<QII", handle, DIRECT_IO if isinstance(file, int) else 0, 0)

    def init(self, _node, body):
        major, minor, ahead, _ = struct.unpack_from("<IIII", body)
        return struct.pack("<IIIIHHIIHHIIHHI", major, min(minor, 31), ahead, 0, 12, 10, 128 << 10, 1, 0, 0, *[0] * 5) + b"\0" * 16

    def lookup(self, node, body):
        return self.entry(self.child(self.paths[node], body.split(b"\0")[0]))

    def getattr(self, node, _body):
        return struct.pack("<QII", 0, 0, 0) + self.attributes(os.lstat(self.real(node)))

    def setattr(self, node, body):
        valid, _, _, size = struct.unpack_from("<IIQQ", body)
        mode = struct.unpack_from("<I", body, 68)[0]
        if valid & 1:
            os.chmod(self.real(node), stat.S_IMODE(mode))
        if valid & 8:
            os.truncate(self.real(node), size)
        return self.getattr(node, b"")

    def readlink(self, node, _body):
        return os.readlink(self.real(node))

    def mkdir(self, node, body):
        os.mkdir(self.inside(node, body[8:]), struct.unpack_from("<I", body)[0])
        return self.entry(self.child(self.paths[node], body[8:].split(b"\0")[0]))

    def unlink(self, node, body):
        os.unlink(self.inside(node, body))

    def rmdir(self, node, body):
        os.rmdir(self.inside(node, body))

    def rename(self, node, body, skip=8):
        old, new = body[skip:].split(b"\0")[:2]
        os.rename(self.inside(node, old), self.inside(struct.unpack_from("<Q", body)[0], new))

    def rename2(self, node, body):
        flags = struct.unpack_from("<I", body, 8)[0]
        old, new = body[16:].split(b"\0")[:2]
        if flags & 1 and os.path.lexists(self.inside(struct.unpack_from("<Q", body)[0], new)):
            raise OSError(errno.EEXIST, "rename")
        if flags & ~1:
            raise OSError(errno.EINVAL, "rename")
        self.rename(node, body, 16)

    def open(self, node, body):
        flags = struct.unpack_from("<I", body)[0] & (os.O_ACCMODE | os.O_TRUNC | os.O_APPEND)
        return self.opened(os.open(self.real(node), flags | os.O_CLOEXEC))

    def create(self, node, body):
        flags, mode = struct.unpack_from("<II", body)
        file = os.open(self.inside(node, body[16:]), flags & ~os.O_DIRECT | os.O_CREAT | os.O_CLOEXEC, mode)
        return self.entry(self.child(self.paths[node], body[16:].split(b"\0")[0])) + self.opened(file)

    def read(self, _node, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        return os.pread(self.files[handle], size, offset)

    def write(self, _node, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        return struct.pack("<II", os.pwrite(self.files[handle], body[40 : 40 + size], offset), 0)

    def release(self, _node, body):
        file = self.files.pop(struct.unpack_from("<Q", body)[0])
        if isinstance(file, int):
            os.close(file)

    releasedir = release

    def flush(self, _node, _body):
        return b""

    fsync = fsyncdir = access = flush

    def statfs(self, _node, _body):
        return struct.pack("<QQQQQIIII", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096, 0) + b"\0" * 24

    def opendir(self, node, _body):
        return self.opened([b".", b"..", *sorted(os.listdir(self.real(node)))])

    def readdir(self, node, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        out = b""
        for index, name in list(enumerate(self.files[handle]))[offset:]:
            mode = os.lstat(os.path.join(self.real(node), name)).st_mode
            record = struct.pack("<QQII", index + 1, index + 1, len(name), mode >> 12) + name
            record += b"\0" * (-len(record) % 8)
            if len(out) + len(record) > size:
                break
            out += record
        return out


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        disk = Disk(*sys.argv[1:])
    except OSError as error:
        print(f"unavailable: {error.strerror}", flush=True)
        sys.exit(69)
    try:
        disk.run()
    finally:
        disk.close()


main()
