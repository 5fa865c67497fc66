"""Mutates Playback, MPRISService and the saved session, and reports the mutants that no check catches.

    python3 scripts/mutants [SEED [COUNT [COMPONENT]]]

One build contains all mutants. Each then runs on its own: in the simulation with a fixed set of seeds, and in the tests of its
component. A crash, and a run beyond the time limit, count as caught. Exits with 1 if less than 95 % are caught of those that
scripts/mutants/equivalent.txt does not list. ONLY="17 PlayQueue" runs the mutants of these numbers, and those with these words
in their names.
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
SEEDS = range(1, 61)
# Seconds; a run without a mutant takes a tenth of it.
LIMIT = 60
GOAL = 95


def run(command, mutant=0, reached=None):
    """Runs a program; returns None if it succeeds, otherwise the reason of the first failure, at which it is ended."""
    # A crash of a mutant needs no backtrace, which takes seconds.
    environment = dict(os.environ, MUTANT=str(mutant), NO_COLOR="1", SWIFT_BACKTRACE="enable=no")
    if reached:
        reached.write_bytes(bytes(1 << 16))
        environment["MUTANTS_REACHED"] = str(reached)
    process = subprocess.Popen(["nice"] + [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env=environment, cwd=package.COPY, start_new_session=True)
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
        found = re.match(r"✘ Test (.+?) recorded an issue|(seed \d+: [a-z-]+)", line)
        if found:
            reason = found.group(1) or found.group(2)
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


def simulate(seeds, mutant=0, reached=None):
    return run([package.PROGRAMS / "simulate", "check", *seeds], mutant, reached)


def test(component, mutant=0, reached=None):
    program = package.PROGRAMS / "mpris-playerdPackageTests.xctest"
    return run([program, "--testing-library", "swift-testing", "--filter", package.COMPONENTS[component][3]], mutant, reached)


def sound_seeds():
    """Returns the seeds that break no invariant without a mutant."""
    seeds, broken = list(SEEDS), []
    first = 0
    while failure := simulate(seeds[first:]):
        seed = re.match(r"seed (\d+)", failure)
        if not seed:
            sys.exit(f"the simulation without a mutant: {failure}")
        first = seeds.index(int(seed.group(1)))
        broken.append(seeds.pop(first))
    print(f"simulation: {len(seeds)} seeds; without {broken}, which break an invariant without a mutant", flush=True)
    return seeds


def equivalents():
    """Returns the reviewed mutants that change no behaviour, with the reason of each."""
    lines = (pathlib.Path(__file__).parent / "equivalent.txt").read_text().splitlines()
    return dict(line.rsplit(" | ", 1) for line in lines if line and not line.startswith("#"))


def examine(place, seeds, reached):
    """Returns how the simulation and the tests catch a mutant; None if they do not."""
    simulated = simulate(seeds, place.number) if reached["simulation"][place.number] else None
    tested = test(place.component, place.number) if reached[place.component][place.number] else None
    return simulated, tested


def main():
    arguments = sys.argv[1:]
    seed = int(arguments[0]) if arguments else 1
    count = int(arguments[1]) if len(arguments) > 1 else 240
    component = arguments[2] if len(arguments) > 2 else None
    if component and component not in package.COMPONENTS:
        sys.exit(f"unknown module: {component}; it is one of {', '.join(package.COMPONENTS)}")
    begin = time.monotonic()
    copy = package.Package(seed, count, component)
    mutants = copy.build()
    if only := os.environ.get("ONLY", "").split():
        mutants = [place for place in mutants
                   if str(place.number) in only or any(not word.isdigit() and word in place.name for word in only)]
    components = sorted({place.component for place in mutants})
    print(f"seed {seed}: {len(mutants)} mutants built in {time.monotonic() - begin:.0f} s", flush=True)

    seeds, reached, file = sound_seeds(), {}, FOLDER / "reached"
    for name in ["simulation", *components]:
        start = time.monotonic()
        failure = simulate(seeds, 0, file) if name == "simulation" else test(name, 0, file)
        if failure:
            sys.exit(f"{name} without a mutant: {failure}")
        reached[name] = file.read_bytes()
        number = sum(reached[name][place.number] for place in mutants)
        print(f"{name}: reaches {number} mutants in {time.monotonic() - start:.1f} s", flush=True)

    counts, survivors, known = collections.defaultdict(collections.Counter), [], equivalents()
    with concurrent.futures.ThreadPoolExecutor(2) as pool, REPORT.open("w") as report:
        for place, (simulated, tested) in zip(mutants, pool.map(lambda place: examine(place, seeds, reached), mutants)):
            caught = "both" if simulated and tested else "simulation" if simulated else "tests" if tested else "neither"
            if caught == "neither" and place.name in known:
                caught = "equivalent"
            counts[place.component][caught] += 1
            details = "; ".join(reason for reason in (simulated, tested) if reason)
            if caught == "equivalent":
                details = known[place.name]
            elif caught == "neither":
                reaching = any(reached[name][place.number] for name in reached)
                details = "" if reaching else "not reached"
                survivors.append(place)
            line = f"{place.path}:{place.line} {place.context}: {place.change} [mutant {place.number}]: {caught}" + (f" ({details})" if details else "")
            print(line, flush=True)
            print(line, file=report, flush=True)

    print()
    total = collections.Counter()
    for name in components:
        total += counts[name]
        print(summary(name, counts[name]))
    print(summary("all", total))
    if survivors:
        print("\nsurvivors, in the words of scripts/mutants/equivalent.txt:")
        for place in survivors:
            print(place.name)
    different = total.total() - total["equivalent"]
    return 1 if (different - total["neither"]) * 100 < different * GOAL else 0


def summary(name, counts):
    different = counts.total() - counts["equivalent"]
    share = 100 * (different - counts["neither"]) / max(different, 1)
    return (f"{name}: {counts.total()} mutants; {counts['simulation']} caught by the simulation alone, {counts['tests']} by the tests alone, "
            f"{counts['both']} by both, {counts['neither']} by neither, {counts['equivalent']} equivalent: {share:.1f} % of the others caught")


if __name__ == "__main__":
    sys.exit(main())
