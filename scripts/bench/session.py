"""A private session for pipewire.py: PipeWire with a null sink, a session bus, and the daemon's interface."""

import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PLAYER = "org.mpris.MediaPlayer2.Player"
SOUND = """context.properties = { default.clock.rate = 48000 default.clock.allowed-rates = [ 44100 48000 96000 ] }
context.objects = [ { factory = adapter args = { factory.name = support.null-audio-sink node.name = first
  media.class = Audio/Sink audio.position = [ FL FR ] monitor.channel-volumes = true } } ]
"""
# WirePlumber 0.5, and earlier versions in Lua: no hardware is opened.
POLICY = "wireplumber.profiles = { main = { hardware.audio = disabled, hardware.bluetooth = disabled } }\n"
LUA = 'alsa_monitor.enabled = false\ndefault_access.properties["enable-flatpak-portal"] = false\n'
BLUETOOTH = "bluez_monitor.enabled = false\nif bluez_midi_monitor then bluez_midi_monitor.enabled = false end\n"

# No services: an installed daemon is not activated.
BUS = """<busconfig><type>session</type><listen>unix:path={}/bus</listen><auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""

work = pathlib.Path(tempfile.mkdtemp(prefix="pipewire-bench-"))
foreign = ("PULSE_", "PIPEWIRE_", "XDG_")
environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
environment |= {"HOME": str(work), "XDG_RUNTIME_DIR": str(work), "XDG_CONFIG_HOME": str(work / "config")}
environment |= {"PULSE_SERVER": f"unix:{work}/pulse/native", "GST_REGISTRY": str(work / "registry")}
environment["LC_ALL"] = "C.UTF-8"
running = []


def spawn(*command, **options):
    with open(work / "log", "a") as log:
        options = {"stdout": log, "stderr": log} | options
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, **options)
    running.append(process)
    return process


def end(*processes, how=signal.SIGTERM):
    for process in processes:
        process.send_signal(how)
    for process in processes:
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        running.remove(process)


def run(*command):
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def until(condition, seconds):
    """Returns the first true value of a condition, or its last value when the time is over."""
    limit = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < limit:
        time.sleep(0.02)
    return value


def configure():
    """Writes the configuration of the servers."""
    config = {"pipewire/pipewire.conf.d/bench.conf": SOUND, "wireplumber/wireplumber.conf.d/bench.conf": POLICY}
    config |= {"wireplumber/main.lua.d/51-bench.lua": LUA, "wireplumber/bluetooth.lua.d/51-bench.lua": BLUETOOTH}
    for name, text in config.items():
        (work / "config" / name).parent.mkdir(parents=True, exist_ok=True)
        (work / "config" / name).write_text(text)
    (work / ".asoundrc").write_text("pcm.pipewire { type pipewire }\n")


def start_servers():
    for name in ("pipewire-0", "pulse/native"):
        (work / name).unlink(missing_ok=True)
    servers = [spawn("pipewire")]
    until((work / "pipewire-0").exists, 10)
    servers += [spawn("wireplumber"), spawn("pipewire-pulse")]
    if not until(lambda: run("pactl", "get-default-sink").strip() == "first", 20):
        sys.exit("PipeWire has not started; KEEP=1 keeps the log in the folder for temporary files")
    return servers


class Bus:
    """A connection to the session bus that sends calls without arguments, without the start of a program."""

    def __init__(self):
        (work / "bus.conf").write_text(BUS.format(work))
        spawn("dbus-daemon", f"--config-file={work}/bus.conf", "--nofork", "--nopidfile")
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={work}/bus"
        until((work / "bus").exists, 10)
        self.socket, self.serial = socket.socket(socket.AF_UNIX), 0
        self.socket.connect(f"{work}/bus")
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.socket.recv(1024)
        self.socket.sendall(b"BEGIN\r\n")
        self.call("Hello", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")

    def call(self, member, interface=PLAYER, path="/org/mpris/MediaPlayer2", name="org.mpris.MediaPlayer2.playerd"):
        """Sends a call and returns the time of it."""
        fields = b""
        for code, kind, text in ((1, b"o", path), (2, b"s", interface), (3, b"s", member), (6, b"s", name)):
            fields += bytes(-len(fields) % 8) + bytes([code, 1]) + kind + b"\0"
            fields += struct.pack("<I", len(text)) + text.encode() + b"\0"
        self.serial += 1
        message = b"l\1\0\1" + struct.pack("<III", 0, self.serial, len(fields)) + fields
        now = time.monotonic()
        self.socket.sendall(message + bytes(-len(message) % 8))
        return now


def properties(method, name, *value):
    text = run("dbus-send", "--print-reply=literal", "--dest=org.mpris.MediaPlayer2.playerd", "/org/mpris/MediaPlayer2",
               f"org.freedesktop.DBus.Properties.{method}", f"string:{PLAYER}", f"string:{name}", *value)
    return text.split()[-1] if text.split() else ""


def position():
    return int(properties("Get", "Position") or 0) / 1e6


def stream():
    """The description of the only stream in a mixer, its number first."""
    return "".join(run("pactl", "list", "sink-inputs").split("Sink Input #")[1:2])
