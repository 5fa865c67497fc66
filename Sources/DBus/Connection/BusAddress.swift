import CDBus
import Glibc

extension DBusConnection {
  /// Returns the address of the session bus; nil if there is none, because this library never launches a bus.
  ///
  /// The address is `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR` if it exists. Without this
  /// variable, as in cron, the folder is `/run/user/UID`, where systemd has it. If `environment` is nil, the variables of
  /// the process apply.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-types-login>
  public static func sessionBusAddress(environment: [String: String]? = nil) -> String? {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS", environment), !address.hasPrefix("autolaunch:") {
      return address
    }
    let socket = (variable("XDG_RUNTIME_DIR", environment) ?? "/run/user/\(getuid())") + "/bus"
    guard unsafe access(socket, F_OK) == 0, let escaped = unsafe dbus_address_escape_value(socket) else { return nil }
    defer { unsafe dbus_free(escaped) }
    return unsafe "unix:path=" + String(cString: escaped)
  }

  /// Returns the address of the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket.
  ///
  /// If `environment` is nil, the variables of the process apply.
  /// <https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-types-system>
  public static func systemBusAddress(environment: [String: String]? = nil) -> String {
    variable("DBUS_SYSTEM_BUS_ADDRESS", environment) ?? "unix:path=/var/run/dbus/system_bus_socket"
  }

  private static func variable(_ name: String, _ environment: [String: String]?) -> String? {
    let value =
      if let environment { environment[name] } else { unsafe getenv(name).map { unsafe String(cString: $0) } }
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }
}
