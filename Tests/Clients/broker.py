"""Runs dbus-broker as a private message bus, and prints its address when it accepts connections.

    broker.py SOCKET [SERVICES]

The launcher of dbus-broker needs systemd and its journal. This program takes its place: it gives the broker the socket and a policy that
permits everything, and starts the programs of the service files in the folder SERVICES. The broker ends with it.
"""

import configparser
import os
import pathlib
import shlex
import socket
import subprocess
import sys

from gi.repository import Gio, GLib

BROKER, CONTROLLER = "/org/bus1/DBus/Broker", "org.bus1.DBus.Broker"
NAME = "org.bus1.DBus.Name"
# Connecting, owning, sending and receiving: a verdict, its priority, and the messages or names that it is about.
BATCH = "(bta(btbs)a(btssssuutt)a(btssssuutt))"
POLICY = f"(a(u{BATCH})a(buu{BATCH})a(ss)bs)"
EVERYTHING = (True, 1, [(True, 1, True, "")], [(True, 1, "", "", "", "", 0, 0, 0, 2**64 - 1)] * 2)


def policy():
    connect, priority, own, (send, receive) = EVERYTHING
    everyone = 2**32 - 1
    batch = (connect, priority, own, [send], [receive])
    return GLib.Variant(POLICY, ([(everyone, batch)], [], [], False, ""))


class Bus:
    def __init__(self, path, services):
        # The broker would wait in a read.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        command = ["dbus-broker", "--controller", str(theirs.fileno()), "--machine-id", "0" * 31 + "1"]
        command += ["--max-bytes=1000000000", "--max-fds=100000", "--max-matches=100000", "--max-objects=1000000"]
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        theirs.close()
        stream = Gio.Socket.new_from_fd(ours.detach()).connection_factory_create_connection()
        self.controller = Gio.DBusConnection.new_sync(stream, None, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT, None, None)
        self.controller.connect("closed", lambda *_: os._exit(1))
        self.controller.signal_subscribe(None, NAME, "Activate", None, None, Gio.DBusSignalFlags.NONE, self.activate)
        self.address = f"unix:path={path}"
        self.programs = {}
        for number, file in enumerate(sorted(pathlib.Path(services).glob("*.service")) if services else []):
            self.add_service(f"/org/bus1/DBus/Name/{number}", file)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        pathlib.Path(path).unlink(missing_ok=True)
        listener.bind(path)
        listener.listen(1000)
        descriptors = Gio.UnixFDList.new()
        index = descriptors.append(listener.fileno())
        listener.close()
        arguments = GLib.Variant("(ohv)", ("/org/bus1/DBus/Listener/0", index, policy()))
        self.controller.call_with_unix_fd_list_sync(
            None, BROKER, CONTROLLER, "AddListener", arguments, None, Gio.DBusCallFlags.NONE, -1, descriptors, None)

    def add_service(self, path, file):
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(file)
        service = parser["D-BUS Service"]
        self.programs[path] = shlex.split(service["Exec"])
        arguments = GLib.Variant("(osu)", (path, service["Name"], os.getuid()))
        self.call(BROKER, CONTROLLER, "AddName", arguments)

    def call(self, path, interface, method, arguments):
        self.controller.call_sync(None, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, -1, None)

    def activate(self, _connection, _sender, path, _interface, _signal, arguments):
        serial = arguments.unpack()[0]
        environment = os.environ | {"DBUS_SESSION_BUS_ADDRESS": self.address, "DBUS_STARTER_ADDRESS": self.address}
        try:
            started = subprocess.Popen(self.programs[path], env=environment)
        except OSError:
            self.fail(path, serial)
        else:
            # A program that ends without owning the name has failed; for one that has owned it, nothing happens.
            GLib.child_watch_add(GLib.PRIORITY_DEFAULT, started.pid, lambda *_: self.fail(path, serial))

    def fail(self, path, serial):
        reason = "org.bus1.DBus.Name.Error.UnitFailure"
        self.call(path, NAME, "Reset", GLib.Variant("(ts)", (serial, reason)))


def main():
    bus = Bus(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    print(bus.address, flush=True)
    GLib.MainLoop().run()


main()
