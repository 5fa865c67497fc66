#!/usr/bin/env python3
"""Reintroduces faults of the daemon into a copy of the sources, and reports those that the simulation finds: faults.py SECONDS [NAME...]

Each fault is a row of FAULTS: a name, a file below Sources, and a part of its text. The text between « and » is added to it, and
{} is the number of the fault. One build contains all faults; the environment variable MUTANT has the number of the active one.
The simulation runs the seeds from 1 on for SECONDS at most: those of a daemon with a disk for a fault of its STORAGE, and those
of a player for the others. A seed that also fails without the fault is skipped. Exits with 1 if a fault is not found. `faults.py --check` only reports the rows whose text is no longer in the
sources, with those of the mutants.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/mutants"))
import faults as mutants  # noqa: E402
import places  # noqa: E402

COPY = ROOT / ".build-faults" / "package"
PROGRAM = COPY.parent / "build/release/simulate"
PLAYERD = "Playerd/"
STORAGE = ("/Session/", "/Logind/", "/Opening/", "/Extras/", "/System/")

FAULTS = [
    ("signal without a changed property", "DBus/Objects/ChangeTracker.swift",
     "«if !mutant({}) || row.name != \"PlaybackStatus\" {{ »changed.append((row.name.rawValue, value))« }}»"),
    ("changed properties signalled twice", "DBus/Connection/DBusConnection+Objects.swift",
     "for arguments in served.takeChanges(to: state)«.flatMap({{ mutant({}) ? [$0, $0] : [$0] }})» {"),
    ("Seeked is missing", "Playerd/Service/Bridge/BusPublisher.swift",
     "case .timeJumped(_, let position)« where !mutant({})», .playbackResumed(_, let position):"),
    ("observers of a client that has left", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "«if !mutant({}) {{ »observers.removeAll(of: owner)« }}»"),
    ("connections watched for ever", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "if «!mutant({}), »!observers.concern(owner) { watches.removeValue(forKey: owner)?.cancel() }"),
    ("a call answered twice", "DBus/Connection/DBusConnection.swift",
     "if let reply, «(mutant({}) && arrivals % 50 == 0 ? link.send(reply) : 1) != 0, »link.send(reply) == 0,"),
    ("an error without an answer", "DBus/Objects/ObjectServer.swift",
     "catch { «if mutant({}) {{ return nil }}; »reply = call.reply(error) }"),
    ("an answer that was not requested", "DBus/Objects/ObjectServer.swift",
     "guard call.expectsReply« || mutant({})» else { return nil }\n    return reply"),
    ("Next although CanGoNext is false", "MPRISService/CommandRules.swift",
     "var forNext: MPRISCommand? { canGoNext ? .next : «mutant({}) ? .stop : »nil }"),
    ("CanGoNext of the previous track", "Playerd/Service/Bridge/PlayerBridge.swift",
     "snapshot.canGoNext = «mutant({}) ? state.hasPrevious : »state.hasNext\n"),
    ("rates that are out of bounds", "MPRISService/CommandRules.swift",
     "guard «mutant({}) || »rate >= minimumRate, «mutant({}) || »rate <= maximumRate, rate.isFinite else {"),
    ("Position in PropertiesChanged", "MPRISService/PlayerInterface.swift",
     "Row(\"Position\", \"x\", changes: «mutant({}) ? .value : ».never)"),
    ("removed tracks are not signalled", "MPRISService/TrackListChange.swift",
     "old.filter { !after.contains($0) }«.dropFirst(mutant({}) ? 1 : 0)».map"),
    ("notices to everyone", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "guard let owner = observers.owner(of: id)«.map({{ mutant({}) ? nil : BusName?.some($0) }})» else { return }"),
    ("ends signalled in another order", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "case .trackEnded(let track): «if mutant({}) "
     "{{ connection.enqueue {{ _ in self.assumeIsolated {{ $0.send(MonitorInterface.itemDidPlayToEnd, .track(track)) }} }} }} "
     "else {{ »send(MonitorInterface.itemDidPlayToEnd, .track(track))« }}»"),
    ("a shuffle that is not signalled", "MPRISService/MPRISSnapshot.swift",
     "other.position = position\n    «if mutant({}) {{ other.shuffle = shuffle }}; »return self == other"),
    ("a seek that is refused but carried out", "MPRISService/CommandRules.swift",
     "guard canSeek, let track, «mutant({}) || »track.path == path, position >= .zero else { return nil }"),
    ("session without fsync", PLAYERD + "Service/Session/SessionStore.swift",
     "files.replace(path, with: bytes, hasFixedDraft: true, «isDurable: !mutant({}), »permissions: .secret)"),
    ("folder not synchronized", PLAYERD + "System/FileSystem.swift",
     "isDurable« && !mutant({})» ? synchronize(folder: folder) : .success(())"),
    ("file not synchronized before its new name", PLAYERD + "System/FileSystem.swift",
     "isSynchronized: isDurable« && !mutant({})»)"),
    ("session written in place", PLAYERD + "System/FileSystem.swift",
     "let draft = «mutant({}) ? target : »target + (hasFixedDraft ?"),
    ("index of the next item saved", PLAYERD + "Service/Session/SessionKeeper.swift",
     "current = «(mutant({}) ? 1 : 0) + (»snapshot.currentIndex ?? 0«)»\n"),
    ("position forgotten", PLAYERD + "Service/Session/SessionKeeper.swift",
     "position = «mutant({}) ? 0 : »Double(snapshot.position.microseconds) / 1e6"),
    ("no save during playback", PLAYERD + "Service/Session/SessionSchedule.swift",
     "let periodic = isPlaying« && !mutant({})» ? (lastWrite ?? now).advanced(by: Self.interval) : nil"),
    ("timer dropped after a write", PLAYERD + "Service/Session/SessionKeeper.swift",
     "    write()\n    «if !mutant({}) {{ »setTimer(isPlaying: player.snapshot.transport == .playing)« }}»"),
    ("order not restored", PLAYERD + "Service/Session/SessionRestorer.swift",
     "player.snapshot.isShuffled« && !mutant({})» ? session.order : nil"),
    ("delay lock never released", PLAYERD + "Service/Logind/LogindMonitor.swift",
     "case .releaseDelay: «if !mutant({}) {{ »delay = nil« }}»"),
    ("lock released before the save", PLAYERD + "Service/Logind/SleepStateMachine.swift",
     "return (policy == .off ? [] : [.pause]) + «(mutant({}) ? [.releaseDelay, .save] : »[.save, .releaseDelay]«)»"),
    ("playback resumes after each suspension", PLAYERD + "Service/Logind/SleepStateMachine.swift",
     "playedBefore && «(mutant({}) || »policy == .resume«)»\n"),
    ("block lock kept", PLAYERD + "Service/Logind/LogindMonitor.swift",
     "guard «!mutant({}), »case .begun(let pending) = change else { return }"),
    ("requests opened at the same time", PLAYERD + "Service/Opening/QueueLoader.swift",
     "let older = «mutant({}) ? [] : »operation.request.takeover == .always ? [] : opens.pendingTasks"),
    ("batches in reverse order", PLAYERD + "Service/Opening/QueueInsertion.swift",
     "case .now: last = «mutant({}) ? items.first?.id : »items.last?.id"),
    ("failure reported each time", PLAYERD + "System/FileSystem.swift",
     "if failure != reported« || mutant({})» { log"),
    ("failed save taken for a good one", PLAYERD + "Service/Session/SessionKeeper.swift",
     "written = store.save(SavedSession(player, snapshot, place))« || mutant({})» ? fingerprint : nil"),
    ("session kept on the loader's queue", PLAYERD + "Service/Session/SessionKeeper.swift",
     "«if mutant({}) {{ await follow(events) }} else {{ »await withTaskExecutorPreference(queue) { await follow(events) }« }}»"),
    ("paused long file not written", PLAYERD + "Service/Extras/ResumePolicy.swift",
     "isUnwritten && «(!mutant({}) || isFollowing) && »(isLeft || isFollowing && !view.isPlaying)"),
]


def manifest():
    """Returns a manifest without the targets that the simulation does not need."""
    text = re.sub(r".*\.(treatAllWarnings|strictMemorySafety)\(.*\n", "", (ROOT / "Package.swift").read_text())
    return text + """
package.products = []
let unused = [
  "GstPlayer", "CGst", "CoreMedia", "AVFoundation", "MediaPlayer", "mpris-playerd", "mpris-playerd-engine",
  "EngineProcess", "TestSupport",
]
package.targets.removeAll { target in
  target.type == .test || unused.contains(target.name) || target.path?.hasPrefix("Examples") ?? false
}
"""


def build():
    """Builds the simulation with all faults."""
    shutil.rmtree(COPY, ignore_errors=True)
    for folder in ("Sources", "Tests/Simulation", "Tests/Simulate"):
        shutil.copytree(ROOT / folder, COPY / folder)
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", COPY)
    (COPY / "Package.swift").write_text(manifest())
    numbers = {name: number for number, (name, _, _) in enumerate(FAULTS, 1)}
    for path in sorted({path for _, path, _ in FAULTS}):
        source = COPY / "Sources" / path
        text = source.read_text()
        additions = mutants.additions(path, text, FAULTS)
        for place in additions:
            place.number = numbers[place.change.removeprefix("by hand: ")]
        source.write_text(places.File(path, text).mutated(additions))
        shutil.copy(ROOT / "scripts/mutants/Mutant.swift", COPY / "Sources" / path.split("/")[0])
    command = ["swift", "build", "-c", "release", "--product", "simulate", "--package-path", str(COPY), "--scratch-path",
               str(COPY.parent / "build"), "-debug-info-format", "none", "-Xswiftc", "-enable-testing"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stdout[-4000:] + "\nthe copy does not compile")


def simulate(fault, *arguments):
    """Runs the simulation with the fault of this number, or with none for 0."""
    environment = dict(os.environ, MUTANT=str(fault), SWIFT_BACKTRACE="enable=no")
    return subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, env=environment)


def kind(fault):
    """Returns the number of the kind of scenarios for a fault."""
    return "1" if any(folder in fault[1] for folder in STORAGE) else "0"


def find(number, kind, seconds):
    """Returns the first seed that breaks an invariant with the fault alone, and the report; None if there is none."""
    first, end = 1, time.monotonic() + seconds
    while (left := int(end - time.monotonic())) > 0:
        run = simulate(number, "--for", str(left), "--from", str(first), "--kind", kind)
        seed = re.search(r"^seed (\d+): ", run.stdout, re.MULTILINE)
        if not seed:
            return ("?", f"crash with status {run.returncode}") if run.returncode not in (0, 1) else None
        if simulate(0, seed.group(1), "--kind", kind).returncode == 0:
            return seed.group(1), run.stdout
        first = int(seed.group(1)) + 1
    return None


def stale():
    """Returns the names of the faults, of mutants by hand and of equivalent mutants whose text is no longer in the sources."""
    rows = [(name, f"Sources/{path}", template) for name, path, template in FAULTS] + mutants.FAULTS
    names = []
    for name, path, template in rows:
        try:
            mutants.additions(path, (ROOT / path).read_text(), [(name, path, template)])
        except (OSError, ValueError):
            names.append(f"{path}: the text of the fault '{name}' is not there once")
    for line in (ROOT / "scripts/mutants/equivalent.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        path, _, mutant = line.split(" | ")[0].partition(" ")
        text = mutant.split(" in: ", 1)[1] if " in: " in mutant else mutant.split(": ", 2)[2]
        if not (ROOT / path).exists() or text not in " ".join((ROOT / path).read_text().split()):
            names.append(f"{path}: the text of the equivalent mutant '{text}' is not there")
    return names


def main():
    if sys.argv[1:] == ["--check"]:
        print("\n".join(found := stale()), file=sys.stderr, end="\n" if found else "")
        return 1 if found else 0
    seconds, names = int(sys.argv[1]), sys.argv[2:]
    build()
    wanted = [(number, fault) for number, fault in enumerate(FAULTS, 1) if not names or fault[0] in names]
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, fault), found in zip(wanted, pool.map(lambda each: find(each[0], kind(each[1]), seconds), wanted)):
            missed += not found
            if found:
                breach = re.search(r"^([a-z-]+) after \d+ ms", found[1], re.MULTILINE)
                steps = len(re.findall(r"^ +Step\(", found[1], re.MULTILINE))
                print(f"{fault[0]}: seed {found[0]}, {breach.group(1) if breach else found[1][:60]}, {steps} steps", flush=True)
            else:
                print(f"{fault[0]}: not found", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} faults found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
