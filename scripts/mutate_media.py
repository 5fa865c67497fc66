#!/usr/bin/env python3
"""Writes damaged media files: mutate_media.py FOLDER COUNT [SEED].

Each is a file of half a second that ffmpeg has made, with bits flipped, bytes cut, removed, inserted, repeated or
overwritten, or a field of a size changed. A seed gives the same files with the same version of ffmpeg. They are a corpus for
play-corpus.sh.
"""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile

SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.5"]
# The name of each format: the arguments that make a file, with its file name extension.
FORMATS = {
    "wav": ["a.wav"], "aiff": ["a.aiff"], "flac": ["a.flac"], "mp3": ["-metadata", "title=A title", "a.mp3"],
    "vorbis": ["-c:a", "libvorbis", "a.ogg"], "opus": ["-c:a", "libopus", "a.opus"], "m4a": ["-c:a", "aac", "a.m4a"],
    "aac": ["-c:a", "aac", "a.aac"], "webm": ["-c:a", "libvorbis", "a.webm"], "mka": ["-c:a", "flac", "a.mka"],
    "wma": ["-c:a", "wmav2", "a.wma"], "wavpack": ["a.wv"], "tta": ["a.tta"], "caf": ["a.caf"], "au": ["a.au"],
}
SIZES = [0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF]


def dsd_stream_file():
    """Returns a DSF file, a format that ffmpeg does not write."""
    data = bytes([0x69]) * 65_536
    form = b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, 2, 2, 2_822_400, 1, len(data) // 2 * 8, 4096, 0)
    sound = b"data" + struct.pack("<Q", 12 + len(data)) + data
    return b"DSD " + struct.pack("<QQQ", 28, 28 + len(form) + len(sound), 0) + form + sound


def dsd_interchange_file():
    """Returns a DSDIFF file, a format that ffmpeg does not write."""
    def chunk(name, content):
        return name + struct.pack(">Q", len(content)) + content

    properties = b"SND " + chunk(b"FS  ", struct.pack(">I", 2_822_400)) + chunk(b"CHNL", b"\0\2SLFTSRGT")
    properties += chunk(b"CMPR", b"DSD \x0enot compressed\0")
    sound = bytes([0x69]) * 65_536
    return chunk(b"FRM8", b"DSD " + chunk(b"FVER", b"\1\5\0\0") + chunk(b"PROP", properties) + chunk(b"DSD ", sound))


def originals():
    """Returns the name, the extension and the bytes of a good file of each format."""
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for form, arguments in FORMATS.items():
            path = pathlib.Path(folder, arguments[-1])
            subprocess.run(
                ["ffmpeg", "-v", "error", "-nostdin", "-y", *SOUND, "-fflags", "+bitexact", "-flags", "+bitexact",
                 *arguments[:-1], str(path)], check=True)
            files.append((form, path.suffix, path.read_bytes()))
    return files + [("dsf", ".dsf", dsd_stream_file()), ("dff", ".dff", dsd_interchange_file())]


def place(data, chance):
    """Returns an offset, which is in the first kilobyte in two of three cases."""
    return chance.randrange(min(len(data), 1024) if chance.random() < 0.66 else len(data))


def flip(data, chance):
    for _ in range(chance.choice([1, 1, 2, 4, 16])):
        data[place(data, chance)] ^= 1 << chance.randrange(8)


def cut(data, chance):
    del data[max(1, chance.choice([len(data) - chance.randint(1, 600), place(data, chance)])):]


def remove(data, chance):
    start = place(data, chance)
    del data[start:start + chance.choice([1, 2, 3, 4, 16, 100])]


def insert(data, chance):
    start = place(data, chance)
    data[start:start] = chance.randbytes(chance.choice([1, 2, 4, 16, 100]))


def resize(data, chance):
    order, width = chance.choice(["big", "little"]), chance.choice([2, 3, 4, 8])
    # Fields are usually aligned to two bytes.
    start = place(data, chance) & ~1
    old = int.from_bytes(data[start:start + width], order)
    new = chance.choice(SIZES + [old + 1, old - 1, old * 2, old // 2, old + 4096]) % (1 << 8 * width)
    data[start:start + width] = new.to_bytes(width, order)


def overwrite(data, chance):
    start = place(data, chance)
    length = min(len(data) - start, chance.choice([4, 16, 100, 1000]))
    data[start:start + length] = chance.choice([bytes(length), b"\xff" * length, chance.randbytes(length)])


def repeat(data, chance):
    start = place(data, chance)
    part = data[start:start + chance.choice([4, 100, 1000])]
    data[start:start] = part * chance.choice([1, 2, 8])


CHANGES = [flip, cut, remove, insert, resize, overwrite, repeat]


def main():
    if len(sys.argv) not in (3, 4) or not sys.argv[2].isdigit():
        sys.exit("usage: mutate_media.py FOLDER COUNT [SEED]")
    folder, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) == 4 else "1"
    folder.mkdir(parents=True, exist_ok=True)
    files = originals()
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        form, suffix, content = files[number % len(files)]
        data, names = bytearray(content), []
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            change = chance.choice(CHANGES)
            if data:
                change(data, chance)
            names.append(change.__name__)
        (folder / f"{number:05}-{form}-{'-'.join(names)}{suffix}").write_bytes(data)


if __name__ == "__main__":
    main()
