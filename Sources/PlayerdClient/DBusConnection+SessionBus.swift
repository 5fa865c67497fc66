package import DBus
package import EventLoop
package import Logging
package import PlayerdSystem

extension DBusConnection {
  /// The remedy for a machine without a session bus.
  package static let noBusRemedy =
    "log in, run “sudo loginctl enable-linger USER” to have one without a login, or start one with dbus-run-session"

  /// Connects to the session bus.
  ///
  /// - Throws: Exit status 69 without a bus; the reason has been logged.
  package static func openSessionBus(on loop: PollLoop, _ log: Logger? = nil) async throws(ExitStatus) -> DBusConnection
  {
    guard let address = sessionBusAddress() else {
      log?.error("no session bus found; \(noBusRemedy)")
      throw ExitStatus.unavailable
    }
    do {
      return try await open(address: address, on: loop)
    } catch {
      log?.error("cannot connect to the session bus: \(error.message)")
      throw ExitStatus.unavailable
    }
  }
}
