"""Prints the linker script that places together the functions in the output files of callgrind."""

import re
import sys

# Small functions without a name, and objects of the toolchain's libraries that are compiled without a section for each function.
ALWAYS = """\
    *(.text..L*)
    *libdispatch.a:*(.text)
    *libswiftDispatch.a:*(.text)
    *libswiftObservation.a:*(.text)
    *libswiftSynchronization.a:*(.text)
    *libswift_Concurrency.a:*(.text)
"""


def functions(path: str) -> set[str]:
    """Returns the functions of a program that a run has called.

    <https://valgrind.org/docs/manual/cl-format.html>
    """
    objects: dict[str, str] = {}
    names: dict[str, str] = {}
    found: set[str] = set()
    current = ""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$", line)
            if not match:
                continue
            is_call, kind, number, name = match.groups()
            table = objects if kind == "ob" else names
            if name:
                # A number after an apostrophe is the depth of a recursion.
                table[number] = re.sub(r"'\d+$", "", name)
            if is_call:
                continue
            if kind == "ob":
                current = table[number]
            elif current.endswith(("/mpris-playerd", "/mpris-playerd-engine")):
                found.add(table[number])
    return {name for name in found if re.fullmatch(r"[A-Za-z0-9_$.]+", name) and not name.startswith("0x")}


def main() -> None:
    """Prints the script for the files of the arguments."""
    used = sorted(set().union(*(functions(path) for path in sys.argv[1:])))
    if not used:
        sys.exit("no function was recorded")
    print("/* The functions that sessions of the daemon call, placed together. Names that no longer exist are ignored. */")
    print("SECTIONS\n{\n  .text.used : {")
    print(ALWAYS, end="")
    for name in used:
        print(f"    *(.text.{name})")
    print("  }\n}\nINSERT BEFORE .text;")


main()
