"""Mutates Playback and MPRISService, and reports the mutants that no test catches.

    python3 scripts/mutants [SEED [COUNT [MODULE]]]

One build contains all mutants. Each then runs on its own in the tests of its module. A crash, and a run beyond the time limit,
count as caught. Exits with 1 if less than 95 % are caught of those that scripts/mutants/equivalent.txt does not list.
ONLY="17 PlayQueue" runs the mutants of these numbers, and those with these words in their names.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import package

FOLDER = package.ROOT / ".build-mutants"
REPORT = FOLDER / "report.txt"
# Seconds; a run without a mutant takes a tenth of it.
LIMIT = 60
GOAL = 95


def test(module, mutant=0, reached=None):
    """Runs the tests of a module; returns None if they pass, otherwise the reason of the first failure, at which they are ended."""
    # A crash of a mutant needs no backtrace, which takes seconds.
    environment = dict(os.environ, MUTANT=str(mutant), NO_COLOR="1", SWIFT_BACKTRACE="enable=no")
    if reached:
        reached.write_bytes(bytes(1 << 16))
        environment["MUTANTS_REACHED"] = str(reached)
    command = ["nice", str(package.PROGRAM), "--testing-library", "swift-testing", "--filter", rf"^{module}Tests\."]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment,
                               cwd=package.COPY, start_new_session=True)
    timeout = threading.Event()

    def end():
        """Ends the program and the servers that it has started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def expire():
        timeout.set()
        end()

    timer = threading.Timer(LIMIT, expire)
    timer.start()
    reason = None
    for line in process.stdout:
        if found := re.match(r"✘ Test (.+?) recorded an issue", line):
            reason = found.group(1)
            break
    if reason:
        end()
    status = process.wait()
    timer.cancel()
    end()
    process.stdout.close()
    if timeout.is_set():
        return f"no end within {LIMIT} s"
    if reason:
        return reason
    return None if status == 0 else f"crash with status {status}"


def equivalents():
    """Returns the reviewed mutants that change no behaviour, with the reason of each."""
    lines = (pathlib.Path(__file__).parent / "equivalent.txt").read_text().splitlines()
    return dict(line.rsplit(" | ", 1) for line in lines if line and not line.startswith("#"))


def main():
    arguments = sys.argv[1:]
    seed = int(arguments[0]) if arguments else 1
    count = int(arguments[1]) if len(arguments) > 1 else 240
    module = arguments[2] if len(arguments) > 2 else None
    if module and module not in package.MODULES:
        sys.exit(f"unknown module: {module}; it is one of {', '.join(package.MODULES)}")
    begin = time.monotonic()
    copy = package.Package(seed, count, module)
    mutants = copy.build()
    if only := os.environ.get("ONLY", "").split():
        mutants = [place for place in mutants
                   if str(place.number) in only or any(not word.isdigit() and word in place.name for word in only)]
    modules = sorted({place.module for place in mutants})
    print(f"seed {seed}: {len(mutants)} mutants built in {time.monotonic() - begin:.0f} s", flush=True)

    reached, file = {}, FOLDER / "reached"
    for name in modules:
        start = time.monotonic()
        if failure := test(name, 0, file):
            sys.exit(f"{name} without a mutant: {failure}")
        reached[name] = file.read_bytes()
        number = sum(reached[name][place.number] for place in mutants)
        print(f"{name}: reaches {number} mutants in {time.monotonic() - start:.1f} s", flush=True)

    def examine(place):
        return test(place.module, place.number) if reached[place.module][place.number] else None

    counts, survivors, known = collections.defaultdict(collections.Counter), [], equivalents()
    with concurrent.futures.ThreadPoolExecutor(2) as pool, REPORT.open("w") as report:
        for place, reason in zip(mutants, pool.map(examine, mutants)):
            result, details = "caught", reason
            if not reason and place.name in known:
                result, details = "equivalent", known[place.name]
            elif not reason:
                result, details = "survived", "" if reached[place.module][place.number] else "not reached"
                survivors.append(place)
            counts[place.module][result] += 1
            line = f"{place.path}:{place.line} {place.context}: {place.change} [mutant {place.number}]: {result}"
            line += f" ({details})" if details else ""
            print(line, flush=True)
            print(line, file=report, flush=True)

    print()
    total = sum(counts.values(), collections.Counter())
    for name in modules:
        print(summary(name, counts[name]))
    print(summary("all", total))
    if survivors:
        print("\nsurvivors, in the words of scripts/mutants/equivalent.txt:")
        for place in survivors:
            print(place.name)
    return 1 if total["caught"] * 100 < (total["caught"] + total["survived"]) * GOAL else 0


def summary(name, counts):
    different = counts["caught"] + counts["survived"]
    return (f"{name}: {counts.total()} mutants; {counts['caught']} caught, {counts['survived']} survived, {counts['equivalent']} equivalent: "
            f"{100 * counts['caught'] / max(different, 1):.1f} % of the others caught")


if __name__ == "__main__":
    sys.exit(main())
