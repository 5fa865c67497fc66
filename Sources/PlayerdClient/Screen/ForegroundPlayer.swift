import DBus
import EventLoop
import Glibc
import Logging
import PlayerdInterfaces
package import PlayerdSystem

/// Runs the daemon in a child process, or leaves it to the running one, and shows it on the terminal.
package enum ForegroundPlayer {
  /// The result of a start.
  package enum Start {
    /// The exit status of the daemon, or success if playback continues without this process.
    case ended(ExitStatus)
    /// Nothing was started: an instance is running.
    case running
    /// Nothing was started: there is no bus or no usable terminal, and the daemon has to run in this process.
    case unavailable
  }

  /// Starts the daemon, and returns when it has ended or the user has left.
  package static func run(isSeparate: Bool) async -> Start {
    guard let terminal = Terminal() else { return .unavailable }
    let log = Logger(label: Names.executable)
    let loop = PollLoop(name: "screen")
    defer { loop.stop() }
    guard let connection = try? await DBusConnection.openSessionBus(on: loop), let own = try? PlayerdName.own(.main)
    else {
      return .unavailable
    }
    if !isSeparate, await connection.owner(of: own) != nil { return .running }
    let signals = await ProcessSignals.trap(ScreenSession.signals)
    guard let child = ForegroundChild() else {
      log.error("cannot start the daemon")
      return .ended(ExitStatus.internalError)
    }
    let feed = WatchFeed(
      connection: connection, instance: isSeparate ? .process(child.processID) : .main, interval: nil, places: [])
    var session = ScreenSession(terminal, feed, on: loop, child: child, log: log)
    switch await session.run(until: signals) {
    case .ended: return .ended(child.exitStatus())
    case .left, .failed:
      StandardOutput.report(
        """
        the player continues in the background: “\(Names.executable) watch” shows it, “\(Names.executable) quit” ends it

        """)
      return .ended(.success)
    }
  }

  /// Shows the running instance, as `watch` does, until the user leaves; a notice is shown until the first key.
  package static func watch(notice: String?) async {
    guard let terminal = Terminal() else { return }
    let loop = PollLoop(name: "screen")
    defer { loop.stop() }
    guard let connection = try? await DBusConnection.openSessionBus(on: loop) else { return }
    let signals = await ProcessSignals.trap(ScreenSession.signals)
    let feed = WatchFeed(connection: connection, instance: .main, interval: nil, places: [])
    var session = ScreenSession(
      terminal, feed, on: loop, notice: notice, log: Logger(label: Names.executable))
    _ = await session.run(until: signals)
  }
}
