#!/usr/bin/env python3
"""Plays the files for play-corpus.sh: play_corpus.py WORK FOLDER MODE..., with DAEMON in the environment."""

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
import urllib.parse
import wave

MONITOR = "org.playerd.Monitor1"
PROPERTIES = "org.freedesktop.DBus.Properties"
NAME = "org.playerd"
NO_TRACK = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
MARK = "org.playerd.PlayCorpus1"
# The first start scans the plug-ins of GStreamer.
FILE_LIMIT, QUEUE_LIMIT, BUS_LIMIT = 120, 1200, 30
LOAD_TIMEOUT = float(os.environ.get("LOAD_TIMEOUT", "10"))
# The number of files that are played between good ones in one process.
BATCH = 20


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
    """A private session bus, and the signals on it, in order."""

    def __init__(self, environment):
        self.messages = queue.Queue()
        self.marks = 0
        self.server = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.environment = dict(environment, DBUS_SESSION_BUS_ADDRESS=self.server.stdout.readline().strip())
        self.monitor = subprocess.Popen(
            ["busctl", "--user", "--json=short", "monitor"], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        for line in self.monitor.stderr:
            if "Monitoring" in line:
                break
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.monitor.stdout:
            message = json.loads(line)
            if message.get("type") == "signal":
                self.messages.put((message["interface"], message["member"], message.get("payload", {}).get("data", [])))

    def signals_of_finished_daemon(self):
        """Returns the signals up to the departure of the daemon, which has exited, from the bus."""
        self.marks += 1
        subprocess.run(
            ["busctl", "--user", "emit", "/corpus", MARK, "Mark", "u", str(self.marks)], env=self.environment,
            check=True)
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

    def close(self):
        for process in (self.monitor, self.server):
            process.terminate()
            process.wait()


class Desktop:
    """The folders, the displays and the bus of one daemon at a time; those of the user's desktop are not used."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "config/mpris-playerd").mkdir(parents=True)
        configuration = self.folder / "config/mpris-playerd/config.toml"
        configuration.write_text(f"load-timeout = {LOAD_TIMEOUT}\n", encoding="utf-8")
        self.log = self.folder / "elements.log"
        self.displays = Displays(folder)
        self.bus = Bus(dict(
            os.environ, **self.displays.environment, HOME=folder, XDG_RUNTIME_DIR=folder, XDG_CACHE_HOME=f"{folder}/cache",
            XDG_CONFIG_HOME=f"{folder}/config", XDG_STATE_HOME=f"{folder}/state", XDG_DATA_HOME=f"{folder}/data",
            DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/no-bus", GST_REGISTRY=f"{WORK}/registry.bin",
            GST_DEBUG="GST_ELEMENT_FACTORY:4", GST_DEBUG_NO_COLOR="1", GST_DEBUG_FILE=str(self.log)))


class Run:
    """One run of the daemon, and the outcomes of its tracks: `ended` or the code of a failure."""

    def __init__(self, desktop, files, limit):
        self.outcomes = collections.defaultdict(list)
        self.urls = {}
        self.deviations = []
        connections = desktop.displays.count
        process = subprocess.Popen(
            [os.environ["DAEMON"], "--audio-sink", os.environ.get("AUDIO_SINK", "fakesink"), "--no-session",
             "--quit-at-end", "--enqueue", "--quiet", "--", *files],
            env=desktop.bus.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            self.error = process.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            self.error = process.communicate()[1]
            self.deviations.append(f"still plays after {limit} s")
        self.read(desktop.bus.signals_of_finished_daemon())
        self.check_exit(process.returncode)
        if desktop.displays.count > connections:
            self.deviations.append(f"opens a display {desktop.displays.count - connections} times")
        visual = sorted(name for name in created_elements(desktop.log) if is_visual(name))
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
            elif interface == PROPERTIES and "Metadata" in data[1]:
                metadata = data[1]["Metadata"]["data"]
                if "xesam:url" in metadata:
                    self.urls[metadata["mpris:trackid"]["data"]] = metadata["xesam:url"]["data"]
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

    def check_good(self, files, row):
        """Checks that the good ones of the files in a queue have ended."""
        if len(self.outcomes) == len(row):
            outcomes = dict(zip(row, self.in_order()))
        else:
            # Files were refused, or have several tracks. Metadata names most tracks; a short one may leave no trace there.
            names = {pathlib.Path(file).as_uri(): file for file in files}
            outcomes = {names[url]: self.outcomes[track] for track, url in self.urls.items() if url in names}
            if self.total()["ended"] < len(files):
                self.deviations.append(f"{self.total()['ended']} tracks ended, fewer than the {len(files)} good files")
            tracks = self.in_order() or [[]]
            outcomes[files[0]], outcomes[files[-1]] = tracks[0], tracks[-1]
        for number, file in enumerate(files):
            outcome = outcomes.get(file, ["ended"])
            if outcome != ["ended"]:
                place = "last" if number == len(files) - 1 else f"{number + 1}."
                self.deviations.append(f"the {place} good file has the outcome {outcome or 'none'}")

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


def name(file):
    return os.path.relpath(file, FOLDER)


def good_files(count):
    """Makes files that play for 0.3 s; every second one has another format."""
    folder = pathlib.Path(WORK, "good")
    folder.mkdir(exist_ok=True)
    files = []
    for number in range(count):
        path = folder / f"good-{number}.wav"
        with wave.open(str(path), "wb") as file:
            rate = (44_100, 22_050)[number % 2]
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(bytes(2 * (rate * 3 // 10)))
        files.append(str(path))
    return files


def each(work, tasks):
    """Calls `work` with a desktop and each task, on several threads; yields the results in the order of the tasks."""
    results, pending = [queue.Queue() for _ in tasks], iter(enumerate(tasks))
    lock = threading.Lock()

    def run(desktop):
        while True:
            with lock:
                number, task = next(pending, (None, None))
            if number is None:
                return
            try:
                results[number].put(work(desktop, task))
            except Exception as error:  # pylint: disable=broad-except
                results[number].put(error)

    for desktop in DESKTOPS:
        threading.Thread(target=run, args=(desktop,), daemon=True).start()
    for result in results:
        value = result.get()
        if isinstance(value, Exception):
            raise value
        yield value


def play_alone(files):
    """Plays each file in a process of its own; returns the outcomes of each file, and the deviations."""
    faults, singles, total, refused = [], [], collections.Counter(), 0
    for file, run in zip(files, each(lambda desktop, file: Run(desktop, [file], FILE_LIMIT), files)):
        singles.append(run.in_order())
        total += run.total()
        refused += not run.outcomes
        print(f"{name(file)}: {text(run.total()) if run.outcomes else 'refused: ' + run.error.strip()}", flush=True)
        faults += [f"{name(file)}: {deviation}" for deviation in run.deviations]
    print(f"\n{len(files)} files, one process each: {text(total)}; {refused} refused", flush=True)
    return singles, faults


def play_queue(files, singles):
    """Plays all files in one queue, and compares the outcomes with those of the files alone, if they are known."""
    run = Run(DESKTOPS[0], files, QUEUE_LIMIT)
    print(f"all in one queue: {text(run.total())}", flush=True)
    faults = [f"all in one queue: {deviation}" for deviation in run.deviations]
    if singles is None:
        return faults
    expected = [(file, outcome) for file, outcomes in zip(files, singles) for outcome in outcomes]
    found = run.in_order()
    if len(found) != len(expected):
        return faults + [f"all in one queue: {len(found)} tracks, not {len(expected)}"]
    return faults + [
        f"{name(file)}: {outcome} alone, {other} in the queue"
        for (file, outcome), other in zip(expected, found) if outcome != other]


def play_between(files):
    """Plays each file between two good ones, several files in one process; repeats those of a batch that deviates."""
    good = good_files(BATCH + 1)

    def play(desktop, batch):
        row = [good[0]]
        for number, file in enumerate(batch):
            row += [file, good[number + 1]]
        # A file may take the load time-out as a successor and once more when it is current.
        run = Run(desktop, row, 30 + len(batch) * (3 * LOAD_TIMEOUT + 10))
        run.check_good(good[:len(batch) + 1], row)
        return run

    def play_batch(desktop, batch):
        run = play(desktop, batch)
        total = run.total()
        total["ended"] -= len(batch) + 1
        if not run.deviations:
            return total, []
        found = [(file, play(desktop, [file])) for file in batch] if len(batch) > 1 else []
        alone = [f"{name(file)}: {deviation}" for file, single in found for deviation in single.deviations]
        names = f"{name(batch[0])} to {name(batch[-1])}" if len(batch) > 1 else name(batch[0])
        return total, alone + [f"{names}: {deviation}" for deviation in run.deviations]

    batches = [files[start:start + BATCH] for start in range(0, len(files), BATCH)]
    total, faults, count = collections.Counter(), [], 0
    for batch, (outcomes, deviations) in zip(batches, each(play_batch, batches)):
        total += outcomes
        count += len(batch)
        faults += deviations
        print(f"{count} of {len(files)} between good files: {text(total)}; {len(faults)} deviations", flush=True)
        for deviation in deviations:
            print(f"  {deviation}", flush=True)
    return faults


def main():
    files = sorted(str(path) for path in pathlib.Path(FOLDER).rglob("*") if path.is_file())
    if not files:
        raise SystemExit("error: there is no file in this folder")
    # Scans the plug-ins once.
    subprocess.run(
        ["gst-inspect-1.0", "fakesink"], env=dict(os.environ, GST_REGISTRY=f"{WORK}/registry.bin"), check=True,
        stdout=subprocess.DEVNULL)
    modes = {"alone", "queue", "between"} if "all" in sys.argv[3:] else set(sys.argv[3:])
    faults, singles = [], None
    if "alone" in modes:
        singles, faults = play_alone(files)
    if "queue" in modes:
        faults += play_queue(files, singles)
    if "between" in modes:
        faults += play_between(files)
    print(f"{len(faults)} deviations")
    for fault in faults:
        print(f"  {fault}")
    for desktop in DESKTOPS:
        desktop.bus.close()
    return 1 if faults else 0


WORK, FOLDER = sys.argv[1:3]
DESKTOPS = [Desktop(f"{WORK}/{number}") for number in range(max(1, int(os.environ.get("JOBS", "1"))))]
sys.exit(main())
