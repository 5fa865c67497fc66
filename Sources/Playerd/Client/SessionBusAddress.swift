import ArgumentParser
import DBus
import EventLoop
import Logging

/// The session bus, for the commands that need it.
enum SessionBusAddress {
  static func connect(on loop: PollLoop, _ log: Logger) async throws(ExitCode) -> DBusConnection {
    guard let address = DBusConnection.sessionBusAddress() else {
      log.error("no session bus found; log in to a desktop, or start one with dbus-run-session")
      throw ExitStatus.unavailable
    }
    do {
      return try await DBusConnection.open(address: address, on: loop)
    } catch {
      log.error("cannot connect to the session bus: \(error.message)")
      throw ExitStatus.unavailable
    }
  }
}
