"""A mock of bluetoothd for mpris-proxy: one adapter with Media1, and the buttons of a headset.

Prints one line per value that a headset receives, and `wrong type` for a value at which bluetoothd stops reading a
message. The buttons are methods of headset.Buttons at /headset: Press(name), Set(property, value).
"""

from gi.repository import Gio, GLib

INTERFACES = """<node>
<interface name="org.freedesktop.DBus.ObjectManager">
  <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
</interface>
<interface name="org.bluez.Media1">
  <method name="RegisterPlayer"><arg type="o" direction="in"/><arg type="a{sv}" direction="in"/></method>
  <method name="UnregisterPlayer"><arg type="o" direction="in"/></method>
</interface>
<interface name="headset.Buttons">
  <method name="Press"><arg type="s" direction="in"/></method>
  <method name="Set"><arg type="s" direction="in"/><arg type="v" direction="in"/></method>
</interface>
</node>"""

ADAPTER = "/org/bluez/hci0"
PLAYER = "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"

# The types that bluetoothd's profiles/audio/media.c reads.
TYPES = {
    "PlaybackStatus": "s", "LoopStatus": "s", "Shuffle": "b", "Position": "x", "Metadata": "a{sv}", "CanPlay": "b",
    "CanPause": "b", "CanGoNext": "b", "CanGoPrevious": "b", "CanControl": "b", "Identity": "s", "xesam:title": "s",
    "xesam:artist": "as", "xesam:album": "s", "xesam:genre": "as", "mpris:length": "x", "xesam:trackNumber": "i",
}  # fmt: skip

bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
player = None


def report(*words):
    print(*words, flush=True)


def show(what, dictionary):
    for index in range(dictionary.n_children()):
        entry = dictionary.get_child_value(index)
        key, value = entry.get_child_value(0).get_string(), entry.get_child_value(1).get_variant()
        if value.get_type_string() != TYPES.get(key, value.get_type_string()):
            report("wrong type", value.get_type_string(), "of", key)
        if key == "Metadata":
            show(what, value)
        else:
            report(what, key, value.print_(False))


def changed(_bus, _sender, _path, _interface, _signal, arguments):
    show("changed", arguments.get_child_value(1))


def seeked(_bus, _sender, _path, _interface, _signal, arguments):
    report("seeked", *arguments.unpack())


def call(interface, method, arguments):
    """Calls the registered player as bluetoothd does for a button."""
    name, path = player
    # Without a time limit: mpris-proxy does not forward replies without arguments.
    bus.call(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, GLib.MAXINT, None, answered, method)


def answered(_bus, result, method):
    try:
        bus.call_finish(result)
    except GLib.Error as error:
        report("refused", method, error.message)


def handle(_bus, sender, _path, _interface, method, arguments, invocation):
    global player
    reply = None
    if method == "GetManagedObjects":
        reply = GLib.Variant("(a{oa{sa{sv}}})", ({ADAPTER: {"org.bluez.Media1": {}, "org.bluez.Adapter1": {}}},))
    elif method == "RegisterPlayer":
        player = (sender, arguments.get_child_value(0).get_string())
        bus.signal_subscribe(sender, PROPERTIES, None, player[1], None, Gio.DBusSignalFlags.NONE, changed)
        bus.signal_subscribe(sender, PLAYER, "Seeked", player[1], None, Gio.DBusSignalFlags.NONE, seeked)
        show("registered", arguments.get_child_value(1))
        report("registered")
    elif method == "UnregisterPlayer":
        report("unregistered")
    elif method == "Press":
        call(PLAYER, arguments.unpack()[0], None)
    elif method == "Set":
        property, value = (arguments.get_child_value(index) for index in range(2))
        call(PROPERTIES, "Set", GLib.Variant("(ssv)", (PLAYER, property.get_string(), value.get_variant())))
    invocation.return_value(reply)


manager, media, buttons = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
bus.register_object("/", manager, handle, None, None)
bus.register_object(ADAPTER, media, handle, None, None)
bus.register_object("/headset", buttons, handle, None, None)
Gio.bus_own_name_on_connection(bus, "org.bluez", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
