"""A mock of GDM on the system bus: GNOME Shell locks the screen only if GDM runs."""

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.gnome.DisplayManager.Manager"><property name="Version" type="s" access="read"/></interface></node>
"""

bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
manager = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
bus.register_object("/org/gnome/DisplayManager/Manager", manager, None, lambda *_: GLib.Variant("s", "43.0"), None)
Gio.bus_own_name_on_connection(bus, "org.gnome.DisplayManager", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
