#!/usr/bin/env python3
"""Records docs/images/terminal.svg: runs commands of the built program in a pseudo-terminal and draws what it shows.

record.py BINARY [FILE]

Needs python3-pyte, dbus-daemon, pulseaudio and the engine beside BINARY. The player uses a bus, a sound server and folders
of its own. The picture is animated by CSS alone, and repeats.
"""

import fcntl
import html
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte  # of Debian's python3-pyte

COLUMNS, ROWS = 76, 20
ROOT = pathlib.Path(__file__).resolve().parent.parent
# Each command as it is typed, and the seconds after which Ctrl-C ends it, without a picture of its end.
COMMANDS = [
    ("mpris-playerd --detach ~/Music/demo", None),
    ("mpris-playerd queue", None),
    ("mpris-playerd jump boats", None),
    ("mpris-playerd volume 60", None),
    ("mpris-playerd status", None),
    ("mpris-playerd watch", 5.0),
]
# The seconds between keys, before a command is run, after its output, and at the end.
KEY, PAUSE, REST, END = 0.05, 0.4, 1.2, 4.0
COLOURS = {
    "default": "#d8dee9", "black": "#4c566a", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b",
    "blue": "#61afef", "magenta": "#c678dd", "cyan": "#56b6c2", "white": "#ffffff",
}
WIDTH, HEIGHT = 8.4, 18


class Recording:
    """The states of a terminal with their times, which leave out the waiting for a command."""

    def __init__(self):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.time = 0.0
        self.frames = []

    def feed(self, data, seconds):
        self.stream.feed(data)
        self.time += seconds
        rows = tuple(tuple(self.runs(self.screen.buffer[row])) for row in range(ROWS))
        if not self.frames or self.frames[-1][1] != rows:
            self.frames.append((self.time, rows))

    @staticmethod
    def runs(line):
        """Returns the parts of a line with one style each: the column, the text, the colour and whether it is bold."""
        parts = []
        for column in range(COLUMNS):
            cell = line[column]
            if not cell.data or cell.data == " ":
                continue
            style = (cell.fg, cell.bold)
            if parts and parts[-1][2:] == style and parts[-1][0] + len(parts[-1][1]) == column:
                parts[-1] = (parts[-1][0], parts[-1][1] + cell.data, *style)
            else:
                parts.append((column, cell.data, *style))
        return parts

    def type(self, text):
        self.feed(b"\x1b[32m$\x1b[0m ", 0)
        for letter in text:
            self.feed(letter.encode(), KEY)
        self.feed(b"\r\n", PAUSE)

    def run(self, command, environment, seconds):
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe("sh", ["sh", "-c", "exec " + command], environment)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        start = last = time.monotonic()
        is_shown = True
        while True:
            now = time.monotonic()
            if seconds and now - start > seconds:
                os.kill(process, signal.SIGINT)
                seconds, is_shown = None, False
            ready, _, _ = select.select([terminal], [], [], 0.2)
            if not ready:
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            now = time.monotonic()
            if is_shown:
                self.feed(data, now - last if seconds else 0.02)
            last = now
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        if status != 0:
            sys.exit(f"record.py: “{command}” has failed with status {status}")
        if self.screen.cursor.x:
            self.feed(b"\r\n", 0)
        self.time += REST


def rule(name, start, end, total):
    """Returns the style of a group that is visible in a part of the time, from 0 to 1."""
    steps = [("0%", start == 0), (f"{100 * start:.3f}%", True), (f"{100 * end:.3f}%,100%", False)]
    frames = "".join(f"{when}{{opacity:{int(is_visible)}}}" for when, is_visible in steps)
    return f"@keyframes {name}{{{frames}}}#{name}{{animation:{name} {total:.2f}s step-end infinite}}"


def text(row, column, content, colour, bold):
    """Returns a part of a row, with the width that it has on a terminal."""
    style = f' fill="{COLOURS.get(colour, COLOURS["default"])}"' if colour != "default" else ""
    weight = ' font-weight="bold"' if bold else ""
    length = f' textLength="{len(content) * WIDTH:.1f}"' if len(content) > 1 else ""
    place = f'x="{12 + column * WIDTH:.1f}" y="{48 + row * HEIGHT}"'
    return f"<text {place}{style}{weight}{length}>{html.escape(content)}</text>"


def drawn(recording):
    """Returns the frames as an animated SVG."""
    total = recording.time + END
    width, height = COLUMNS * WIDTH + 24, ROWS * HEIGHT + 48
    rules, groups = [], []
    for number in range(ROWS):
        start, shown = 0.0, ()
        # A row is drawn once for the whole time in which it stays the same.
        for time, row in [(time, rows[number]) for time, rows in recording.frames] + [(total, None)]:
            if row == shown:
                continue
            if shown:
                name = f"r{len(groups)}"
                rules.append(rule(name, start / total, time / total, total))
                # A viewer without animations shows the end.
                hidden = "" if time == total else ' opacity="0"'
                groups.append(f'<g id="{name}"{hidden}>{"".join(text(number, *part) for part in shown)}</g>')
            start, shown = time, row
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" '
        'role="img" aria-label="A terminal in which mpris-playerd plays a folder, lists the queue and shows the state">',
        "<style>text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:14px;white-space:pre}",
        *rules,
        "</style>",
        '<rect width="100%" height="100%" rx="8" fill="#1e222a"/>',
        *(f'<circle cx="{18 + 18 * n}" cy="18" r="5" fill="#4c566a"/>' for n in range(3)),
        f'<g fill="{COLOURS["default"]}">',
        *groups,
        "</g></svg>",
    ]
    return "\n".join(lines) + "\n"


def started(arguments, environment, line):
    """Starts a server, and returns it when it has printed a line with a text."""
    server = subprocess.Popen(
        arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    for printed in server.stdout:
        if line in printed:
            return server
    sys.exit(f"record.py: {arguments[0]} has not started")


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/images/terminal.svg")
    recording, servers = Recording(), []
    with tempfile.TemporaryDirectory(prefix="mpris-playerd.") as folder:
        (pathlib.Path(folder) / "Music").mkdir()
        os.symlink(ROOT / "data/demo", f"{folder}/Music/demo")
        environment = {
            "HOME": folder, "PATH": f"{binary.parent}:/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "",
            "XDG_RUNTIME_DIR": folder, "PULSE_SERVER": f"unix:{folder}/sound",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus",
        }
        try:
            bus = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
            servers.append(started([*bus, f"--address=unix:path={folder}/bus"], environment, "unix:path="))
            sound = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"]
            sound += ["--log-target=stderr", "--log-level=info", "-L", "module-null-sink"]
            sound += ["-L", f"module-native-protocol-unix socket={folder}/sound auth-anonymous=1"]
            servers.append(started(sound, environment, "Daemon startup complete"))
            for command, seconds in COMMANDS:
                recording.type(command)
                recording.run(command, environment, seconds)
            subprocess.run([str(binary), "quit", "--quiet"], env=environment, check=True)
        finally:
            for server in servers:
                server.terminate()
                server.wait()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(drawn(recording), encoding="utf-8")
    print(target)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: record.py BINARY [FILE]")
    main()
