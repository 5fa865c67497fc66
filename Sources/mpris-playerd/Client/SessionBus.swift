import ArgumentParser
import DBus
import EventLoop
import Logging

/// The session bus, for the commands that do nothing without it.
enum SessionBus {
  static func connect(on loop: EventLoop, _ log: Logger) async throws(ExitCode) -> Connection {
    guard let address = Connection.sessionBusAddress() else {
      log.error("there is no session bus")
      throw ExitStatus.unavailable
    }
    do {
      return try await Connection.open(address: address, on: loop)
    } catch {
      log.error("the session bus cannot be reached: \(error.message)")
      throw ExitStatus.unavailable
    }
  }
}
