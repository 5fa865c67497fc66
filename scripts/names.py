#!/usr/bin/env python3
"""Prints names of the message bus that occur more than once in the texts of Swift sources: names.py FOLDER

A name is that of a bus, an object or an interface, such as org.mpris.MediaPlayer2 or /org/mpris/MediaPlayer2. Each is defined once,
and used by its declaration. Comments are ignored. A finding is a line `path:line: message`. Exits with 1 if there is one.
"""
import collections
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NAME = re.compile(r"(?<![\w./])/?org[./](?:mpris|playerd|freedesktop)\b[\w./]*")


def main():
    places = collections.defaultdict(list)
    for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.swift")):
        text = path.read_text()
        for token in TOKEN.finditer(text):
            if token.group(0).startswith('"'):
                for name in NAME.finditer(token.group(0)):
                    line = text.count("\n", 0, token.start() + name.start()) + 1
                    places[name.group(0).rstrip("./")].append(f"{path}:{line}")
    found = False
    for name, (first, *others) in sorted(places.items()):
        for place in others:
            found = True
            print(f"{place}: {name} is already defined at {first}; use that definition")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
