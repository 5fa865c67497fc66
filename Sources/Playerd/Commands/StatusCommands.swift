import ArgumentParser
import DBus
import EventLoop
import Glibc
import Logging

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the current track and the state of the player.",
    discussion: "The exit status is 69 if no instance is running; the command does not start one.", aliases: ["current"]
  )

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Print a template in playerctl's syntax, such as “{{artist}} – {{title}} {{duration(position)}}”.",
      valueName: "template"),
    transform: StatusTemplate.init)
  var format: StatusTemplate?

  @OptionGroup var target: InstanceOption

  func run() async throws {
    let status = try await target.withInstance { try await $0.status() }
    let text = format.map { $0.text(status.templateValues).withoutControls } ?? (json ? status.json : status.text)
    _ = StandardOutput.write(text + "\n")
  }

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format cannot be combined") }
  }
}

/// `mpris-playerd watch`: live events of playback.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show playback live: one line that is updated on a terminal, else a line for each event.",
    discussion: """
      If no daemon is running, the command waits for one. Ctrl-C ends it. The command of --exec gets PLAYERD_EVENT, \
      PLAYERD_TRACK, PLAYERD_URI, PLAYERD_TITLE and PLAYERD_POSITION (seconds) in its environment. One command runs at \
      a time, for 30 s at most, and none continues after “watch”.
      """)

  @Flag(help: "Print one JSON object for each event.")
  var json = false

  @Option(
    help: ArgumentHelp("Report the position at this interval of playback time, in seconds.", valueName: "seconds"))
  var every: Double?

  @Option(
    help: ArgumentHelp(
      "Report when playback reaches this position of a track: 1:30 or 50%; may be repeated.", valueName: "position"))
  var at: [PlaceArgument] = []

  @Option(help: ArgumentHelp("Run this shell command when playback reaches an --at position.", valueName: "command"))
  var exec: String?

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if let every, !(0.01...1e9).contains(every) {
      throw ValidationError("--every \(every) is not between 0.01 and 1e9")
    }
    if exec != nil, at.isEmpty { throw ValidationError("--exec requires --at") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    // Trapped before the first output: a signal after it ends the command with status 0, and the command of --exec.
    let signals = await ProcessSignals.trap(SIGINT, SIGTERM, SIGHUP, SIGQUIT)
    let loop = PollLoop(name: "watch")
    defer { loop.stop() }
    let connection = try await DBusConnection.openSessionBus(on: loop, log)
    var instance = InstanceName.main
    if let name = target.instance { instance = try await RunningInstance.find(name, on: connection, log).name }
    let isLive = !json && StandardOutput.isTerminal
    let feed = WatchFeed(
      connection: connection, instance: instance, interval: every.map { .seconds($0) } ?? (isLive ? .seconds(1) : nil),
      places: at)
    let display: any WatchDisplay = isLive ? WatchScreen() : WatchLines(isJSON: json)
    let commands = exec.map { ShellCommands($0, log: log) }
    let action = commands.map { WatchAction($0) }

    let status = await withTaskGroup(of: ExitCode?.self) { group in
      group.addTask(executorPreference: connection.taskExecutor) {
        for await _ in signals { return .success }
        return nil
      }
      group.addTask(executorPreference: connection.taskExecutor) {
        await Self.follow(feed, display, isLive, action, log)
      }
      group.addTask(executorPreference: connection.taskExecutor) {
        await connection.closed()
        if !Task.isCancelled { log.error("lost the connection to the session bus") }
        return ExitStatus.unavailable
      }
      for await result in group {
        guard let result else { continue }
        group.cancelAll()
        return result
      }
      return ExitStatus.internalError
    }
    await commands?.close()
    // Ends the live line.
    if isLive { _ = StandardOutput.write("\n") }
    if status != .success { throw status }
  }

  private static func follow(
    _ feed: WatchFeed, _ display: any WatchDisplay, _ isLive: Bool, _ action: WatchAction?, _ log: Logger
  ) async -> ExitCode? {
    do {
      var (display, action, isRead) = (display, action, true)
      try await feed.run { update in
        if case .absent = update, !isLive { log.notice("waiting for a daemon") }
        isRead = display.show(update)
        if case .records(let records, let player) = update { action?.perform(for: records, player) }
        return isRead
      }
      // Without a reader the command ends; the loss of the bus is handled by the task that waits for it.
      return isRead ? nil : .success
    } catch {
      log.error("cannot watch the daemon: \(error.message)")
      return ExitStatus.unavailable
    }
  }
}
