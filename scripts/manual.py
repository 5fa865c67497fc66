#!/usr/bin/env python3
"""Prints the manual page: ArgumentParser's GenerateManual needs a toolchain, which `make install` does without, and repeats the common options.

manual.py EXECUTABLE fills data/man/mpris-playerd.1.in; the page is mdoc. Commands and options come from the description that
ArgumentParser gives to tools, configuration keys from `mpris-playerd config` with nothing configured.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
TEMPLATE = DATA / "man" / "mpris-playerd.1.in"


def output_of(executable, *arguments):
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
    # An empty line begins a paragraph.
    return ["\\&" + line if line[:1] in (".", "'") else line or ".Pp" for line in lines]


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


def subcommands(command):
    return [inner for inner in command.get("subcommands", []) if inner["commandName"] != "help" and inner["shouldDisplay"]]


def is_default(command, enclosing):
    return command["commandName"] == enclosing.get("defaultSubcommand")


def leaves(command, path=()):
    """Returns the commands without subcommands, with their words, such as ("queue", "add")."""
    inner = subcommands(command)
    return [leaf for each in inner for leaf in leaves(each, (*path, each["commandName"]))] if inner else [(path, command)]


class Manual:
    """The commands of the program, and the options that most of them have, which are described once."""

    def __init__(self, root):
        self.root, self.leaves = root, leaves(root)
        users = {}
        for path, command in self.leaves:
            for argument in command["arguments"]:
                users.setdefault(json.dumps(argument, sort_keys=True), []).append(path)
        self.common = {text: paths for text, paths in users.items() if len(paths) * 2 > len(self.leaves)}
        # Commands with one description and commands with one long list of options: the shortest name describes them.
        self.described, self.owners = {}, {}
        for path, command in sorted(self.leaves, key=lambda leaf: (not is_default(leaf[1], root), len(leaf[0]))):
            own = self.own(command)
            self.described.setdefault(str((meaning(command), own)), path)
            if len(own) > 3:
                self.owners.setdefault(str(own), path)

    def own(self, command):
        return [argument for argument in command.get("arguments", [])
                if argument["shouldDisplay"] and json.dumps(argument, sort_keys=True) not in self.common]

    def synopsis(self):
        lines = []
        for path, command in sorted(self.leaves, key=lambda leaf: not is_default(leaf[1], self.root)):
            words = [f"Cm {word(name)}" for name in path]
            enclosing = self.root
            for name in path[:-1]:
                enclosing = next(inner for inner in enclosing["subcommands"] if inner["commandName"] == name)
            if is_default(command, enclosing):
                words[-1] = f"Op {words[-1]}"
            lines += [".Nm", *("." + each for each in words)]
            if any(argument["kind"] != "positional" for argument in self.own(command)):
                lines.append(".Op Ar option ...")
            for argument in self.own(command):
                if argument["kind"] == "positional":
                    lines.append(f".Op {term(argument)}" if argument["isOptional"] else f".{term(argument)}")
        return lines

    def commands(self, enclosing=None, path=()):
        lines = []
        for command in subcommands(enclosing or self.root):
            name, own = (*path, command["commandName"]), self.own(command)
            described, owner = self.described.get(str((meaning(command), own)), name), self.owners.get(str(own), name)
            lines.append(f".Ss {' '.join(name)}")
            for alias in command.get("aliases", []):
                lines += ["Also", f".Cm {word(' '.join((*path, alias)))} ."]
            if subcommands(command):
                lines += meaning(command) + self.commands(command, name)
            elif described != name:
                lines.append(f"The same as\n.Cm {word(' '.join(described))} .")
            else:
                lines += meaning(command)
                if is_default(command, enclosing or self.root):
                    lines.append("This is the default command" + (f" of\n.Cm {word(' '.join(path))} ." if path else "."))
                if owner != name:
                    lines.append(f"The items and options are those of\n.Cm {word(' '.join(owner))} .")
                else:
                    lines += definitions([(term(argument), meaning(argument)) for argument in own])
        return lines

    def options(self):
        """Returns the options that most commands have, each with the commands that do not."""
        entries = []
        for text, paths in self.common.items():
            argument = json.loads(text)
            others = [" ".join(path) for path, _ in self.leaves if path not in paths]
            lines = meaning(argument)
            if others:
                lines += ["Not accepted by", *(f".Cm {word(name)} ," for name in others[:-1]), f".Cm {word(others[-1])} ."]
            entries.append((term(argument), lines))
        return definitions(entries)


def meaning(argument):
    lines = text(argument.get("abstract", "")) + text(argument.get("discussion") or "")
    if argument.get("defaultValue"):
        lines += ["The default is", f".Ql {word(argument['defaultValue'])} ."]
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
    manual = Manual(json.loads(output_of(executable, "--experimental-dump-help"))["command"])
    parts = {
        "@SYNOPSIS@": manual.synopsis(),
        "@COMMANDS@": manual.commands(),
        "@OPTIONS@": manual.options(),
        "@CONFIGURATION@": configuration(output_of(executable, "config")),
    }
    for line in TEMPLATE.read_text(encoding="utf-8").splitlines():
        print("\n".join(parts.get(line, [line.replace("@DATE@", released())])))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: manual.py EXECUTABLE")
    main()
