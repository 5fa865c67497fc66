#!/usr/bin/env python3
"""Plays the files for play-corpus.sh: play_corpus.py WORK FOLDER, on a private bus, with DAEMON in the environment."""

import collections
import functools
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import sys
import threading

MONITOR = "org.playerd.Monitor1"
NAME = "org.playerd"
NO_TRACK = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
MARK = "org.playerd.PlayCorpus1"
# The first start scans the plug-ins of GStreamer.
FILE_LIMIT, QUEUE_LIMIT, BUS_LIMIT = 120, 1200, 30


class Displays:
    """An X server and a Wayland compositor that count connections and send no reply."""

    def __init__(self, folder):
        self.count = 0
        x_server, number = self.free_x_server()
        wayland = socket.socket(socket.AF_UNIX)
        wayland.bind(f"{folder}/wayland-corpus")
        wayland.listen()
        for server in (x_server, wayland):
            threading.Thread(target=self.accept, args=(server,), daemon=True).start()
        self.environment = {"DISPLAY": f"127.0.0.1:{number}", "WAYLAND_DISPLAY": f"{folder}/wayland-corpus"}

    @staticmethod
    def free_x_server():
        for number in range(100, 1000):
            try:
                return socket.create_server(("127.0.0.1", 6000 + number)), number
            except OSError:
                continue
        raise SystemExit("error: no free port for an X server between 6100 and 6999")

    def accept(self, server):
        while True:
            connection, _ = server.accept()
            self.count += 1
            connection.close()


class Bus:
    """The signals on the session bus, in order."""

    def __init__(self):
        self.messages = queue.Queue()
        self.marks = 0
        self.process = subprocess.Popen(
            ["busctl", "--user", "--json=short", "monitor"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "Monitoring" in line:
                break
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("type") == "signal":
                self.messages.put((message["interface"], message["member"], message.get("payload", {}).get("data", [])))

    def signals_of_finished_daemon(self):
        """Returns the signals up to the departure of the daemon, which has exited, from the bus."""
        self.marks += 1
        subprocess.run(["busctl", "--user", "emit", "/corpus", MARK, "Mark", "u", str(self.marks)], check=True)
        signals, owned, marked = [], False, False
        while owned or not marked:
            signal = self.messages.get(timeout=BUS_LIMIT)
            interface, member, data = signal
            if member == "NameOwnerChanged" and data[0] == NAME:
                owned = bool(data[2])
            elif interface == MARK:
                marked = marked or data[0] == self.marks
            else:
                signals.append(signal)
        return signals


class Run:
    """One run of the daemon, and the outcomes of its tracks: `ended` or the code of a failure."""

    def __init__(self, files, limit):
        self.outcomes = collections.defaultdict(list)
        self.deviations = []
        log = pathlib.Path(WORK, "elements.log")
        environment = dict(
            os.environ, **DISPLAYS.environment, GST_DEBUG="GST_ELEMENT_FACTORY:4", GST_DEBUG_NO_COLOR="1",
            GST_DEBUG_FILE=str(log))
        connections = DISPLAYS.count
        process = subprocess.Popen(
            [os.environ["DAEMON"], "--audio-sink", "fakesink", "--no-session", "--quit-at-end", "--enqueue", "--quiet", "--", *files],
            env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            self.error = process.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            self.error = process.communicate()[1]
            self.deviations.append(f"still plays after {limit} s")
        self.read(BUS.signals_of_finished_daemon())
        self.check_exit(process.returncode)
        if DISPLAYS.count > connections:
            self.deviations.append(f"opens a display {DISPLAYS.count - connections} times")
        visual = sorted(name for name in created_elements(log) if is_visual(name))
        if visual:
            self.deviations.append("creates " + ", ".join(visual))

    def read(self, signals):
        for interface, member, data in signals:
            if interface == MONITOR and member == "ItemDidPlayToEnd":
                self.outcomes[data[0]].append("ended")
            elif interface == MONITOR and member == "ItemFailedToPlayToEnd":
                self.outcomes[data[0]].append(data[1])
            elif interface == MONITOR and member == "TrackBoundary" and data[1] != NO_TRACK:
                self.outcomes[data[1]].extend(())
        for track, outcomes in self.outcomes.items():
            if len(outcomes) != 1:
                self.deviations.append(f"{track} has the outcomes {outcomes or 'none'}")

    def check_exit(self, status):
        expected = 0 if "ended" in self.total() else 66
        if status < 0:
            self.deviations.append(f"is ended by signal {-status}")
        elif status != expected:
            self.deviations.append(f"exits with {status}, not {expected}")
        if not self.outcomes and not self.error.strip():
            self.deviations.append("has neither a track nor a message")

    def total(self):
        return collections.Counter(outcome for outcomes in self.outcomes.values() for outcome in outcomes)

    def in_order(self):
        """Returns the outcomes of the tracks in the order of the queue."""
        return [self.outcomes[track] for track in sorted(self.outcomes, key=lambda path: int(path.split("/")[4]))]


def created_elements(log):
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    log.unlink(missing_ok=True)
    return set(re.findall(r'creating element "([^"]+)"', text))


@functools.cache
def is_visual(name):
    """Whether an element decodes, parses, converts or shows video, pictures or subtitles."""
    answer = subprocess.run(["gst-inspect-1.0", name], capture_output=True, encoding="utf-8", errors="replace")
    words = re.search(r"Klass\s+(\S+)", answer.stdout)
    return bool(words) and bool({"Video", "Image", "Subtitle"} & set(words[1].split("/")))


def text(total):
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(total.items(), key=lambda pair: -pair[1])) or "none"


def main():
    files = sorted(str(path) for path in pathlib.Path(sys.argv[2]).rglob("*") if path.is_file())
    if not files:
        raise SystemExit("error: there is no file in this folder")
    faults, singles, total, refused = [], [], collections.Counter(), 0
    for file in files:
        run = Run([file], FILE_LIMIT)
        singles.append(run.in_order())
        total += run.total()
        refused += not run.outcomes
        name = os.path.relpath(file, sys.argv[2])
        print(f"{name}: {text(run.total()) if run.outcomes else 'refused: ' + run.error.strip()}", flush=True)
        faults += [f"{name}: {deviation}" for deviation in run.deviations]
    print(f"\n{len(files)} files, one process each: {text(total)}; {refused} refused")

    run = Run(files, QUEUE_LIMIT)
    print(f"all in one queue: {text(run.total())}")
    faults += [f"all in one queue: {deviation}" for deviation in run.deviations]
    expected = [(file, outcome) for file, outcomes in zip(files, singles) for outcome in outcomes]
    found = run.in_order()
    if len(found) != len(expected):
        faults.append(f"all in one queue: {len(found)} tracks, not {len(expected)}")
    else:
        faults += [
            f"{os.path.relpath(file, sys.argv[2])}: {outcome} alone, {other} in the queue"
            for (file, outcome), other in zip(expected, found) if outcome != other]
    print(f"{len(faults)} deviations")
    for fault in faults:
        print(f"  {fault}")
    BUS.process.terminate()
    return 1 if faults else 0


WORK = sys.argv[1]
DISPLAYS = Displays(WORK)
BUS = Bus()
sys.exit(main())
