#!/usr/bin/env python3
"""Prints imports of targets that the importing target does not declare in Package.swift; exits with 1 if there is one.

The check of `swift build --explicit-target-dependency-import-check` accepts the dependencies of dependencies, and every C module.
"""
import json
import pathlib
import re
import subprocess
import sys

IMPORT = re.compile(
    r"^ *(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|fileprivate|private) +)?import +"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var) +)?(\w+)")


def main():
    command = ["swift", "package", "--scratch-path", ".build-api", "dump-package"]
    targets = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)["targets"]
    # Each is a dictionary with one entry, whose value begins with the name of the target or the product.
    declared = {target["name"]: {[*dependency.values()][0][0] for dependency in target["dependencies"]} for target in targets}
    modules = declared.keys() | set().union(*declared.values())
    found = False
    for target in targets:
        name = target["name"]
        folder = target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}"
        for path in sorted(pathlib.Path(folder).rglob("*.swift")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = IMPORT.match(line)
                if match and match.group(1) in modules - declared[name] - {name}:
                    print(f"{path}:{number}: {name} does not declare {match.group(1)} as a dependency")
                    found = True
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
