import ArgumentParser
import DBus
import EventLoop
import Logging
import UnixSignals

/// `mpris-playerd watch`: what plays, live.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what plays: a live line on a terminal, a line for each event elsewhere.",
    discussion: """
      It waits for a daemon that is not there, and ends with Ctrl-C. The command of --exec gets PLAYERD_EVENT, \
      PLAYERD_TRACK, PLAYERD_URI, PLAYERD_TITLE and PLAYERD_POSITION (seconds) in its environment.
      """)

  @Flag(help: "One JSON object for each event.")
  var json = false

  @Option(help: ArgumentHelp("Tell the position every so many seconds of play.", valueName: "seconds"))
  var every: Double?

  @Option(
    help: ArgumentHelp(
      "Tell when play comes through this place of a track: 1:30 or 50%; may be given again.", valueName: "place"))
  var at: [PlaceArgument] = []

  @Option(help: ArgumentHelp("Run this by the shell for each --at that is come through.", valueName: "command"))
  var exec: String?

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if let every, !(0.01...1e9).contains(every) { throw ValidationError("--every \(every) is not 0.01 or more") }
    if exec != nil, at.isEmpty { throw ValidationError("--exec wants an --at") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    // Before anything is shown: whoever has seen a line may end it in order.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let loop = EventLoop(name: "watch")
    defer { loop.stop() }
    let connection = try await SessionBus.connect(on: loop, log)
    var instance = InstanceName.main
    if let name = target.instance { instance = try await RunningInstance.find(name, on: connection, log).name }
    let isLive = !json && StandardOutput.isTerminal
    let feed = WatchFeed(
      connection: connection, instance: instance, interval: every.map { .seconds($0) } ?? (isLive ? .seconds(1) : nil),
      places: at)
    let display: any WatchDisplay = isLive ? WatchScreen() : WatchLines(isJSON: json)
    let action = exec.map { WatchAction($0, log: log) }

    let status = await withTaskGroup(of: ExitCode?.self) { group in
      group.addTask(executorPreference: connection.taskExecutor) {
        for await _ in signals { return .success }
        return nil
      }
      group.addTask(executorPreference: connection.taskExecutor) {
        await Self.follow(feed, display, action, log)
      }
      group.addTask(executorPreference: connection.taskExecutor) {
        await connection.closed()
        if !Task.isCancelled { log.error("the session bus is gone") }
        return ExitStatus.unavailable
      }
      for await result in group {
        guard let result else { continue }
        group.cancelAll()
        return result
      }
      return ExitStatus.internalError
    }
    display.end()
    if status != .success { throw status }
  }

  private static func follow(
    _ feed: WatchFeed, _ display: any WatchDisplay, _ action: WatchAction?, _ log: Logger
  ) async -> ExitCode? {
    do {
      var isRead = true
      try await feed.run { update in
        if case .absent = update, !display.isLive { log.notice("waiting for a daemon to come") }
        isRead = display.show(update)
        if case .records(let records, let player) = update { action?.perform(for: records, player) }
        return isRead
      }
      // Without a reader there is nothing left to do; without a bus, its own watcher says so.
      return isRead ? nil : .success
    } catch {
      log.error("the daemon cannot be watched: \(error.message)")
      return ExitStatus.unavailable
    }
  }
}
