#!/usr/bin/python3
"""Records docs/images/screen.svg: runs the built program in a pseudo-terminal, types keys, and draws what the terminal shows.

screen.py BINARY [FILE]

Needs python3-pyte, dbus-daemon, and the engine beside BINARY. The player has a bus, folders and a silent output of its own.
The picture is animated by CSS alone. Viewers without animations, and readers who prefer reduced motion, see its last state.
"""

import fcntl
import html
import os
import pathlib
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte  # of Debian's python3-pyte

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 100, 17
COMMAND = "mpris-playerd ~/Music"
DOWN = "\x1b[B"
# The keys, and the seconds before each of them; the last seconds end the recording.
KEYS = [(2.6, DOWN), (0.6, DOWN), (0.8, "\r"), (1.6, "9"), (0.3, "9"), (0.3, "9"), (0.9, "<"), (0.9, "l"), (3.8, "")]
# The seconds in which the last state stays.
REST = 3.0
LYRICS = """\
[00:00.30]Paper boats on a river of rain
[00:01.80]Carry the summer to town again
[00:03.20]Fold me a sail from the evening light
[00:05.00]Send it downstream into the night
"""
COLOURS = {"default": "#d8dee9", "dim": "#7b8494", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b"}
BACKGROUND = "#1e222a"
WIDTH, HEIGHT, MARGIN = 8.4, 18, 14


class Screen(pyte.Screen):
    """A terminal with dimmed text, which pyte lacks; it is kept as a colour that the program does not use."""

    def select_graphic_rendition(self, *attributes, **options):
        super().select_graphic_rendition(*(30 if number == 2 else number for number in attributes), **options)


class Recording:
    """The different states of a terminal with their times."""

    def __init__(self):
        self.screen = Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.time = 0.0
        self.states = []

    def take(self):
        """Keeps the present state."""
        rows = tuple(tuple(self.parts(self.screen.buffer[row])) for row in range(ROWS))
        if not self.states or self.states[-1][1] != rows:
            self.states.append((self.time, rows))

    @staticmethod
    def parts(line):
        """Returns the parts of a line with one style each: the column, the text, the colour, and whether it is bold and reversed."""
        parts = []
        for column in range(COLUMNS):
            cell = line[column]
            style = ("dim" if cell.fg == "black" else cell.fg, cell.bold, cell.reverse)
            if not cell.data or cell.data == " " and not cell.reverse:
                continue
            if parts and parts[-1][2:] == style and parts[-1][0] + len(parts[-1][1]) == column:
                parts[-1] = (parts[-1][0], parts[-1][1] + cell.data, *style)
            else:
                parts.append((column, cell.data, *style))
        return parts

    def prompt(self):
        """Types the command at the prompt of a shell."""
        for letters in ["\x1b[32m$\x1b[0m ", *COMMAND, "\r\n"]:
            self.stream.feed(letters.encode())
            self.take()
            self.time += 0.05

    def start(self, terminal):
        """Feeds the output until the player plays; the wait for it is not recorded."""
        while not self.screen.display[0].startswith("▶"):
            self.stream.feed(os.read(terminal, 65536))
        self.time += 0.5
        self.take()

    def record(self, terminal, seconds):
        """Feeds the output of a time."""
        start, began = time.monotonic(), self.time
        while (rest := start + seconds - time.monotonic()) > 0:
            if not select.select([terminal], [], [], rest)[0]:
                break
            self.stream.feed(os.read(terminal, 65536))
            # A state is complete when no more output follows at once.
            if not select.select([terminal], [], [], 0.02)[0]:
                self.time = began + time.monotonic() - start
                self.take()
        self.time = began + seconds


def recorded(binary, folder):
    """Runs the program, and returns its recording."""
    shutil.copytree(ROOT / "data/demo", folder / "Music")
    (folder / "Music/02 Paper Boats.lrc").write_text(LYRICS, encoding="utf-8")
    address = f"unix:path={folder}/bus"
    environment = {
        "HOME": str(folder), "PATH": f"{binary.parent}:/usr/bin:/bin", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        "XDG_RUNTIME_DIR": str(folder), "DBUS_SESSION_BUS_ADDRESS": address, "MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true",
    }
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", f"--address={address}"],
        stdout=subprocess.PIPE, text=True)
    bus.stdout.readline()
    recording = Recording()
    recording.prompt()
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.execve("/bin/sh", ["sh", "-c", "exec " + COMMAND], environment)
    try:
        recording.start(terminal)
        for seconds, key in KEYS:
            recording.record(terminal, seconds)
            os.write(terminal, key.encode())
    finally:
        # Ctrl-C quits the player. The rest of its output is not recorded.
        os.kill(process, signal.SIGINT)
        try:
            while os.read(terminal, 65536):
                pass
        except OSError:
            pass
        os.waitpid(process, 0)
        bus.terminate()
        bus.wait()
    return recording


def element(row, column, content, colour, is_bold, is_reversed):
    """Returns a part of a row, with the width that it has on a terminal."""
    x, y, width = MARGIN + column * WIDTH, MARGIN + (row + 1) * HEIGHT - 5, len(content) * WIDTH
    fill = COLOURS.get(colour, COLOURS["default"])
    field = ""
    if is_reversed:
        field = f'<rect x="{x:.1f}" y="{y - 13}" width="{width:.1f}" height="{HEIGHT}" fill="{fill}"/>'
        fill = BACKGROUND
    style = (f' fill="{fill}"' if fill != COLOURS["default"] else "") + (' font-weight="bold"' if is_bold else "")
    length = f' textLength="{width:.1f}"' if len(content) > 1 else ""
    return f'{field}<text x="{x:.1f}" y="{y}"{style}{length}>{html.escape(content, quote=False)}</text>'


def drawn(recording):
    """Returns the states as an animated SVG: each content of a row is a group, which is visible at its times."""
    total = recording.time + REST
    rules, groups = [], []
    for row in range(ROWS):
        times = {}
        changes = [(start, rows[row]) for start, rows in recording.states] + [(total, None)]
        for (start, parts), (end, _) in zip(changes, changes[1:]):
            visible = times.setdefault(parts, [])
            if visible and visible[-1][1] == start:
                visible[-1] = (visible[-1][0], end)
            else:
                visible.append((start, end))
        for parts, visible in times.items():
            if not parts:
                continue
            name = f"g{len(groups)}"
            hidden = "" if visible[-1][1] == total else ' opacity="0"'
            content = "".join(element(row, *part) for part in parts)
            groups.append(f'<g id="{name}"{hidden}>{content}</g>')
            steps = {0.0: 0}
            for start, end in visible:
                steps[start], steps[end] = 1, 0
            frames = "".join(f"{100 * when / total:.2f}%{{opacity:{shown}}}" for when, shown in sorted(steps.items()))
            rules.append(f"@keyframes {name}{{{frames}}}#{name}{{animation:{name} {total:.2f}s step-end infinite}}")
    width, height = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" role="img" '
        'xml:space="preserve">',
        "<title>mpris-playerd plays a folder on a terminal: the queue, the progress and the lyrics</title>",
        "<style>text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:14px}",
        "@media (prefers-reduced-motion:no-preference){", *rules, "}</style>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        f'<g fill="{COLOURS["default"]}">', *groups, "</g></svg>\n",
    ])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: screen.py BINARY [FILE]")
    binary = pathlib.Path(sys.argv[1]).resolve()
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/images/screen.svg")
    with tempfile.TemporaryDirectory(prefix="mpris-playerd.") as folder:
        recording = recorded(binary, pathlib.Path(folder))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(drawn(recording), encoding="utf-8")
    print(target)


if __name__ == "__main__":
    main()
