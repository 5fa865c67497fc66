#!/usr/bin/env python3
"""Reintroduces faults of the daemon into a copy of the sources, and reports those that the simulation finds: faults.py SECONDS [NAME...]

Each fault is a row of FAULTS: a name, a file below Sources, the correct text and the faulty one. A copy of the sources is
built for each; the simulation then runs the seeds from 1 on for SECONDS at most: those of a daemon with a disk for a fault of
its STORAGE, and those of a player for the others. A seed that also fails without the fault is skipped. Exits with 1 if a
fault is not found.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build-faults" / "package"
PLAYERD = "Playerd/"
STORAGE = ("/Session/", "/Logind/", "/Opening/", "/Extras/", "/System/")

FAULTS = [
    ("signal without a changed property", "DBus/Objects/ChangeTracker.swift",
     "        changes.changed.append(.init(name: row.name.rawValue, value: value))",
     "        if row.name != \"PlaybackStatus\" { changes.changed.append(.init(name: row.name.rawValue, value: value)) }"),
    ("changed properties signalled twice", "DBus/Connection/DBusConnection+Objects.swift",
     "    for changes in served.takeChanges(to: state) {", "    let all = served.takeChanges(to: state)\n    for changes in all + all {"),
    ("Seeked is missing", "Playerd/Service/Bridge/PlayerBridge.swift",
     "    case .timeJumped(_, let position), .playbackResumed(_, let position):", "    case .playbackResumed(_, let position):"),
    ("observers of a client that has left", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "    observers.removeAll(of: owner)\n", ""),
    ("connections watched for ever", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "    if !observers.concern(owner) { watches.removeValue(forKey: owner)?.cancel() }\n", ""),
    ("a call answered twice", "DBus/Connection/DBusConnection.swift",
     "      if let reply { link.send(reply) }", "      if let reply {\n        link.send(reply)\n        if message.expectsReply, arrivals % 50 == 0 { link.send(reply) }\n      }"),
    ("an error without an answer", "DBus/Objects/ObjectServer.swift",
     "      guard expectsReply else { return nil }\n      return call.reply(error)", "      return nil"),
    ("an answer that was not requested", "DBus/Objects/ObjectServer.swift",
     "      guard expectsReply else { return nil }\n      return reply", "      return reply"),
    ("Next although CanGoNext is false", "MPRISService/CommandRules.swift",
     "  var forNext: MPRISCommand? { canGoNext ? .next : nil }", "  var forNext: MPRISCommand? { .stop }"),
    ("CanGoNext of the previous track", "Playerd/Service/Bridge/PlayerBridge.swift",
     "    snapshot.canGoNext = state.hasNext\n", "    snapshot.canGoNext = state.hasPrevious\n"),
    ("rates that are out of bounds", "MPRISService/CommandRules.swift",
     "    guard rate >= minimumRate, rate <= maximumRate, rate.isFinite else {", "    guard rate.isFinite else {"),
    ("Position in PropertiesChanged", "MPRISService/PlayerInterface.swift",
     "Row(\"Position\", \"x\", changes: .never)", "Row(\"Position\", \"x\", changes: .value)"),
    ("removed tracks are not signalled", "MPRISService/TrackListChange.swift",
     "old.filter { !after.contains($0) }.map", "old.filter { !after.contains($0) }.dropFirst().map"),
    ("notices to everyone", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "{ send(MonitorSignal(notice, of: id), to: owner) }", "{ _ = owner; send(MonitorSignal(notice, of: id)) }"),
    ("ends signalled in another order", "PlayerdInterfaces/Monitor1/MonitorService.swift",
     "      if let signal = MonitorSignal(delivery.event) { send(signal) }",
     "      if let signal = MonitorSignal(delivery.event) {\n        if case .trackEnded = delivery.event { connection.enqueue { _ in self.assumeIsolated { $0.send(signal) } } } else { send(signal) }\n      }"),
    ("a shuffle that is not signalled", "MPRISService/MPRISSnapshot.swift",
     "    other.position = position\n    return self == other", "    (other.position, other.shuffle) = (position, shuffle)\n    return self == other"),
    ("a seek that is refused but carried out", "MPRISService/CommandRules.swift",
     "    guard canSeek, let track, track.path == path, position >= .zero else { return nil }",
     "    guard canSeek, let track, position >= .zero else { return nil }"),
    ("session without fsync", PLAYERD + "Service/Session/SessionStore.swift",
     "files.replace(path, with: bytes)", "files.replace(path, with: bytes, isDurable: false)"),
    ("folder not synchronized", PLAYERD + "System/FileSystem.swift",
     "isDurable ? synchronize(folder: folder) : .success(())", ".success(())"),
    ("file not synchronized before its new name", PLAYERD + "System/FileSystem.swift",
     "isSynchronized: isDurable)", "isSynchronized: false)"),
    ("session written in place", PLAYERD + "System/FileSystem.swift",
     "let draft = draft.map { Array($0.utf8) } ?? target + Array(\".new\".utf8)", "let draft = target"),
    ("index of the next item saved", PLAYERD + "Service/Session/SessionKeeper.swift",
     "current = snapshot.currentIndex ?? 0", "current = (snapshot.currentIndex ?? 0) + 1"),
    ("position forgotten", PLAYERD + "Service/Session/SessionKeeper.swift",
     "position = Double(snapshot.position.microseconds) / 1e6", "position = 0"),
    ("no save during playback", PLAYERD + "Service/Session/SessionSchedule.swift",
     "isPlaying ? (lastWrite ?? now).advanced(by: Self.interval) : nil", "nil"),
    ("timer dropped after a write", PLAYERD + "Service/Session/SessionKeeper.swift",
     "    write()\n    setTimer(isPlaying: player.snapshot.transport == .playing)", "    write()"),
    ("order not restored", PLAYERD + "Service/Session/SessionRestorer.swift",
     "player.snapshot.isShuffled ? session.order : nil", "nil"),
    ("delay lock never released", PLAYERD + "Service/Logind/LogindMonitor.swift",
     "case .releaseDelay: delay = nil", "case .releaseDelay: break"),
    ("lock released before the save", PLAYERD + "Service/Logind/SleepStateMachine.swift",
     "(playedBefore ? [.pause] : []) + [.save, .releaseDelay]", "(playedBefore ? [.pause] : []) + [.releaseDelay, .save]"),
    ("playback resumes after each suspension", PLAYERD + "Service/Logind/SleepStateMachine.swift",
     "playedBefore && policy == .resume", "playedBefore"),
    ("block lock kept", PLAYERD + "Service/Logind/LogindMonitor.swift",
     "    opens.observe { [coordinator] in inbox.yield(.playing(coordinator.snapshot.status == .playing)) }\n", ""),
    ("requests opened at the same time", PLAYERD + "Service/Opening/QueueLoader.swift",
     "operation.request.takeover == .always ? [] : opens.pendingTasks", "[Task<Void, Never>]()"),
    ("batches in reverse order", PLAYERD + "Service/Opening/QueueInsertion.swift",
     "case .now: last = items.last?.id", "case .now: last = items.first?.id"),
    ("failure reported each time", PLAYERD + "System/FileSystem.swift",
     "if failure != reported { log", "do { log"),
    ("failed save taken for a good one", PLAYERD + "Service/Session/SessionKeeper.swift",
     "written = store.save(SavedSession(player, snapshot, place)) ? fingerprint : nil", "_ = store.save(SavedSession(player, snapshot, place))\n      written = fingerprint"),
    ("session kept on the loader's queue", PLAYERD + "Service/Session/SessionKeeper.swift",
     "await withTaskExecutorPreference(queue) { await follow(events) }", "await follow(events)"),
    ("paused long file not written", PLAYERD + "Service/Extras/ResumePolicy.swift",
     "isUnwritten && (isLeft || isFollowing && !view.isPlaying)", "isUnwritten && isFollowing && (isLeft || !view.isPlaying)"),
]


def manifest():
    """Returns a manifest without the targets that the simulation does not need."""
    return (ROOT / "Package.swift").read_text() + """
package.products = []
let unused = ["GstPlayer", "CGst", "CoreMedia", "AVFoundation", "mpris-playerd", "mpris-playerd-daemon", "TestSupport"]
package.targets.removeAll { target in
  target.type == .test || unused.contains(target.name) || target.path?.hasPrefix("Examples") ?? false
}
"""


def build(fault=None):
    """Builds the simulation with a fault; returns the program, or a sentence why there is none."""
    shutil.rmtree(COPY, ignore_errors=True)
    for folder in ("Sources", "Tests/Simulation", "Tests/Simulate"):
        shutil.copytree(ROOT / folder, COPY / folder)
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", COPY)
    (COPY / "Package.swift").write_text(manifest())
    if fault:
        _, path, correct, faulty = fault
        source = COPY / "Sources" / path
        text = source.read_text()
        if text.count(correct) != 1:
            return f"{path} does not contain the text of the fault once"
        source.write_text(text.replace(correct, faulty))
    command = ["swift", "build", "-c", "release", "--product", "simulate", "--package-path", str(COPY), "--scratch-path",
               str(COPY.parent / "build"), "-debug-info-format", "none", "-Xswiftc", "-enable-testing"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode != 0:
        error = re.search(r"error: .*", built.stdout)
        return f"does not compile: {error.group(0) if error else ''}"
    program = COPY.parent / ("faulty" if fault else "correct")
    shutil.copy(COPY.parent / "build/release/simulate", program)
    return program


def kind(fault):
    """Returns the number of the kind of scenarios for a fault."""
    return "1" if any(folder in fault[1] for folder in STORAGE) else "0"


def find(program, correct, kind, seconds):
    """Returns the first seed that breaks an invariant with the fault alone, and the report; None if there is none."""
    first, end = 1, time.monotonic() + seconds
    while (left := int(end - time.monotonic())) > 0:
        run = subprocess.run([str(program), "--for", str(left), "--from", str(first), "--kind", kind], capture_output=True, text=True)
        seed = re.search(r"^seed (\d+): ", run.stdout, re.MULTILINE)
        if not seed:
            return None
        if subprocess.run([str(correct), seed.group(1), "--kind", kind], capture_output=True).returncode == 0:
            return seed.group(1), run.stdout
        first = int(seed.group(1)) + 1
    return None


def main():
    seconds, names = int(sys.argv[1]), sys.argv[2:]
    missed = 0
    correct = build()
    if isinstance(correct, str):
        sys.exit(correct)
    for fault in FAULTS:
        if names and fault[0] not in names:
            continue
        program = build(fault)
        found = None if isinstance(program, str) else find(program, correct, kind(fault), seconds)
        if found:
            breach = re.search(r"^([a-z-]+) after \d+ ms", found[1], re.MULTILINE)
            steps = len(re.findall(r"^ +Step\(", found[1], re.MULTILINE))
            print(f"{fault[0]}: seed {found[0]}, {breach.group(1) if breach else ''}, {steps} steps", flush=True)
        else:
            missed += 1
            print(f"{fault[0]}: {program if isinstance(program, str) else 'not found'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
