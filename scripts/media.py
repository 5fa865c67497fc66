#!/usr/bin/env python3
"""Plays known media, and writes what happens to docs/MEDIA.md.

usage: scripts/media.py SETS [--program PROGRAM] [--only TEXT] [--jobs COUNT] [--results FILE] [--for SECONDS] [--write]

SETS is a folder for the sets of files. A set that is missing there is fetched with git, if the network allows that; files that
the standards describe by figures are made there. A set may have a file `not-fetched` with the names of its files that could not be
had. PROGRAM is the player, `.build/release/mpris-playerd` by default. `--only` plays the files with this text in their paths, `--jobs`
as many at the same time, and `--write` replaces the tables of docs/MEDIA.md. With `--results`, results are kept in a file, and
another run continues there; `--for` begins no further files after this time.

Each file plays alone; between two files of noise, as a queue; and with crossfades to and from them. The output is a file of samples,
which is compared with the noise and with the samples that FFmpeg decodes. So a missing, repeated or changed sample is found, and a
neighbour that does not play completely. The exit status is 1 if a file is at fault, if a loudness differs by more than 0.1 LU, or if
not everything was played.

It needs ffmpeg, flac, sox, mkvtoolnix and dbus-daemon.
"""

import argparse
import array
import glob
import json
import os
import queue
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import wave
from concurrent import futures
from math import pi, sin
from random import Random

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = f"{ROOT}/docs/MEDIA.md"
SETS = {
    "flac-test-files": ("https://github.com/ietf-wg-cellar/flac-test-files", ["subset", "uncommon", "faulty"]),
    "matroska-test-files": ("https://github.com/ietf-wg-cellar/matroska-test-files", ["test_files"]),
    "gstreamer": (
        "https://github.com/GStreamer/gstreamer",
        [
            "ci/fuzzing/seeds",
            *[f"subprojects/gst-{part}/tests/files" for part in ("plugins-base", "plugins-good", "plugins-bad", "libav")],
            "subprojects/gst-editing-services/tests/check/assets",
        ],
    ),
    "mutagen": ("https://github.com/quodlibet/mutagen", ["tests/data"]),
}
ENDINGS = set(
    "flac mkv mka webm ogg oga opus spx mp3 mp2 mp4 m4a aac ac3 wav aif aiff ape wv tta mpc wma asf tak ofr ofs dsf dff avi ts au "
    "mid flv mts tag".split()
)
RATE, NOISE = 44100, 2.0
LOAD_TIMEOUT = 10
GROUP = 10


def run(*command, **options):
    """Runs a program; returns its result with bytes."""
    return subprocess.run(command, capture_output=True, check=False, **options)


class Recorder:
    """Reads what is written into a named pipe, by any number of writers, until it is closed."""

    def __init__(self, path):
        os.mkfifo(path)
        self.path, self.content = path, b""
        self.reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        # As long as one writer is left, there is no end.
        self.writer = os.open(path, os.O_WRONLY)
        os.set_blocking(self.reader, True)
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        """Reads until the last writer has closed the pipe."""
        parts = []
        while part := os.read(self.reader, 1 << 20):
            parts.append(part)
        self.content = b"".join(parts)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.writer)
        self.thread.join()
        os.close(self.reader)
        os.unlink(self.path)


class Player:
    """The program in a home folder of its own, on a bus of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "HOME": f"{folder}/home",
            "XDG_RUNTIME_DIR": f"{folder}/run",
            "XDG_CACHE_HOME": f"{folder}/cache",
            "GST_REGISTRY": f"{os.path.dirname(folder)}/registry.bin",
            "MPRIS_PLAYERD_LOAD_TIMEOUT": str(LOAD_TIMEOUT),
        }
        for name in ("home", "run", "cache"):
            os.makedirs(f"{folder}/{name}", mode=0o700, exist_ok=True)
        bus = run("dbus-daemon", "--session", "--fork", "--print-address=1", "--print-pid=1", env=self.environment)
        address, self.bus = bus.stdout.decode().split()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def close(self):
        """Ends the bus."""
        os.kill(int(self.bus), 15)

    def play(self, files, limit, **settings):
        """Plays files without waiting for a clock; returns the samples as 32-bit integers, the lines and the exit status."""
        # A file would begin again when the output drops samples that were not played.
        pipe = f"{self.folder}/output"
        sink = f"audioconvert ! audio/x-raw,format=S32LE ! filesink location={pipe} append=true buffer-mode=unbuffered"
        environment = {**self.environment, **{f"MPRIS_PLAYERD_{name}": value for name, value in settings.items()}}
        command = [self.program, "--quit-at-end", "--audio-sink", sink, *files]
        try:
            with Recorder(pipe) as recorder:
                result = run(*command, env=environment, timeout=limit, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as error:
            lines = (error.stderr or b"").decode(errors="replace")
            return b"", [line for line in lines.splitlines() if line] + ["it does not end"], None
        samples = recorder.content
        lines = [line.removeprefix("mpris-playerd: ") for line in result.stderr.decode(errors="replace").splitlines()]
        return samples, [line for line in lines if line and "Ctrl-C quits" not in line], result.returncode


# ---------------------------------------------------------------- the files


def fetch(folder):
    """Fetches the sets that are missing; returns the names of those that cannot be fetched."""
    missing = []
    for name, (source, parts) in SETS.items():
        place = f"{folder}/{name}"
        if os.path.isdir(place):
            continue
        clone = ["git", "clone", "--quiet", "--depth", "1", "--filter=blob:none", "--sparse", "-c", "http.lowSpeedTime=20", source, place]
        if run(*clone).returncode or run("git", "-C", place, "sparse-checkout", "set", *parts).returncode:
            shutil.rmtree(place, ignore_errors=True)
            missing.append(name)
    return missing


def lacking(folder, name):
    """Returns the names of the files of a set that could not be had."""
    try:
        with open(f"{folder}/{name}/not-fetched", encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def files_of(folder, name):
    """Returns the media files of a set, in order."""
    found = []
    for part in SETS[name][1]:
        for place, folders, names in os.walk(f"{folder}/{name}/{part}"):
            folders.sort()
            found += [f"{place}/{file}" for file in names if file.rsplit(".", 1)[-1].lower() in ENDINGS]
    return sorted(found)


def write_wave(path, channels, rate=48000, mask=None):
    """Writes lists of samples from −1 to 1 as a WAV file of 24 bits."""
    count = len(channels)
    data = bytearray()
    for frame in zip(*channels):
        for value in frame:
            data += struct.pack("<i", round(value * 8388607))[:3]
    with open(path, "wb") as file:
        if mask is None:
            with wave.open(file, "wb") as out:
                out.setparams((count, 3, rate, 0, "NONE", ""))
                out.writeframes(bytes(data))
            return
        guid = bytes.fromhex("0100000000001000800000aa00389b71")
        form = struct.pack("<HHIIHHHHI", 0xFFFE, count, rate, rate * count * 3, count * 3, 24, 22, 24, mask) + guid
        body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + bytes(data)
        file.write(b"RIFF" + struct.pack("<I", len(body)) + body)


def tones(parts, frequency=1000.0, rate=48000, phase=0.0):
    """Returns a sine of consecutive parts, each a level in dBFS and a time in seconds."""
    samples, index = [], 0
    for level, seconds in parts:
        scale = 10 ** (level / 20)
        for _ in range(round(seconds * rate)):
            samples.append(scale * sin(2 * pi * frequency * index / rate + phase))
            index += 1
    return samples


def loudness_signals():
    """Yields the signals of EBU Tech 3341, table 1, that figures describe, as (name, channels, mask, expected LUFS)."""
    stereo = {
        "1": ([(-23, 20)], -23.0),
        "2": ([(-33, 20)], -33.0),
        "3": ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
        "4": ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
        "5": ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
    }
    for number, (parts, loudness) in stereo.items():
        yield number, [tones(parts)] * 2, None, loudness
    five = {level: tones([(level, 20)]) for level in (-28, -24, -30)}
    front, back = [five[-28], five[-28], five[-24]], [five[-30], five[-30]]
    yield "6, with five channels", front + back, 0x37, -23.0
    # The channel of low frequencies does not count.
    yield "6, with six channels", front + [[0.0] * len(five[-30])] + back, 0x3F, -23.0


def make(folder):
    """Makes the files that the standards describe; returns them in order."""
    place = f"{folder}/made"
    done = f"{place}/complete"
    if not os.path.exists(done):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        for recipe in (make_flac, make_matroska, make_damaged):
            recipe(place)
        with open(done, "w", encoding="ascii"):
            pass
    return sorted(path for path in glob.glob(f"{place}/*") if path != done)


def make_flac(place):
    """Makes the FLAC files with uncommon formats that the encoder can write."""
    base = f"{place}/base.wav"
    run("sox", "-R", "-n", "-r", "48000", "-b", "32", base, "synth", "3", "pinknoise", "vol", "0.5")
    cases = {
        "4 bits": (["-b", "8"], ["--bps=4"]),
        "rate 1 Hz less than 65536": (["-r", "65535", "-b", "16"], []),
        "rate 192 kHz, 24 bits": (["-r", "192000", "-b", "24"], ["--lax", "-l", "32"]),
        "rate 384 kHz": (["-r", "384000", "-b", "24"], ["--lax"]),
        "rate 655350 Hz": (["-r", "655350", "-b", "16"], ["--lax"]),
        "32 bits": (["-b", "32"], []),
        "8 channels, 192 kHz, 24 bits": (["-r", "192000", "-c", "8", "-b", "24"], ["--lax"]),
        "no seek table": (["-b", "16"], ["--no-seektable"]),
        "large padding": (["-b", "16"], ["--padding=4000000"]),
        "block size 16": (["-b", "16"], ["--lax", "-b", "16"]),
        "block size 65535": (["-b", "16"], ["--lax", "-b", "65535"]),
        "stored, not compressed": (["-b", "16"], ["--lax", "-l", "0", "-r", "0", "--disable-fixed-subframes", "--disable-constant-subframes"]),
        "escaped residuals": (["-b", "16"], ["--do-escape-coding"]),
        "large seek table": (["-b", "16"], ["-S", "10000x"]),
        "Ogg FLAC": (["-b", "16"], ["--ogg"]),
    }
    for name, (form, options) in cases.items():
        wav = f"{place}/case.wav"
        path = f"{place}/FLAC {name}.{'oga' if '--ogg' in options else 'flac'}"
        run("sox", "-R", base, *form, wav)
        encoded = run("flac", "--silent", "--force", *[o for o in options if not o.startswith("--bps")], "-o", path, wav)
        if encoded.returncode:
            print(f"{os.path.basename(path)} is not made: {encoded.stderr.decode().strip()[:100]}", file=sys.stderr)
            if os.path.exists(path):
                os.unlink(path)
    run("sox", "-R", base, "-b", "16", f"{place}/case.wav")
    with open(f"{place}/case.wav", "rb") as wav:
        piped = run("flac", "--silent", "-", "-c", input=wav.read())
    with open(f"{place}/FLAC unknown number of samples.flac", "wb") as file:
        # A pipe as output: the encoder cannot write the number afterwards.
        file.write(piped.stdout)
    os.unlink(f"{place}/case.wav")


def make_matroska(place):
    """Makes files with the features of the Matroska test suite that concern audio."""
    base = f"{place}/base.wav"
    audio = {"FLAC": ["flac"], "Opus": ["libopus", "-b:a", "96k"], "Vorbis": ["libvorbis"], "MP3": ["libmp3lame"], "AAC": ["aac"], "PCM": ["pcm_s24le"]}
    for name, codec in audio.items():
        run("ffmpeg", "-v", "error", "-y", "-i", base, "-c:a", *codec, f"{place}/Matroska {name}.mka")
    whole = f"{place}/Matroska Opus.mka"
    mux = {
        "zlib": ["--compression", "0:zlib"],
        "no cues": ["--no-cues"],
        "lacing off": ["--disable-lacing"],
        "cluster of 100 ms": ["--cluster-length", "100ms"],
        "split time codes": ["--timestamp-scale", "100000"],
        "delay of 2 s": ["--sync", "0:2000"],
    }
    for name, options in mux.items():
        run("mkvmerge", "-q", "-o", f"{place}/Matroska {name}.mka", *options, whole)
    run("ffmpeg", "-v", "error", "-y", "-i", base, "-c:a", "libopus", "-f", "matroska", "-live", "1", f"{place}/Matroska live, sizes unknown.mka")
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=3", "-i", base, "-i", base,
        "-map", "0", "-map", "1", "-map", "2", "-c:v", "mpeg4", "-c:a:0", "libvorbis", "-c:a:1", "flac", f"{place}/Matroska film, two audio tracks.mkv")
    with open(f"{place}/Matroska FLAC.mka", "rb") as file:
        good = file.read()
    with open(f"{place}/Matroska FLAC, cut.mka", "wb") as file:
        file.write(good[: len(good) * 2 // 3])
    middle = len(good) // 2
    with open(f"{place}/Matroska FLAC, damaged element.mka", "wb") as file:
        file.write(good[:middle] + b"\xff" * 64 + good[middle + 64 :])


def make_damaged(place):
    """Makes damaged copies of good files: cut, with changed bytes, and with other bytes before or after them."""
    base = f"{place}/base.wav"
    codecs = {"flac": ["flac"], "mp3": ["libmp3lame"], "ogg": ["libvorbis"], "opus": ["libopus"], "m4a": ["aac"], "wv": ["wavpack"], "wav": ["pcm_s16le"]}
    for ending, codec in codecs.items():
        good = f"{place}/good.{ending}"
        run("ffmpeg", "-v", "error", "-y", "-i", base, "-c:a", *codec, good)
        with open(good, "rb") as file:
            data = file.read()
        os.unlink(good)
        random = Random(ending)
        changed = bytearray(data)
        for _ in range(20):
            changed[random.randrange(len(data) // 4, len(data))] ^= 1 << random.randrange(8)
        variants = {
            "cut in the middle": data[: len(data) // 2],
            "cut in the header": data[:40],
            "20 changed bits": bytes(changed),
            "1 MB of zeros after it": data + bytes(1 << 20),
            "a hole of zeros": data[: len(data) // 2] + bytes(len(data) // 8) + data[len(data) * 5 // 8 :],
        }
        for name, content in variants.items():
            with open(f"{place}/damaged, {name}.{ending}", "wb") as file:
                file.write(content)
    for name, content in {"empty.flac": b"", "zeros.mp3": bytes(100_000), "text.ogg": b"not media " * 1000}.items():
        with open(f"{place}/damaged, {name}", "wb") as file:
            file.write(content)
    os.unlink(base)


# ---------------------------------------------------------------- the runs


def reference(path):
    """Returns the samples that FFmpeg decodes as 32-bit integers, and the bytes of a frame; nothing if it decodes none."""
    probe = run("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=channels,codec_name", "-of", "csv=p=0", path, timeout=60)
    fields = probe.stdout.decode().split("\n")[0].split(",")
    channels = int(fields[1]) if len(fields) > 1 and fields[1].isdigit() else 0
    if not channels:
        return b"", 0, ""
    result = run("ffmpeg", "-v", "quiet", "-i", path, "-map", "0:a:0", "-f", "s32le", "-", timeout=120)
    return result.stdout, channels * 4, fields[0]


def pipeline(path, channels=None):
    """Returns the samples that GStreamer decodes without the player, perhaps converted to a number of channels."""
    with tempfile.NamedTemporaryFile() as output:
        uri = "file://" + urllib.parse.quote(os.path.abspath(path))
        caps = "audio/x-raw,format=S32LE" + (f",channels={channels}" if channels else "")
        line = f"uridecodebin uri={uri} caps=audio/x-raw expose-all-streams=false ! audioconvert ! {caps} ! filesink location={output.name}"
        try:
            run("gst-launch-1.0", "-q", *line.split(), timeout=30)
        except subprocess.TimeoutExpired:
            pass
        return output.read()


def single(samples):
    """Returns one of two equal channels: faad decodes a single channel of AAC as two. Returns nothing if they are not equal."""
    values = array.array("i", samples)
    return values[::2].tobytes() if values[::2] == values[1::2] else b""


def has_channels(samples, others, count):
    """Whether both have the same channels, in any order: FFmpeg and GStreamer order those of 6.1 and 7.1 differently."""
    def channels(data):
        values = array.array("i", data)
        return sorted(values[channel::count].tobytes() for channel in range(count))

    return channels(samples) == channels(others)


def is_alone_too(samples, path, channels):
    """Whether GStreamer without the player decodes the same samples; it changes the number of channels within a file."""
    return samples == pipeline(path) or samples == pipeline(path, channels)


LOSSLESS = {"flac", "alac", "ape", "wavpack", "tta", "tak"}


def judge(player, path):
    """Plays a file alone; returns its samples, the class of the result, and the details."""
    samples, lines, status = player.play([path], 180)
    expected, frame, codec = reference(path)
    own = [line for line in lines if "the engine" not in line]
    if status is None or any(" process ended" in line for line in lines):
        return samples, "fault", "; ".join(lines)
    if status == 66 and not samples:
        if len(own) != 1:
            return samples, "fault", f"{len(own)} lines: " + "; ".join(own)
        reason = own[0].split(": ", 1)[-1]
        kind = "refused, FFmpeg plays it" if expected else "refused"
    elif not samples:
        kind, reason = "without samples", ""
    elif not expected:
        kind, reason = "plays, FFmpeg does not", ""
    else:
        reason = "; ".join(line.split(": ", 1)[-1] for line in own)
        exact = codec in LOSSLESS or codec.startswith("pcm")
        # Silence of one channel looks like two equal channels.
        heard = frame == 4 and len(samples) > 1.5 * len(expected) and single(samples) or samples
        difference = (len(heard) - len(expected)) // frame
        if heard == expected:
            kind = "equal"
        elif len(heard) == len(expected) and exact and has_channels(heard, expected, frame // 4):
            kind, reason = "equal", reason or "the channels are in another order"
        elif len(heard) == len(expected):
            kind = "other samples" if exact else "equal length"
        else:
            kind = "other length"
            share = f"{difference:+,} frames, {len(heard) / len(expected):.0%} of FFmpeg's"
            reason = f"{share}; {reason}" if reason else share
    if kind not in ("equal", "equal length", "refused") and not is_alone_too(samples, path, frame // 4):
        reason += "; not as GStreamer alone" if reason else "not as GStreamer alone"
    return samples, kind, reason


def noise(folder, seconds, number):
    """Makes a file of noise that no other file contains; returns its path and its samples."""
    path = f"{folder}/noise {number}.wav"
    random = Random(number)
    data = random.randbytes(round(seconds * RATE) * 4)
    with wave.open(path, "wb") as out:
        out.setparams((2, 2, RATE, 0, "NONE", ""))
        out.writeframes(data)
    values = array.array("h", data)
    return path, array.array("i", [value << 16 for value in values]).tobytes()


def together(player, group, alone, fade):
    """Plays the files of a group between files of noise; returns a fault for each file, or an empty text."""
    seconds = NOISE if not fade else 3 * fade + NOISE
    noises = [noise(player.folder, seconds, number) for number in range(len(group) + 1)]
    files = [noises[0][0]]
    for path, (between, _) in zip(group, noises[1:]):
        files += [path, between]
    settings = {"CROSSFADE": str(fade)} if fade else {}
    samples, lines, status = player.play(files, 180 + 20 * len(group), **settings)
    if status is None or any(" process ended" in line for line in lines):
        return ["it does not end" if status is None else "; ".join(line for line in lines if " process ended" in line)] * len(group)
    faults, places = [], []
    for _, content in noises:
        # With a fade, the middle is heard alone.
        edge = round(fade * RATE) * 8
        part = content[edge : len(content) - edge]
        found = samples.find(part)
        places.append((found - edge, found - edge + len(content)) if found >= 0 else None)
    for index, path in enumerate(group):
        before, after = places[index], places[index + 1]
        if before is None or after is None:
            faults.append("a neighbour does not play completely")
        elif fade or samples[before[1] : after[0]] == alone[path]:
            faults.append("")
        else:
            faults.append(f"{after[0] - before[1] - len(alone[path]):+,} bytes in a queue")
    return faults


def measure(player):
    """Measures the signals of EBU Tech 3341; returns rows of numbers, expected and measured values."""
    rows = []
    for number, channels, mask, expected in loudness_signals():
        path = f"{player.folder}/signal {number}.wav"
        write_wave(path, channels, mask=mask)
        shutil.rmtree(f"{player.folder}/cache/mpris-playerd/loudness", ignore_errors=True)
        rows.append((number, expected, measured(player, path)))
        os.unlink(path)
    return rows


def measured(player, path):
    """Returns the integrated loudness in LUFS that the player has stored for a file; nothing if it has stored none."""
    environment = {**player.environment, "MPRIS_PLAYERD_REPLAY_GAIN": "track", "MPRIS_PLAYERD_VOLUME": "100"}
    process = subprocess.Popen(
        [player.program, "--no-session", "--audio-sink", "fakesink sync=true", path], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = f"{player.folder}/cache/mpris-playerd/loudness"
    end = time.monotonic() + 60
    while not glob.glob(f"{folder}/*[0-9a-f]") and process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    process.terminate()
    process.wait()
    for file in glob.glob(f"{folder}/*"):
        with open(file, encoding="ascii") as text:
            found = re.search(r"^integrated (\S+)$", text.read(), re.M)
            if found:
                return float(found.group(1))
    return None


class Results:
    """The rows of the files that have been played, and of the measured signals; in a file if there is one."""

    def __init__(self, path):
        self.path, self.rows, self.loudness, self.lock = path, {}, [], threading.Lock()
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                stored = json.load(file)
            self.rows, self.loudness = {row["path"]: row for row in stored["rows"]}, stored["loudness"]

    def add(self, rows=(), loudness=()):
        """Adds rows, and stores all."""
        with self.lock:
            self.rows.update({row["path"]: row for row in rows})
            self.loudness += loudness
            if self.path:
                with open(f"{self.path}.new", "w", encoding="utf-8") as file:
                    json.dump({"rows": list(self.rows.values()), "loudness": self.loudness}, file, ensure_ascii=False, indent=1)
                os.replace(f"{self.path}.new", self.path)


def main():
    """Plays the sets, and prints or writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets")
    parser.add_argument("--program", default=f"{ROOT}/.build/release/mpris-playerd")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results")
    parser.add_argument("--for", type=float, dest="limit")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    end = time.monotonic() + options.limit if options.limit else float("inf")
    os.makedirs(options.sets, exist_ok=True)
    missing = fetch(options.sets)
    media = {name: files_of(options.sets, name) for name in SETS if name not in missing}
    missing += [name for name, files in media.items() if not files]
    media["made"] = make(options.sets)
    report = [{"set": name, "path": path} for name, files in media.items() for path in files if options.only in path]
    results = Results(options.results)
    with tempfile.TemporaryDirectory(prefix="media.", ignore_cleanup_errors=True) as folder:
        # Otherwise each player would scan all plug-ins at the same time.
        run("gst-inspect-1.0", env={**os.environ, "GST_REGISTRY": f"{folder}/registry.bin"})
        players = queue.Queue()
        for number in range(options.jobs):
            players.put(Player(options.program, f"{folder}/{number}"))
        try:
            if not options.only and not results.loudness:
                player = players.get()
                results.add(loudness=measure(player))
                players.put(player)
            play(players, [row for row in report if row["path"] not in results.rows], results, end)
        finally:
            while not players.empty():
                players.get().close()
    rows = [results.rows.get(row["path"], row) for row in report]
    left = {name: lacking(options.sets, name) for name in SETS if lacking(options.sets, name)}
    text = tables(rows, results.loudness, missing, left)
    if options.write:
        write(text)
    else:
        print(text)
    faults = [row for row in rows if row.get("class", "fault") in ("fault", "other samples") or row["queue"] or row["fade"]]
    faults += [row for row in results.loudness if row[2] is None or abs(row[2] - row[1]) > 0.1]
    sys.exit(1 if faults else 0)


def play(players, report, results, end):
    """Plays files alone and together in groups, with several players at the same time, until a time; adds the results."""

    def note(row, *words):
        print(f"{os.path.basename(row['path'])}:", *words, file=sys.stderr, flush=True)

    def play_group(rows):
        player = players.get()
        try:
            if time.monotonic() < end:
                play_with(player, rows)
                results.add(rows)
        finally:
            players.put(player)

    def play_with(player, rows):
        group, alone = [row["path"] for row in rows], {}
        for row in rows:
            alone[row["path"]], row["class"], row["details"] = judge(player, row["path"])
            note(row, row["class"], row["details"])
        for mode, fade in (("queue", 0), ("fade", 1)):
            faults = together(player, group, alone, fade)
            if any(faults) and len(group) > 1:
                # A fault of one file must not be counted for another.
                faults = [together(player, [path], alone, fade)[0] for path in group]
            for row, fault in zip(rows, faults):
                row[mode] = fault
                note(row, mode, fault or "good")

    with futures.ThreadPoolExecutor(players.qsize()) as pool:
        list(pool.map(play_group, [report[start : start + GROUP] for start in range(0, len(report), GROUP)]))


CLASSES = ["equal", "equal length", "other length", "other samples", "plays, FFmpeg does not", "without samples", "refused", "refused, FFmpeg plays it", "fault"]


def tables(report, loudness, missing, left):
    """Returns the text with the versions, a table of counts, one of the files that do not play as FFmpeg plays them, and the loudness."""
    version = run("gst-inspect-1.0", "--version").stdout.decode().split("\n")[1]
    codec = run("ffmpeg", "-version").stdout.decode().split()[2]
    lines = [f"With {version} and FFmpeg {codec}.", ""]
    if missing:
        lines += [f"Not fetched: {', '.join(missing)}.", ""]
    for name, files in left.items():
        if name not in missing:
            lines += [f"Not fetched of {name}: {'; '.join(os.path.basename(file) for file in files)}.", ""]
    names = list(dict.fromkeys(row["set"] for row in report))
    unplayed = [sum("class" not in row and row["set"] == name for row in report) for name in names]
    report = [row for row in report if "class" in row]
    lines += ["| result | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for kind in CLASSES:
        counts = [sum(row["class"] == kind and row["set"] == name for row in report) for name in names]
        if any(counts):
            lines.append(f"| {kind} | " + " | ".join(str(count) for count in counts) + " |")
    if any(unplayed):
        lines.append("| not played yet | " + " | ".join(str(count) for count in unplayed) + " |")
    for mode, title in (("queue", "plays with complete neighbours in a queue"), ("fade", "and with crossfades")):
        counts = [sum(not row[mode] and row["set"] == name for row in report) for name in names]
        lines.append(f"| {title} | " + " | ".join(str(count) for count in counts) + " |")
    lines += ["", "| file | result | details |", "|---|---|---|"]
    for row in report:
        details = "; ".join(text for text in (row["details"], row["queue"], row["fade"] and f"crossfade: {row['fade']}") if text)
        if row["class"] not in ("equal", "equal length") or details:
            name = os.path.basename(row["path"]).replace("|", "\\|")
            lines.append(f"| {row['set']}: {name} | {row['class']} | {details.replace('|', chr(92) + '|')} |")
    if loudness:
        lines += ["", "| signal of EBU Tech 3341 | loudness in LUFS | measured |", "|---|---|---|"]
        for number, expected, value in loudness:
            shown = "–" if value is None else f"{value:.2f}".replace("-", "−")
            lines.append(f"| {number} | {f'{expected:.1f}'.replace('-', '−')} | {shown} |")
    return "\n".join(lines) + "\n"


def write(text):
    """Replaces the tables of the page."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    begin, end = "<!-- media -->\n", "<!-- media end -->"
    head, rest = page.split(begin)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + begin + text + end + rest.split(end, maxsplit=1)[1])


main()
