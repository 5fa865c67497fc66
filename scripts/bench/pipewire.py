#!/usr/bin/env python3
"""Compares outputs of the daemon on a private PipeWire, and prints a table in Markdown.

    scripts/bench/pipewire.py DAEMON [RUNS [OUTPUT…]]

Plays with each OUTPUT, a GStreamer description or `automatic`, and records the monitor of a null sink, whose quantum is
that of PipeWire's default settings. A number is the median of all runs; a text is the one that most runs have. Installs
missing Debian packages. An output whose element is not installed is left out: ALSA's needs gstreamer1.0-alsa and
pipewire-alsa. KEEP=1 keeps the log in /tmp/pipewire-bench-*.
"""

import collections
import math
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

from recording import FRAME, RATE, Recorder, align, flac, sine
from session import Bus, configure, end, position, properties, run, running, spawn, start_servers, stream, until, work

OUTPUTS = ["automatic", "pulsesink", "pipewiresink", "alsasink device=pipewire"]


def switches(processes):
    """The context switches of processes and their descendants up to now, by thread."""
    parents = collections.defaultdict(list)
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(file.read_text().rsplit(")", 1)[1].split()[1])].append(int(file.parent.name))
        except OSError:
            pass
    wanted, result = [process.pid for process in processes], {}
    for process in wanted:
        wanted += parents[process]
        for file in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
            try:
                result[file] = sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", file.read_text())))
            except OSError:
                pass
    return result


def switches_per_second(processes, seconds=20):
    before = switches(processes)
    time.sleep(seconds)
    return sum(count - before.get(file, 0) for file, count in switches(processes).items()) / seconds


class Measurement:
    def __init__(self, daemon, output, bus, add):
        self.daemon, self.output, self.bus, self.add, self.process = daemon, output, bus, add, None

    def open(self, *files, seconds=3):
        """Starts the daemon with files, paused, and gives it time to open them."""
        arguments = [] if self.output == "automatic" else ["--audio-sink", self.output]
        self.process = spawn(self.daemon, "--no-session", "--paused", *arguments, *files)
        until(lambda: properties("Get", "PlaybackStatus") == "Paused", 20)
        time.sleep(seconds)

    def close(self):
        end(self.process)
        until(lambda: not properties("Get", "PlaybackStatus"), 5)

    def joins(self, first, second, source, length):
        self.open(first, second)
        recorder = Recorder()
        called, begin = self.bus.call("Play"), recorder.count()
        start = recorder.sound(max(begin - RATE // 10, 0), 10)
        if start is None:
            self.add("first Play → first sample, ms", "silent")
        else:
            self.add("first Play → first sample, ms", (recorder.time(start) - called) * 1000)
            time.sleep(len(source) / FRAME / RATE)
            recorder.silence(recorder.count(), 10, length=1)
            equal, begin, last, differences = align(recorder.frames(start), source)
            join = [row for row in differences if abs(row[0] - length) < RATE // 20]
            self.add("frames lost at the start", begin if equal else "not equal")
            self.add("frames of silence added at the join", sum(row[1] for row in join) if equal else "not equal")
            self.add("frames lost at the join", sum(row[2] for row in join) if equal else "not equal")
            self.add("frames lost at the end", len(source) // FRAME - last if equal else "not equal")
            self.add("interruptions elsewhere in 8 s", len(differences) - len(join))
        recorder.end()
        self.close()

    def commands(self, file, servers):
        self.open(file)
        self.bus.call("Play")
        recorder = Recorder()
        recorder.sound(0, 10)
        for _ in range(3):
            time.sleep(1.5)
            called, place = self.bus.call("Pause"), recorder.count()
            silence = recorder.silence(place, 10)
            self.add("Pause → silence, ms", "never" if silence is None else (recorder.time(silence) - called) * 1000)
            time.sleep(1.5)
            called, place = self.bus.call("Play"), recorder.count()
            sound = recorder.sound(place, 10)
            self.add("Play → first sample, ms", "never" if sound is None else (recorder.time(sound) - called) * 1000)
        time.sleep(1)
        called, place, step = time.monotonic(), recorder.count(), RATE // 100
        loud = recorder.peak(place - RATE // 5, place)
        properties("Set", "Volume", "variant:double:0.5")

        def lower():
            starts = range(max(place, recorder.count() - RATE), recorder.count() - 2 * step, step)
            return [start for start in starts if 0 < recorder.peak(start, start + 2 * step) < 0.6 * loud]

        changed = until(lower, 10)
        self.add("Volume → heard, ms", (recorder.time(changed[0]) - called) * 1000 if changed else "never")
        time.sleep(0.5)
        level = recorder.peak(recorder.count() - RATE // 5)
        self.add("Volume 0.5: heard, dB", 20 * math.log10(level / loud) if level and loud else "silent")
        shown = re.search(r"Volume:.*?(\d+)%", stream())
        self.add("Volume 0.5: the mixer shows, %", int(shown[1]) if shown else "no stream")
        run("pactl", "set-sink-input-volume", stream().split("\n")[0], "25%")
        until(lambda: properties("Get", "Volume").startswith("0.25"), 3)
        self.add("25 % in the mixer: Volume", float(properties("Get", "Volume") or "nan"))
        # The session manager would restore the volume for the next stream.
        run("pactl", "set-sink-input-volume", stream().split("\n")[0], "100%")
        properties("Set", "Volume", "variant:double:1")
        recorder.end()
        time.sleep(2)
        self.add("context switches/s, playing", switches_per_second([self.process, *servers]))
        self.bus.call("Pause")
        time.sleep(8)
        self.add("context switches/s, paused", switches_per_second([self.process, *servers]))
        self.close()

    def rates(self, files, sources):
        self.open(*files)
        self.bus.call("Play")
        for rate, source in sources.items():
            time.sleep(3)
            recorder = Recorder(rate=rate)
            time.sleep(2)
            data = recorder.frames(recorder.sound(0, 1) or 0)
            recorder.end()
            self.add(f"equal frames at {rate} Hz, %", 100 * align(data, source)[0] * FRAME / max(len(data), 1))
            self.bus.call("Next")
        self.close()

    def removal(self, file):
        module = run("pactl", "load-module", "module-null-sink", "sink_name=second").strip()
        run("pactl", "set-default-sink", "second")
        self.open(file)
        self.bus.call("Play")
        time.sleep(2)
        recorder = Recorder("first")
        run("pactl", "unload-module", module)
        time.sleep(2)
        before, place = position(), recorder.count()
        time.sleep(1)
        heard = recorder.sound(place, 0) is not None
        moves = position() - before > 0.3
        state = properties("Get", "PlaybackStatus").lower()
        sound = "heard on the other output" if heard else "silent"
        self.add("after the output's removal", f"{state}, position {'moves' if moves else 'stands'}, {sound}")
        self.bus.call("Pause")
        time.sleep(1)
        called, place = self.bus.call("Play"), recorder.count()
        sound = recorder.sound(place, 10)
        self.add("then Pause, Play → sound, ms", "never" if sound is None else (recorder.time(sound) - called) * 1000)
        recorder.end()
        self.close()

    def restart(self, file, servers):
        self.open(file)
        self.bus.call("Play")
        time.sleep(2)
        killed = time.monotonic()
        end(*servers, how=signal.SIGKILL)
        servers[:] = start_servers()
        ready = time.monotonic()
        recorder = Recorder()
        sound = recorder.sound(0, 15)
        # The server is ready in the middle of this time; the recording begins after it.
        self.add("servers killed → servers ready, s", ready - killed)
        self.add("servers killed → sound, s", "never" if sound is None else recorder.time(sound) - killed)
        recorder.end()
        self.close()


def cell(values):
    numbers = [value for value in values if isinstance(value, (int, float))]
    if len(numbers) * 2 > len(values):
        value = statistics.median(numbers)
        return f"{value:.0f}" if abs(value) >= 20 or value == round(value) else f"{value:.3g}"
    return collections.Counter(map(str, values)).most_common(1)[0][0] if values else ""


def main(daemon, runs=1, *outputs):
    subprocess.run([pathlib.Path(__file__).parents[1] / "install-deps.sh", "run", "pipewire"], check=True)
    configure()
    outputs = outputs or OUTPUTS
    installed = lambda output: output == "automatic" or run("gst-inspect-1.0", output.split()[0])
    outputs = [output for output in outputs if installed(output)]
    length = 4 * RATE
    source = sine(RATE, 8)
    parts = flac("1.flac", source[: length * FRAME], RATE), flac("2.flac", source[length * FRAME :], RATE)
    sources = {rate: sine(rate, 10) for rate in (44_100, 96_000)}
    files = [flac(f"{rate}.flac", data, rate) for rate, data in sources.items()]
    long = flac("long.flac", sine(RATE, 20) * 6, RATE)
    bus, servers, results = Bus(), start_servers(), collections.defaultdict(lambda: collections.defaultdict(list))
    for number in range(int(runs)):
        for output in outputs:
            print(f"run {number + 1}: {output}", file=sys.stderr, flush=True)
            measurement = Measurement(daemon, output, bus, lambda name, value: results[name][output].append(value))
            measurement.joins(*parts, source, length)
            measurement.commands(long, servers)
            measurement.rates(files, sources)
            measurement.removal(long)
            measurement.restart(long, servers)
    print("| measurement | " + " | ".join(f"`{output}`" for output in outputs) + " |")
    print("|---" * (len(outputs) + 1) + "|")
    for name, row in results.items():
        print(f"| {name} | " + " | ".join(cell(row[output]) for output in outputs) + " |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    finally:
        end(*running[::-1], how=signal.SIGKILL)
        if not os.environ.get("KEEP"):
            shutil.rmtree(work)
