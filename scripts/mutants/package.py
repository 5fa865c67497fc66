"""A copy of the package that contains all mutants, each behind a switch at run time."""
import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

import places

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPY = ROOT / ".build-mutants" / "package"
BUILD = ROOT / ".build-mutants" / "build"
REJECTED = ROOT / ".build-mutants" / "rejected.txt"
PROGRAM = BUILD / "release" / "mpris-playerdPackageTests.xctest"

# The modules with their shares of the mutants; the tests of each have its name.
MODULES = {"Playback": 0.7, "MPRISService": 0.3}
# The checks of the machine's own state are part of the tests: a file, and a property of each part.
LEFT_OUT = {"Sources/Playback/Machine/PlaybackMachine+Invariants.swift"}
CHECKS = "violations"

# Appended to the manifest of the copy, which has the tests of the modules and what they depend on.
MANIFEST = """
package.products = []
package.dependencies = []
var kept = [%s]
var isComplete = false
while !isComplete {
  let needed = package.targets.filter { kept.contains($0.name) }.flatMap(\\.dependencies).compactMap {
    if case .byNameItem(let name, _) = $0, !kept.contains(name) { name } else { String?.none }
  }
  isComplete = needed.isEmpty
  kept += needed
}
package.targets.removeAll { !kept.contains($0.name) }
for target in package.targets where target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
"""


def write(path, text):
    """Writes a file if its contents differ, so that the build compiles only what has changed."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Package:
    """The copy with its mutants."""

    def __init__(self, seed, count, module):
        self.chosen, self.files, self.candidates = [], {}, {}
        # Those of earlier builds, which saves most of the attempts.
        self.rejected = set(REJECTED.read_text().splitlines()) if REJECTED.exists() else set()
        for name, share in MODULES.items():
            if module and name != module:
                continue
            found = []
            for file in sorted((ROOT / "Sources" / name).rglob("*.swift")):
                path = str(file.relative_to(ROOT))
                if path in LEFT_OUT:
                    continue
                self.files[path] = places.File(path, file.read_text())
                found += [place for place in self.files[path].places
                          if place.name not in self.rejected and place.context != CHECKS]
            # The order of a place depends on the seed and its name alone, so that an edit elsewhere does not change it.
            found.sort(key=lambda place: hashlib.sha256(f"{seed} {place.name}".encode()).digest())
            # Twice as many, because not all compile.
            wanted = count if module else round(count * share)
            self.candidates[name] = (wanted, found)
            for place in found[:wanted * 2]:
                place.module = name
                self.chosen.append(place)
        for number, place in enumerate(self.chosen, 1):
            place.number = number

    def write(self):
        """Writes the copy with all mutants that have not been rejected."""
        kept = set()
        for folder in ("Sources", "Tests"):
            for file in (ROOT / folder).rglob("*"):
                path = str(file.relative_to(ROOT))
                if file.is_dir() or path in self.files:
                    continue
                target = COPY / path
                kept.add(target)
                if not target.exists() or target.stat().st_mtime < file.stat().st_mtime:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(file, target)
        for path, file in self.files.items():
            write(COPY / path, file.mutated([place for place in self.chosen if place.path == path]))
            kept.add(COPY / path)
        for module in MODULES:
            switch = COPY / "Sources" / module / "Mutant.swift"
            write(switch, (pathlib.Path(__file__).parent / "Mutant.swift").read_text())
            kept.add(switch)
        for folder in ("Sources", "Tests"):
            for file in (COPY / folder).rglob("*"):
                if not file.is_dir() and file not in kept:
                    file.unlink()
        tests = ", ".join(f'"{module}Tests"' for module in MODULES)
        write(COPY / "Package.swift", (ROOT / "Package.swift").read_text() + MANIFEST % tests)

    def build(self):
        """Builds the copy, without the mutants that do not compile; then keeps as many mutants as were requested."""
        # Optimized, because the tests run for each mutant; with assertions, as in the tests.
        command = ["env", "--unset", "WARNINGS_AS_ERRORS", "swift", "build", "-c", "release", "--build-tests", "--package-path", str(COPY),
                   "--scratch-path", str(BUILD), "-debug-info-format", "none", "-Xswiftc", "-enable-testing",
                   "-Xswiftc", "-assert-config", "-Xswiftc", "Debug"]
        for _ in range(40):
            self.write()
            built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if built.returncode == 0:
                return self.limit()
            lines = collections.defaultdict(set)
            for path, line in re.findall(r"^\S*?/package/(Sources/[^:\n]*):(\d+):\d+: error:", built.stdout, re.MULTILINE):
                lines[path].add(int(line))
            wrong = [place for path in lines for line in lines[path] for place in self.at(path, line)]
            if not wrong:
                sys.exit(built.stdout[-6000:] + "\nthe copy does not compile")
            print(f"{len(wrong)} places do not compile; building without them", file=sys.stderr, flush=True)
            self.chosen = [place for place in self.chosen if place not in wrong]
            self.rejected.update(place.name for place in wrong)
            write(REJECTED, "".join(f"{name}\n" for name in sorted(self.rejected)))
        sys.exit("the copy does not compile")

    def at(self, path, line):
        """Returns the places on a line; if there are none, the last one before it, which may be what is missing there."""
        before = [place for place in self.chosen if place.path == path and place.line <= line]
        on = [place for place in before if line <= place.line + place.lines]
        return on or before and [max(before, key=lambda place: place.line)]

    def limit(self):
        """Keeps the first mutants of each module, up to its number; the switches of the others stay off."""
        return [place for wanted, found in self.candidates.values()
                for place in [each for each in found if each in self.chosen][:wanted]]
