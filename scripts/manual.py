#!/usr/bin/env python3
"""Prints the manual page: data/man/mpris-playerd.1.in, filled with the help texts of the command.

manual.py EXECUTABLE; the page is mdoc. Commands and options come from the description that the argument parser gives
to tools, configuration keys from `mpris-playerd config` with nothing configured.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
TEMPLATE = DATA / "man" / "mpris-playerd.1.in"
EVERYWHERE = {"help", "version"}


def ask(executable, *arguments):
    """Returns the output of the command, which runs without environment variables that could configure it."""
    environment = {"PATH": os.environ.get("PATH", ""), "XDG_CONFIG_HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    answer = subprocess.run(
        [executable, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8", timeout=60)
    if answer.returncode != 0:
        sys.exit(f"error: {executable} {' '.join(arguments)}: {answer.stderr.strip()}")
    return answer.stdout


def text(prose):
    """Returns lines of prose, one for each sentence, escaped for the formatter."""
    lines = prose.replace("\\", "\\e").replace(". ", ".\n").splitlines()
    return ["\\&" + line if line[:1] in (".", "'") else line for line in lines]


def word(name):
    """Returns an argument of a macro."""
    escaped = name.replace("\\", "\\e").replace('"', '\\(dq').replace("-", "\\-")
    return f'"{escaped}"' if " " in name or not name else escaped


def flag(name):
    return f"Fl {word(name['name'])}" if name["kind"] == "short" else f"Fl Fl {word(name['name'])}"


def term(argument):
    """Returns the line that names an option or an item."""
    value = argument["valueName"]
    if argument["kind"] == "positional":
        return f"Ar {word(value)}" + (" ..." if argument["isRepeating"] else "")
    names = " , ".join(flag(name) for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} Ar {word(value)}"


def definitions(entries):
    """Returns a list of (term, lines)."""
    if not entries:
        return []
    lines = [".Bl -tag -width Ds"]
    for name, meaning in entries:
        lines += [f".It {name}", *meaning]
    return lines + [".El"]


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]


def is_everywhere(argument):
    return argument.get("preferredName", {}).get("name") in EVERYWHERE


def subcommands(root):
    return [command for command in root["subcommands"] if command["commandName"] != "help" and command["shouldDisplay"]]


def synopsis(root):
    lines = []
    for command in subcommands(root):
        name = f"Cm {word(command['commandName'])}"
        if command["commandName"] == root.get("defaultSubcommand"):
            name = f"Op {name}"
        lines += [".Nm", f".{name}"]
        own = [argument for argument in shown(command) if not is_everywhere(argument)]
        if any(argument["kind"] != "positional" for argument in own):
            lines.append(".Op Ar option ...")
        for argument in own:
            if argument["kind"] == "positional":
                item = f"Ar {word(argument['valueName'])}" + (" ..." if argument["isRepeating"] else "")
                lines.append(f".Op {item}" if argument["isOptional"] else f".{item}")
    everywhere = [term(argument) for argument in shown(root) if is_everywhere(argument)]
    for option in everywhere:
        lines += [".Nm", f".{option.split(' , ')[-1]}"]
    return lines


def meaning(argument):
    lines = text(argument.get("abstract", "")) + text(argument.get("discussion") or "")
    if argument.get("defaultValue"):
        lines += ["The default is", f".Ql {word(argument['defaultValue'])} ."]
    return lines


def commands(root):
    lines = []
    for command in subcommands(root):
        lines += [f".Ss {command['commandName']}", *meaning(command)]
        if command["commandName"] == root.get("defaultSubcommand"):
            lines.append("This is the default command.")
        own = [argument for argument in shown(command) if not is_everywhere(argument)]
        lines += definitions([(term(argument), meaning(argument)) for argument in own])
    return lines


def configuration(printed):
    """Returns the keys in the output of `config`: comments, the last with the valid values, then `key = value`."""
    entries = []
    for block in printed.strip().split("\n\n"):
        *comments, setting = block.splitlines()
        key, value = setting.split(" = ", 1)
        *summary, values = [comment.removeprefix("# ") for comment in comments]
        values = values.rsplit("; from:", 1)[0]
        entries.append((f"Ic {word(key)} = {word(value)}", text(" ".join(summary)) + text(f"({values})")))
    return definitions(entries)


def released():
    """Returns the date of the release in the format of mdoc."""
    lines = (DATA / "release").read_text(encoding="utf-8").splitlines()
    date = datetime.date.fromisoformat(next(line for line in lines if line.startswith("date=")).removeprefix("date="))
    return f"{date:%B} {date.day}, {date.year}"


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    executable = os.path.abspath(sys.argv[1])
    root = json.loads(ask(executable, "--experimental-dump-help"))["command"]
    parts = {
        "@SYNOPSIS@": synopsis(root),
        "@COMMANDS@": commands(root),
        "@CONFIGURATION@": configuration(ask(executable, "config")),
    }
    for line in TEMPLATE.read_text(encoding="utf-8").splitlines():
        print("\n".join(parts.get(line, [line.replace("@DATE@", released())])))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: manual.py EXECUTABLE")
    main()
