#!/usr/bin/env python3
"""Prints pairs of folders of a target that use each other's types, because the compiler checks the imports of targets alone.

folders.py TARGET...

A folder is a directory in Sources/TARGET with Swift files. Each finding is a line `TARGET: A <-> B`, followed by the types that A
uses of B, and those that B uses of A. Exits with 1 if there is one.
"""
import collections
import pathlib
import re
import sys

DECLARED = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|final|indirect|fileprivate|private|nonisolated) +)*"
    r"(?:class|struct|enum|protocol|actor|typealias) +(\w+)", re.MULTILINE)
IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
# `Player.Snapshot` uses Snapshot, whose declaration is in an extension: Player is only its namespace.
NAMESPACE = re.compile(r"\bPlayer\.(?=[A-Z])")
EXTENSION = re.compile(r"^extension Player \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def flattened(text):
    """Returns source without comments, string literals and namespaces."""
    text = NAMESPACE.sub("", IGNORED.sub("", text))
    return EXTENSION.sub(lambda match: re.sub("^  ", "", match.group(1), flags=re.MULTILINE), text)


def main():
    found = False
    for target in (pathlib.Path("Sources") / name for name in sys.argv[1:]):
        texts = collections.defaultdict(list)
        for path in target.rglob("*.swift"):
            texts[path.parent.relative_to(target).as_posix()].append(flattened(path.read_text()))
        owners = collections.defaultdict(set)
        for folder, sources in texts.items():
            for source in sources:
                for match in DECLARED.finditer(source):
                    if not re.search(r"\b(?:private|fileprivate)\b", match.group(0)):
                        owners[match.group(1)].add(folder)
        uses = collections.defaultdict(set)
        for folder, sources in texts.items():
            for word in set(re.findall(r"\b[A-Z]\w*", " ".join(sources))):
                for owner in owners.get(word, ()):
                    if owner != folder:
                        uses[folder, owner].add(word)
        for one, other in sorted(uses):
            if one < other and (other, one) in uses:
                found = True
                print(f"{target}: {one} <-> {other}")
                print(f"  {one} uses {', '.join(sorted(uses[one, other]))}")
                print(f"  {other} uses {', '.join(sorted(uses[other, one]))}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
