"""Recordings of a sound server, and their comparison with the source."""

import array
import math
import os
import subprocess
import threading
import time
import wave

from session import end, run, spawn, until, work

RATE, FRAME, WINDOW = 48_000, 8, 64


class Recorder:
    """A recording of a monitor in 24 bits, as frames of two integers of 32 bits."""

    def __init__(self, sink="first", rate=RATE):
        self.rate, self.data, self.times = rate, bytearray(), []
        self.process = spawn("parec", f"--device={sink}.monitor", "--format=s32le", f"--rate={rate}", "--channels=2",
                             "--latency-msec=10", "--raw", stdout=subprocess.PIPE)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()
        until(lambda: self.times, 5)

    def read(self):
        while chunk := os.read(self.process.stdout.fileno(), 65_536):
            self.data += chunk
            self.times.append((time.monotonic(), len(self.data)))

    def frames(self, first=0, last=None):
        """The frames of a range, without the lowest 8 bits, in which PipeWire's samples have no information."""
        data = bytearray(self.data[first * FRAME : last and last * FRAME])
        del data[len(data) // FRAME * FRAME :]
        data[0::4] = bytes(len(data) // 4)
        return bytes(data)

    def count(self):
        return len(self.data) // FRAME

    def time(self, frame):
        """The time of a frame: the latency of the recording is the least one of the second before and after."""
        rows = [(at, size // FRAME / self.rate) for at, size in list(self.times)]
        late = min(at - length for at, length in rows if abs(length - frame / self.rate) < 1)
        return late + frame / self.rate

    def sound(self, first, seconds):
        """The first frame with sound after another one; None if there is none in so many seconds."""
        def find():
            data = self.frames(first)
            rest = data.lstrip(b"\0")
            return rest and (first + (len(data) - len(rest)) // FRAME,)
        return (until(find, seconds) or (None,))[0]

    def silence(self, first, seconds, length=0.1):
        """The first frame of silence of some length in seconds; None if there is none in so many seconds."""
        def find():
            data = self.frames(first)
            at = data.find(bytes(int(self.rate * length) * FRAME))
            return at >= 0 and (first + -(-at // FRAME),)
        return (until(find, seconds) or (None,))[0]

    def peak(self, first, last=None):
        return max(map(abs, array.array("i", self.frames(first, last))), default=0)

    def end(self):
        end(self.process)
        self.thread.join()


def sine(rate, seconds):
    """Frames of 24 bits; the frequency has no period in whole frames."""
    samples = array.array("i")
    for frame in range(int(rate * seconds)):
        phase = frame * 2 * math.pi * 441.3719 / rate
        samples.extend((round(math.sin(phase) * 2**22) << 8, round(math.cos(phase) * 2**22) << 8))
    return samples.tobytes()


def flac(name, data, rate):
    packed = bytearray(len(data) // 4 * 3)
    for byte in range(3):
        packed[byte::3] = data[byte + 1 :: 4]
    with wave.open(str(work / "part.wav"), "wb") as file:
        file.setparams((2, 3, rate, 0, "NONE", None))
        file.writeframes(packed)
    source, sink = ["filesrc", f"location={work}/part.wav"], ["filesink", f"location={work}/{name}"]
    run("gst-launch-1.0", "-q", *source, "!", "wavparse", "!", "flacenc", "!", *sink)
    return str(work / name)


def align(data, source):
    """Compares a recording with its source.

    Returns the number of equal frames, the first and the last of the source, and the differences: the frame of the
    source before which frames of silence are inserted, their number, and the number of lost frames of the source.
    """
    size, place, at, failures, equal, begin, differences = WINDOW * FRAME, 0, 0, 0, 0, None, []
    while at + size <= len(data) and failures < 4 * WINDOW:
        found = source.find(data[at : at + size], place)
        if found < 0 or found % FRAME:
            # A window with silence at its start or in it, or with frames of another value.
            rest = data[at:].lstrip(b"\0")
            zeros = (len(data) - at - len(rest)) // FRAME * FRAME
            at, failures = at + max(zeros, FRAME), failures + 1
            continue
        if begin is None:
            begin = found
        elif at != last or found != place:
            differences.append((place // FRAME, (at - last) // FRAME, (found - place) // FRAME))
        failures, step = 0, 1 << 20
        start = found
        while step >= FRAME:
            if data[at : at + step] == source[found : found + step] and at + step <= len(data):
                at, found = at + step, found + step
            else:
                step //= 2
        equal, place, last = equal + (found - start) // FRAME, found, at
    return equal, (begin or 0) // FRAME, place // FRAME, differences
