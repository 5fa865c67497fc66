#!/usr/bin/env python3
"""Gives the devices of a PulseAudio server the ports of a sound card: headphones and loudspeakers.

Arguments: the socket to listen at, and the socket of the server. It passes all messages on, and adds the ports to the descriptions
of devices. SIGUSR1 unplugs the headphones or plugs them in, and reports a change of the card as the server does.
"""

import os
import signal
import socket
import struct
import sys
import threading

REPLY, SINK_INFO, SINK_INFO_LIST, SUBSCRIBE_EVENT = 2, 21, 22, 66
CARD_CHANGED = 0x9 | 0x10
UNKNOWN, NO, YES = 0, 1, 2
SPEAKER, HEADPHONES = 2, 3
CONTROL = 0xFFFFFFFF

is_plugged = True
clients = []


def number(value):
    return b"L" + struct.pack(">I", value)


def text(value):
    return b"t" + value.encode() + b"\0"


def ports():
    """The number of ports, the ports, and the selected port, as PulseAudio 14 and newer describe them."""
    headphones, speaker = (YES, NO) if is_plugged else (NO, UNKNOWN)
    return (
        number(2)
        + text("headphones") + text("Headphones") + number(9000) + number(headphones) + b"N" + number(HEADPHONES)
        + text("speaker") + text("Speakers") + number(10000) + number(speaker) + b"N" + number(SPEAKER)
        + text("headphones" if is_plugged else "speaker")
    )


def end(data, at):
    """The end of the value that begins at a place of a message."""
    kind, at = data[at : at + 1], at + 1
    if kind in b"N10":
        return at
    if kind == b"t":
        return data.index(b"\0", at) + 1
    if kind == b"x":
        return at + 4 + struct.unpack_from(">I", data, at)[0]
    if kind == b"m":
        return at + 1 + data[at]
    if kind == b"v":
        return at + 1 + 4 * data[at]
    if kind == b"f":
        return end(data, end(data, at))
    if kind == b"P":
        while data[at : at + 1] != b"N":
            at = end(data, end(data, end(data, at)))
        return at + 1
    return at + {b"L": 4, b"B": 1, b"a": 6, b"V": 4, b"R": 8, b"r": 8, b"U": 8, b"T": 8}[kind]


def with_ports(data):
    """A reply with devices, each with the ports instead of none."""
    at = end(data, end(data, 0))
    result = data[:at]
    while at < len(data):
        start = at
        for _ in range(19):
            at = end(data, at)
        assert data[at : at + 6] == number(0) + b"N", "the device has ports"
        result += data[start:at] + ports()
        at = start = at + 6
        formats = data[at + 1]
        for _ in range(1 + formats):
            at = end(data, at)
        result += data[start:at]
    return result


def read(source, count):
    data = b""
    while len(data) < count:
        part = source.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


class Client:
    def __init__(self, connection, server):
        self.connection, self.server = connection, server
        self.requests, self.lock = set(), threading.Lock()
        for source, target, change in [(connection, server, self.note), (server, connection, self.add)]:
            threading.Thread(target=self.copy, args=(source, target, change), daemon=True).start()

    def copy(self, source, target, change):
        try:
            while True:
                head = read(source, 20)
                length, channel = struct.unpack_from(">II", head)
                data = read(source, length)
                if channel == CONTROL:
                    data = change(data)
                with self.lock if target is self.connection else threading.Lock():
                    target.sendall(struct.pack(">I", len(data)) + head[4:] + data)
        except (EOFError, OSError):
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def note(self, data):
        command, tag = struct.unpack_from(">xIxI", data)
        if command in (SINK_INFO, SINK_INFO_LIST):
            self.requests.add(tag)
        return data

    def add(self, data):
        command, tag = struct.unpack_from(">xIxI", data)
        if command != REPLY or tag not in self.requests:
            return data
        self.requests.remove(tag)
        return with_ports(data)

    def report_change(self):
        data = number(SUBSCRIBE_EVENT) + number(CONTROL) + number(CARD_CHANGED) + number(0)
        with self.lock:
            try:
                self.connection.sendall(struct.pack(">IIIII", len(data), CONTROL, 0, 0, 0) + data)
            except OSError:
                pass


def toggle():
    global is_plugged
    while True:
        signal.sigwait({signal.SIGUSR1})
        is_plugged = not is_plugged
        for client in clients:
            client.report_change()
        print("plugged" if is_plugged else "unplugged", flush=True)


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
threading.Thread(target=toggle, daemon=True).start()
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(64)
print("listening", os.getpid(), flush=True)
while True:
    connection, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    clients.append(Client(connection, server))
