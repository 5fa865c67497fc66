import ArgumentParser
import DBus
import EventLoop
import Glibc
import Logging
import MPRISService
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the current track and the state of the player.",
    discussion: """
      On a terminal, the output has styles and a progress bar; colours are left out if NO_COLOR is set. The exit status is \
      69 if no instance is running; the command does not start one.

      The fields of --format are \(StatusTemplate.fieldNames.joined(separator: ", ")). Its functions are \
      \(StatusTemplate.functions.joined(separator: ", ")).
      """, aliases: ["current"]
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
    try await target.withInstance { instance in
      let status = try await instance.status()
      guard let format else {
        guard !json else {
          _ = StandardOutput.write(status.json + "\n")
          return
        }
        status.write()
        return await instance.warnOfUpgrade()
      }
      let metadata = try await instance.player.get(PlayerInterface.metadata)
      _ = StandardOutput.write(format.text(status.templateValues(metadata)).withoutControls + "\n")
    }
  }

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format cannot be combined") }
  }
}

/// `mpris-playerd watch`: live events of playback.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show playback live: on a terminal as a screen with keys for the player; else a line for each event.",
    discussion: """
      If no daemon is running, the command waits for one. Ctrl-C ends it; on a terminal, the key “?” lists the keys, and “q” closes the view, \
      while the player continues. With --plain, a terminal gets lines too, and has the same keys: “t” prints the track and the time. \
      “status --help” lists the fields of --format. The command of --exec gets PLAYERD_EVENT, PLAYERD_TRACK, PLAYERD_URI, PLAYERD_TITLE and PLAYERD_POSITION (seconds) in its environment. One command runs at \
      a time, for 30 s at most, and none continues after “watch”.
      """)

  @Flag(help: "Print one JSON object for each event.")
  var json = false

  @Flag(help: "Print a line for each event on a terminal too, for screen readers; the keys work.")
  var plain = false

  @Option(
    help: ArgumentHelp(
      "Print a template in playerctl's syntax when its text changes: an empty line without a track or a player.",
      valueName: "template"),
    transform: StatusTemplate.init)
  var format: StatusTemplate?

  @Option(
    help: ArgumentHelp("Report the position at this interval of playback time, in seconds.", valueName: "seconds"))
  var every: Double?

  @Option(
    help: ArgumentHelp(
      "Report when playback reaches this position of a track: 1:30 or 50%; may be repeated.", valueName: "position"),
    transform: { try PlaceArgument(parsing: $0) })
  var at: [PlaceArgument] = []

  @Option(help: ArgumentHelp("Run this shell command when playback reaches an --at position.", valueName: "command"))
  var exec: String?

  @OptionGroup var target: InstanceOption

  func validate() throws {
    if let every, !(0.01...1e9).contains(every) {
      throw ValidationError("--every is a number of seconds from 0.01 to a billion")
    }
    let forms = [(json, "--json"), (format != nil, "--format"), (plain, "--plain")].filter(\.0).map(\.1)
    if forms.count > 1 { throw ValidationError("\(forms[0]) and \(forms[1]) cannot be combined") }
    if exec != nil, at.isEmpty { throw ValidationError("--exec requires --at") }
  }

  func run() async throws {
    let log = Logger(label: Names.executable)
    // A terminal that cannot move the cursor is plain too.
    let terminal = json || format != nil ? nil : (plain ? nil : Terminal()) ?? Terminal(isPlain: true)
    // Trapped before the first output: a signal after it ends the command with status 0, and the command of --exec.
    let signals = await ProcessSignals.trap(terminal == nil ? Self.signals : ScreenSession.signals)
    let loop = PollLoop(name: "watch")
    defer { loop.stop() }
    let connection = try await DBusConnection.openSessionBus(on: loop, log)
    var instance = InstanceName.main
    if let name = target.instance { instance = try await RunningInstance.find(name, on: connection, log).name }
    let feed = WatchFeed(
      connection: connection, instance: instance,
      interval: every.map { .seconds($0) } ?? (format?.contains("position") == true ? .seconds(1) : nil), places: at)
    let commands = exec == nil ? nil : CommandRuns(log: log)
    let action = commands.flatMap { commands in exec.map { WatchAction($0, commands) } }
    let status: ExitStatus
    if let terminal {
      var session = ScreenSession(terminal, feed, on: loop, action: action, log: log)
      status = await session.run(until: signals) == .failed ? ExitStatus.unavailable : .success
    } else {
      let template = format.map { WatchTemplate($0, feed) }
      let display: any WatchDisplay = template ?? (json ? WatchObjects() : WatchLines() as any WatchDisplay)
      status = await feed.run(until: signals, log) { await Self.follow(feed, display, action, log) }
    }
    await commands?.close()
    if status != .success { throw status }
  }

  /// The signals that end the command.
  static let signals: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private static func follow(
    _ feed: WatchFeed, _ display: any WatchDisplay, _ action: WatchAction?, _ log: Logger
  ) async -> ExitStatus? {
    var (display, action) = (display, action)
    return await feed.run(log) { update in
      if case .absent = update { log.notice("waiting for a daemon") }
      let isRead = await display.show(update)
      if case .records(let records, let player) = update { action?.perform(for: records, player) }
      return isRead
    }
  }
}
