#!/usr/bin/env python3
"""Prints what the libraries cost a package that depends on them with `traits: []`: the processor time of a debug build from scratch.

Builds a package outside the tree, one module after the other in the order of their dependencies, and adds the times of the modules
that a product needs. The first module includes the C modules of the system, which are compiled once. The last line is the time in which
SwiftPM finds that nothing is to be built, which each product includes once.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    dumped = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "--scratch-path", ROOT / ".build-api", "dump-package"], check=True,
        stdout=subprocess.PIPE, text=True).stdout
    manifest = json.loads(dumped)
    libraries = {product["name"]: product["targets"] for product in manifest["products"] if "library" in product["type"]}
    # The names of the targets and products that a target depends on; those of other packages and of C are ignored below.
    needs = {
        target["name"]: [[*dependency.values()][0][0] for dependency in target["dependencies"]]
        for target in manifest["targets"] if target["type"] == "regular"
    }

    def closure(names):
        result = []
        for name in names:
            if name in needs:
                result += [*closure(needs[name]), name]
        return list(dict.fromkeys(result))

    with tempfile.TemporaryDirectory() as work:
        package, library = pathlib.Path(work, "adopter"), pathlib.Path(work, "mpris-playerd")
        files = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Package.swift", "Sources", "Examples", "Tests"], check=True,
            stdout=subprocess.PIPE).stdout
        library.mkdir()
        archive = subprocess.run(
            ["tar", "-C", ROOT, "--create", "--null", "--files-from=-"], input=files, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-C", library, "--extract"], input=archive, check=True)
        source = package / "Sources" / "Adopter" / "Adopter.swift"
        source.parent.mkdir(parents=True)
        source.write_text("".join(f"import {name}\n" for name in libraries))
        products = ", ".join(f'.product(name: "{name}", package: "mpris-playerd")' for name in libraries)
        (package / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            'let package = Package(name: "Adopter", dependencies: [.package(path: "../mpris-playerd", traits: [])],\n'
            f'  targets: [.target(name: "Adopter", dependencies: [{products}])])\n')

        def build(module):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                ["swift", "build", "--package-path", package, "--target", module], check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        order = closure([target for targets in libraries.values() for target in targets])
        # The first build compiles the manifests.
        build(order[0])
        idle = build(order[0])
        subprocess.run(["swift", "package", "--package-path", package, "clean"], check=True)
        costs = {}
        for module in order:
            costs[module] = max(0, build(module) - idle)
            print(f"{module}: {costs[module]:.0f} s", file=sys.stderr)
    print("| product | processor time | modules that it compiles |")
    print("|---|--:|---|")
    for name, targets in sorted(libraries.items(), key=lambda entry: sum(costs[module] for module in closure(entry[1]))):
        modules = closure(targets)
        listed = ", ".join(f"`{module}` {costs[module]:.0f}" for module in sorted(modules, key=lambda module: -costs[module]))
        print(f"| `{name}` | {sum(costs[module] for module in modules) + idle:.0f} s | {listed} |")
    print(f"\nAn unchanged package: {idle:.0f} s")


main()
