"""A mock of a phone with KDE Connect, protocol version 7, on the loopback interface.

    phone.py DEVICE CERTIFICATE KEY REQUESTS

Connects to the computer and accepts its pairing request. DEVICE is the device id, 32 to 38 characters, and the common name
of CERTIFICATE. REQUESTS is a FIFO: each line is sent to the computer as the body of a kdeconnect.mpris.request. Prints each
value of the kdeconnect.mpris packets as KEY=VALUE; downloads payloads (covers) and prints `payload=BYTES`.
https://invent.kde.org/network/kdeconnect-meta/-/blob/master/protocol.md
"""

import json
import socket
import ssl
import sys
import threading
import time

HOST = "127.0.0.1"
PORTS = range(1716, 1765)
IDENTITY = {
    "deviceName": "Phone", "deviceType": "phone", "protocolVersion": 7,
    "incomingCapabilities": ["kdeconnect.mpris"], "outgoingCapabilities": ["kdeconnect.mpris.request"],
}  # fmt: skip


def packet(kind, body):
    return json.dumps({"id": int(time.time() * 1000), "type": "kdeconnect." + kind, "body": body}).encode() + b"\n"


def report(key, value):
    print(f"{key}={value}", flush=True)


class Phone:
    def __init__(self, device, certificate, key):
        self.identity = IDENTITY | {"deviceId": device}
        # The side that opens the TCP connection is the TLS server.
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(certificate, key)
        self.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.client.check_hostname = False
        self.client.verify_mode = ssl.CERT_NONE
        self.client.load_cert_chain(certificate, key)
        self.lock = threading.Lock()

    def connect(self):
        for port in PORTS:
            try:
                connection = socket.create_connection((HOST, port), timeout=20)
                break
            except ConnectionRefusedError:
                continue
        else:
            sys.exit(f"no KDE Connect at the ports {PORTS.start} to {PORTS.stop - 1}")
        connection.sendall(packet("identity", self.identity))
        self.connection = self.server.wrap_socket(connection, server_side=True)
        self.connection.settimeout(None)

    def send(self, kind, body):
        with self.lock:
            self.connection.sendall(packet(kind, body))

    def listen(self):
        for line in self.connection.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            kind, body = message["type"], message["body"]
            if kind == "kdeconnect.pair":
                report("pair", body["pair"])
                if body["pair"]:
                    self.send("pair", {"pair": True})
            elif kind == "kdeconnect.mpris":
                for key, value in body.items():
                    report(key, value)
                if "payloadTransferInfo" in message:
                    self.fetch(message["payloadTransferInfo"]["port"], message["payloadSize"])
        report("connection", "closed")

    def fetch(self, port, size):
        with self.client.wrap_socket(socket.create_connection((HOST, port), timeout=20)) as payload:
            with payload.makefile("rb") as data:
                report("payload", len(data.read(size)))

    def forward(self, requests):
        while True:
            with open(requests, encoding="utf-8") as lines:
                for line in lines:
                    self.send("mpris.request", json.loads(line))


def main():
    device, certificate, key, requests = sys.argv[1:]
    phone = Phone(device, certificate, key)
    phone.connect()
    report("connection", "open")
    threading.Thread(target=phone.forward, args=(requests,), daemon=True).start()
    phone.listen()


main()
