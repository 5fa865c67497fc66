#!/usr/bin/env python3
"""Runs the session that kill9.sh kills: kill9.py FOLDER COUNT, on a private bus, with DAEMON in the environment."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import wave

NAME = "org.mpris.MediaPlayer2.playerd"
PLAYER = "org.mpris.MediaPlayer2.Player"
# A change is written within two seconds, the position every five; the rest is a margin for a busy machine.
CHANGE, POSITION, SLACK = 2.0, 5.0, 1.0


def silence(path):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(bytes([128]) * 8000 * 600)


def call(*arguments):
    answer = subprocess.run(
        ["busctl", "--user", "--json=short", "call", NAME, "/org/mpris/MediaPlayer2", *arguments], capture_output=True,
        encoding="utf-8", timeout=10)
    if answer.returncode != 0:
        raise RuntimeError(answer.stderr.strip())
    return json.loads(answer.stdout)["data"] if answer.stdout else None


def get(name):
    return call("org.freedesktop.DBus.Properties", "Get", "ss", PLAYER, name)[0]["data"]


class Round:
    """One run of the daemon, and its known state."""

    def __init__(self, folder, files, expected):
        self.state = folder / "state" / "mpris-playerd"
        self.files = files
        # The queues that may have been saved, the oldest first: (since when, URIs).
        self.queues = [(0.0, expected)] if expected else []
        # In half of the runs a track plays, so that there is a position to compare.
        self.calm = random.random() < 0.5
        # The time at which the position last jumped, or another track became current.
        self.jumped = time.monotonic()
        items = [] if expected else [str(file) for file in files[:3]]
        if items:
            self.queues = [(time.monotonic(), [file.as_uri() for file in files[:3]])]
        environment = dict(os.environ, MPRIS_PLAYERD_RESUME="playing")
        self.process = subprocess.Popen(
            [os.environ["DAEMON"], "--audio-sink", "fakesink sync=true", *items], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        subprocess.run(["gdbus", "wait", "--session", "--timeout", "20", NAME], check=True)
        # A request that arrives while the items are being read would replace them. The daemon writes no other lines.
        print(self.process.stdout.readline(), end="")
        if get("PlaybackStatus") != "Playing":
            call(PLAYER, "Play")
            self.jumped = time.monotonic()

    def step(self):
        """Performs a random action of a user."""
        what = random.choice(["nothing", "volume", "nothing"] + ([] if self.calm else ["seek", "next", "previous", "open"]))
        if what == "seek":
            call(PLAYER, "Seek", "x", str(random.randrange(5, 60) * 1_000_000))
        elif what in ("next", "previous"):
            call(PLAYER, what.capitalize())
        elif what == "volume":
            call("org.freedesktop.DBus.Properties", "Set", "ssv", PLAYER, "Volume", "d", str(random.random()))
        elif what == "open" and len(self.queues[-1][1]) < 40:
            index, uri = self.index(), random.choice(self.files).as_uri()
            call(PLAYER, "OpenUri", "s", uri)
            queue = list(self.queues[-1][1])
            queue.insert(index + 1, uri)
            self.queues.append((time.monotonic(), queue))
        if what not in ("nothing", "volume"):
            self.jumped = time.monotonic()

    def index(self):
        answer = subprocess.run(
            ["busctl", "--user", "get-property", "org.playerd", "/org/playerd", "org.playerd.Control1", "QueueIndex"],
            capture_output=True, encoding="utf-8", check=True, timeout=10)
        return int(answer.stdout.split()[1])

    def kill(self):
        """Kills the daemon, and returns the faults of its saved state."""
        requested = time.monotonic()
        position, index = get("Position") / 1e6, self.index()
        killed = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        position += killed - requested
        try:
            session = json.loads((self.state / "session.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return [] if killed - self.queues[0][0] < CHANGE + SLACK else ["there is no session file"]
        except ValueError as error:
            return [f"the session file is not valid JSON: {error}"]
        faults = []
        allowed = [queue for since, queue in self.queues]
        old = [since for since, _ in self.queues if killed - since > CHANGE + SLACK]
        allowed = allowed[max(0, len(old) - 1):]
        queue = [item if isinstance(item, str) else item["uri"] for item in session["queue"]]
        if queue not in allowed:
            faults.append(f"the queue has {len(queue)} items, expected were {[len(a) for a in allowed]}")
        if killed - self.jumped > CHANGE + SLACK:
            lost = position - session["place"]["position"]
            if session["place"]["current"] != index:
                faults.append(f"the track is {session['place']['current']}, not {index}")
            elif not -SLACK < lost < POSITION + SLACK:
                faults.append(f"{lost:.1f} s of the position are lost")
            else:
                losses.append(lost)
        if (self.state / "session.json.damaged").exists():
            faults.append("the session was set aside as damaged")
        self.found = queue
        return faults


losses = []


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
    random.seed(seed)
    print(f"seed {seed}")
    files = [folder / f"{number}.wav" for number in range(5)]
    for file in files:
        silence(file)
    queue, failed = None, 0
    for number in range(1, count + 1):
        life = Round(folder, files, queue)
        end = time.monotonic() + random.uniform(3.5, 8) if life.calm else time.monotonic() + random.uniform(0.05, 6)
        while time.monotonic() < end:
            life.step()
            time.sleep(min(random.uniform(0.05, 1.5), max(0, end - time.monotonic())))
        faults = life.kill()
        queue = getattr(life, "found", queue)
        for fault in faults:
            print(f"{number}: {fault}")
        failed += bool(faults)
    worst = max(losses, default=0)
    print(f"{count} times killed, {failed} with a fault; of {len(losses)} positions compared, {worst:.1f} s lost at most")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: kill9.py FOLDER COUNT")
    main()
