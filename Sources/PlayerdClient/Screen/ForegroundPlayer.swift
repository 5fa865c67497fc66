import DBus
import EventLoop
import Glibc
import Logging
import PlayerdInterfaces
package import PlayerdSystem

/// Runs the daemon in a child process, and shows it on the terminal.
package enum ForegroundPlayer {
  /// Returns the exit status of the daemon, or success if playback continues without this process.
  ///
  /// - Returns: nil if the daemon has to run in this process: without a bus or a usable terminal, or if an instance is
  ///   running, which takes the items.
  package static func run(isSeparate: Bool) async -> ExitStatus? {
    guard let terminal = Terminal() else { return nil }
    let log = Logger(label: Names.executable)
    let loop = PollLoop(name: "screen")
    defer { loop.stop() }
    guard let connection = try? await DBusConnection.openSessionBus(on: loop), let own = try? PlayerdName.own(.main)
    else {
      return nil
    }
    if !isSeparate, await connection.owner(of: own) != nil { return nil }
    let signals = await ProcessSignals.trap([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT])
    guard let child = ForegroundChild() else {
      log.error("cannot start the daemon")
      return ExitStatus.internalError
    }
    let feed = WatchFeed(
      connection: connection, instance: isSeparate ? .process(child.processID) : .main, interval: nil, places: [])
    var session = ScreenSession(terminal, feed, on: loop, child: child, log: log)
    switch await session.run(until: signals) {
    case .ended: return child.exitStatus()
    case .left, .failed:
      StandardOutput.report(
        """
        the player continues in the background: “\(Names.executable) watch” shows it, “\(Names.executable) quit” ends it

        """)
      return .success
    }
  }
}
