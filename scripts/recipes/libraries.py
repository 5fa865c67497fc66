#!/usr/bin/env python3
"""Compares data/packaging/libraries with the headers that the build reads, and with every list of packages in the tree.

Prints each difference, and exits with 1 if there is one. Runs on Debian, whose packages own the headers.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

# The headers of the C library, the kernel and the compiler.
SYSTEM = re.compile(r"libc6-dev|linux-libc-dev|libgcc-\d+-dev|libc-dev-bin")


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def words(pattern, path):
    """The words of the first part of a file that a pattern captures, without comments."""
    found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE | re.DOTALL)
    return set(re.sub(r"#.*", "", found.group(1)).split()) if found else set()


def owners(paths):
    """The Debian packages that own files."""
    found = run("dpkg-query", "--search", *sorted(paths)).splitlines()
    return {name.split(":")[0] for line in found for name in line.rsplit(": ", 1)[0].split(", ")}


def headers(targets):
    """The headers that the modules of C read."""
    modules = [target["pkgConfig"] for target in targets if target.get("pkgConfig")]
    flags = run("pkg-config", "--cflags", *modules).split()
    text = "".join(f'#include "{path.resolve()}"\n' for target in targets for path in folder(target).glob("*.h"))
    rule = run("cc", "-M", "-x", "c", *flags, "-", input=text)
    paths = re.sub(r"\\\n", " ", rule).split(":", 1)[1].split()
    return {os.path.realpath(path) for path in paths if path.startswith("/usr/")}


def folder(target):
    return pathlib.Path(target.get("path") or f"Sources/{target['name']}")


def required(packages):
    """Packages, and the packages of headers on which they depend."""
    found, left = set(), set(packages)
    while left:
        name = left.pop()
        found.add(name)
        depends = run("dpkg-query", "--show", "--showformat=${Depends}", name)
        left |= {other for other in re.findall(r"[a-z0-9][a-z0-9.+-]+-dev\b", depends)} - found
    return found


def main():
    rows = [line.split() for line in pathlib.Path("data/packaging/libraries").read_text().splitlines() if line[:1] not in ("", "#")]
    modules, debian, arch = (set(column) for column in zip(*rows))
    differences = []

    def compare(what, found, expected):
        differences.extend(f"{what}: {name} is missing" for name in sorted(expected - found))
        differences.extend(f"{what}: {name} is not in data/packaging/libraries" for name in sorted(found - expected))

    manifest = json.loads(run("swift", "package", "--scratch-path", ".build-api", "dump-package", env=os.environ | {"PROGRAMS_ONLY": "1"}))
    targets = [target for target in manifest["targets"] if target["type"] == "system"]
    used = {name for name in owners(headers(targets)) if not SYSTEM.fullmatch(name)}
    # A library may have headers of others, for which its package depends on theirs.
    compare("data/packaging/libraries, by the headers that the build reads", debian, (used & debian) | (used - required(debian)))
    for module, package, _ in rows:
        file = run("pkg-config", "--variable=pcfiledir", module).strip() + f"/{module}.pc"
        compare(f"data/packaging/libraries, {module}", {package}, owners({os.path.realpath(file)}))

    development = re.compile(r"[a-z0-9.+-]+-dev")
    provided = {name for target in targets for provider in target.get("providers") or [] for names in provider.get("apt", []) for name in names}
    compare("Package.swift", provided, debian)
    compare("scripts/install-deps.sh, build", {name for name in words(r"^build=\((.*?)\)", "scripts/install-deps.sh") if development.fullmatch(name)}, debian)
    # The source package has the parser of TOML from Debian.
    control = words(r"^Build-Depends:(.*?)^[A-Z]", "debian/control")
    compare("debian/control", {name for name in (word.strip(",") for word in control) if development.fullmatch(name)} - {"libtomlplusplus-dev"}, debian)
    spec = pathlib.Path("data/packaging/mpris-playerd.spec.in").read_text()
    compare("mpris-playerd.spec", set(re.findall(r"^BuildRequires: +pkgconfig\((.*?)\)", spec, re.MULTILINE)), modules)
    depends = words(r"^depends=\((.*?)\)", "data/packaging/PKGBUILD.in") | words(r"^makedepends=\((.*?)\)", "data/packaging/PKGBUILD.in")
    compare("PKGBUILD", depends & arch, arch)

    # Both recipes name the oldest compiler that builds the sources.
    oldest = re.search(r"^oldest_swift=(.*)", pathlib.Path("scripts/common.sh").read_text(), re.MULTILINE).group(1)
    for what, text in ("mpris-playerd.spec", spec), ("PKGBUILD", pathlib.Path("data/packaging/PKGBUILD.in").read_text()):
        if not re.search(rf"swift-(lang|bin) ?>= ?{re.escape(oldest)}\b", text):
            differences.append(f"{what}: it does not require Swift {oldest}")
    print("\n".join(differences), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
