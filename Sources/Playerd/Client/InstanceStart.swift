import DBus
import Logging

/// Starts the main instance for a command that continues the last session.
enum InstanceStart {
  /// Starts the instance with the queue of the last session, unless it runs or there is no such queue.
  ///
  /// The message bus starts it as for the call of a client; without D-Bus activation, it is started in the background.
  ///
  /// - Returns: Whether it was started.
  /// - Throws: The exit status of the instance, or 69 if the bus cannot start it; the reason has been logged.
  static func run(on connection: DBusConnection, _ log: Logger) async throws -> Bool {
    let name = try Names.own(.main)
    guard await connection.owner(of: name) == nil, SessionStore.user?.hasQueue == true else { return false }
    if try await connection.activatableNames().contains(name.rawValue) {
      // https://dbus.freedesktop.org/doc/dbus-specification.html#bus-messages-start-service-by-name
      _ = try await connection.call(
        on: .bus, at: .bus, of: .bus, "StartServiceByName", [.string(name.rawValue), .uint32(0)])
    } else {
      try DetachedStart.run(arguments: [Names.executable, "--detached"], isQuiet: true, log)
    }
    return true
  }
}
