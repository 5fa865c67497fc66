"""Plays to Snapcast, and compares what a recorded client hears with the events of the player.

    snapcast.py COMMAND…  the command of the daemon, with its options and a loud and a quiet track
"""

import array
import json
import os
import socket
import subprocess
import sys
import threading
import time

LIMIT = 20
# The delay of snapserver's default configuration.
DELAY = 1.0
# The server reads blocks of 20 ms, and the recorded client plays blocks of 50 ms.
TOLERANCE = 0.1
BLOCK = 480
LOUD, QUIET, SILENCE = "loud", "quiet", "silence"


class Log:
    """Values with their times; a reader waits for one."""

    def __init__(self):
        self.entries = []
        self.changed = threading.Condition()

    def append(self, instant, value):
        with self.changed:
            self.entries.append((instant, value))
            self.changed.notify_all()

    def first(self, what, test, after=0):
        """Returns the time and the value of the first entry from a time on that passes the test."""

        def find():
            return next(((t, v) for t, v in self.entries if t >= after and test(v)), None)

        with self.changed:
            if not self.changed.wait_for(lambda: find() is not None, LIMIT):
                sys.exit(f"not received: {what}; last: {self.entries[-3:]}")
            return find()


def listen(client, heard):
    """Records the level of each block of 10 ms when it changes, with the time at which the client plays it."""
    level, data = None, b""
    while piece := os.read(client.stdout.fileno(), 65_536):
        # The client writes a block when its first sample is due.
        now = time.monotonic()
        data += piece
        size = 4 * BLOCK
        blocks = len(data) // size
        for index in range(blocks):
            peak = max(map(abs, array.array("h", data[index * size : (index + 1) * size])))
            present = LOUD if peak > 13_000 else QUIET if peak > 3_000 else SILENCE
            if present != level:
                level = present
                heard.append(now + index * BLOCK / 48_000, level)
        data = data[blocks * size :]


def follow(watch, events):
    for line in watch.stdout:
        event = json.loads(line)
        events.append(event["monotonic"], event)


class Server:
    """The control interface of snapserver: https://github.com/snapcast/snapcast/blob/develop/doc/json_rpc_api/control.md"""

    def __init__(self):
        self.lines = socket.create_connection(("127.0.0.1", 1705), LIMIT).makefile("rw")
        self.number = 0
        self.has_news = False

    def call(self, method, **params):
        self.number += 1
        print(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}), file=self.lines, end="\r\n", flush=True)
        while message := json.loads(self.lines.readline()):
            if message.get("id") == self.number:
                return message["result"] if "result" in message else sys.exit(f"{method}: {message}")
            self.has_news = True

    def properties(self):
        return self.call("Server.GetStatus")["server"]["streams"][0]["properties"]

    def control(self, command, **params):
        return self.call("Stream.Control", id="playerd", command=command, params=params)

    def shows(self, what, test):
        """Waits until the server shows properties, which it reads again after each notification."""
        while not test(properties := self.properties()):
            try:
                if not self.has_news:
                    self.lines.readline()
            except TimeoutError:
                sys.exit(f"the server does not show {what}: {properties}")
            self.has_news = False
        return properties


def main(command):
    player = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=sys.stderr)
    client = subprocess.Popen(
        ["snapclient", "--host", "127.0.0.1", "--player", "file:filename=stdout", "--logsink", "stderr"],
        stdout=subprocess.PIPE, stderr=sys.stderr)
    heard, events = Log(), Log()
    threading.Thread(target=listen, args=(client, heard), daemon=True).start()
    subprocess.run(["gdbus", "wait", "--session", "--timeout", str(LIMIT), "org.mpris.MediaPlayer2.playerd"], check=True)
    watch = subprocess.Popen([command[0], "watch", "--json"], stdout=subprocess.PIPE, text=True)
    threading.Thread(target=follow, args=(watch, events), daemon=True).start()
    server = Server()
    heard.first("the start of the client", lambda level: level == SILENCE)
    server.shows("One", lambda p: p.get("metadata", {}).get("title") == "One" and p["canPlay"])
    delays = []

    def measure(what, method, event, status, title, level):
        before = time.monotonic()
        server.control(method)
        played, _ = events.first(f"{what} of the player", lambda e: event.items() <= e.items(), before)
        instant, _ = heard.first(f"{what} of the client", lambda present: present == level, before)
        server.shows(what, lambda p: p["playbackStatus"] == status and p["metadata"].get("title") == title)
        delays.append(instant - played)
        print(f"{what} is heard {1000 * delays[-1]:.0f} ms later")

    measure("the start", "play", {"status": "Playing"}, "playing", "One", LOUD)
    measure("a pause", "pause", {"status": "Paused"}, "paused", "One", SILENCE)
    measure("the end of the pause", "play", {"status": "Playing"}, "playing", "One", LOUD)
    measure("a skip", "next", {"title": "Two"}, "playing", "Two", QUIET)
    server.control("setPosition", position=30)
    server.shows("the position", lambda p: 29.9 <= p["position"] < 50)
    server.call("Stream.SetProperty", id="playerd", property="loopStatus", value="playlist")
    server.shows("the loop mode", lambda p: p["loopStatus"] == "playlist")
    player.terminate()
    player.wait(LIMIT)
    heard.first("the end", lambda level: level == SILENCE, time.monotonic() - DELAY)
    for process in (client, watch):
        process.terminate()
    if wrong := [delay for delay in delays if abs(delay - DELAY) > TOLERANCE]:
        sys.exit(f"heard after {wrong} s instead of {DELAY} s")
    print(f"starts, pauses and skips are heard {1000 * min(delays):.0f} to {1000 * max(delays):.0f} ms later, and clients see and control them")


main(sys.argv[1:])
