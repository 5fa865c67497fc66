"""A client of the MPRIS player with the bus name $BUS.

    player.py get KEY…                 prints properties and metadata entries, one per line
    player.py call METHOD [ARGUMENT…]  calls a method; arguments are GVariant text
    player.py wait CONDITION…          waits until all conditions hold, for at most $LIMIT seconds (default 10):
                                       KEY=VALUE, KEY!=VALUE, KEY>=NUMBER, KEY<=NUMBER

`wait` checks the conditions at its start and after each signal of the player; it does not poll.
"""

import os
import re
import sys

from gi.repository import Gio, GLib

BUS = os.environ.get("BUS", "org.mpris.MediaPlayer2.playerd")
PATH = "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Player:
    def __init__(self, name=BUS):
        self.name = name
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, interface, method, arguments=None):
        reply = self.bus.call_sync(
            self.name, PATH, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 5000
        )
        return reply.unpack()

    def state(self):
        """The properties of the player, merged with the entries of its Metadata."""
        state = self.call(PROPERTIES, "GetAll", GLib.Variant("(s)", (PLAYER,)))[0]
        return state | state.get("Metadata", {})

    def wait(self, conditions, seconds):
        """Whether all conditions hold within the time limit."""
        loop = GLib.MainLoop()
        state = {}

        def check(*_):
            state.update(met=all(condition(self.state()) for condition in conditions))
            if state["met"]:
                loop.quit()

        self.bus.signal_subscribe(self.name, None, None, PATH, None, Gio.DBusSignalFlags.NONE, check)
        GLib.timeout_add(int(seconds * 1000), loop.quit)
        check()
        if not state["met"]:
            loop.run()
        return state["met"]


def text(value):
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def condition(spelling):
    parts = re.fullmatch(r"([\w:]+)(>=|<=|!=|=)(.*)", spelling)
    if not parts:
        sys.exit(f"invalid condition: {spelling}")
    key, operator, value = parts.groups()
    if operator == "=":
        return lambda state: text(state.get(key)) == value
    if operator == "!=":
        return lambda state: text(state.get(key)) != value
    if operator == ">=":
        return lambda state: key in state and state[key] >= float(value)
    return lambda state: key in state and state[key] <= float(value)


def main():
    command, words = sys.argv[1], sys.argv[2:]
    player = Player()
    if command == "get":
        state = player.state()
        for key in words:
            print(text(state.get(key, "")))
    elif command == "call":
        arguments = [GLib.Variant.parse(None, word, None, None) for word in words[1:]]
        player.call(PLAYER, words[0], GLib.Variant.new_tuple(*arguments))
    elif command == "wait":
        sys.exit(not player.wait([condition(word) for word in words], float(os.environ.get("LIMIT", "10"))))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
