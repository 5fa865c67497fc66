import ArgumentParser
import Logging
import Playback
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdService
import PlayerdSystem

/// `mpris-playerd [open] [ITEM…]`: plays, or forwards the items to the running instance.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Play files, folders, playlists and URLs.",
    discussion: """
      If an instance is running, it plays the items; a terminal then shows it, as “watch” does, unless --detach is given. \
      Without items, the daemon starts with the last session. The item “-” stands for those on standard input, one a line or separated by NUL.
      """)

  @OptionGroup var options: OpenOptions

  func run() async throws { try await options.run() }
}

/// The items and options of `open` and `play`.
struct OpenOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String] = []

  @Flag(help: "Append to the queue instead of replacing it.")
  var enqueue = false

  @Flag(help: "Insert after the current track instead of replacing the queue.")
  var next = false

  @Option(
    help: ArgumentHelp(
      "Play only the tracks with this word in their names, those of their folders, or their titles; may be repeated.",
      valueName: "word"))
  var find: [String] = []

  @Flag(
    name: [.customLong("paused"), .customLong("pause")], help: "Load the first item, but do not play it yet.")
  var paused = false

  @Option(
    help: ArgumentHelp("The start position in the first item: 90, 1:30 or 1:02:03.", valueName: "time"),
    transform: { try TimeArgument(parsing: $0) })
  var start: TimeArgument?

  @Flag(help: "Play in random order.")
  var shuffle = false

  @Option(help: ArgumentHelp("The loop mode: none, track or playlist.", valueName: "mode"))
  var loop: LoopArgument?

  @Option(
    help: ArgumentHelp("The volume in percent, 0 to 100.", valueName: "percent"),
    transform: { try VolumeArgument(parsing: $0) })
  var volume: VolumeArgument?

  @Option(
    name: [.customLong("rate"), .customLong("speed")], help: ArgumentHelp("The speed, 0.25 to 4.", valueName: "rate"),
    transform: { try SpeedArgument(parsing: $0) })
  var rate: SpeedArgument?

  @Option(
    help: ArgumentHelp(
      "The output as a GStreamer description, such as \"pulsesink device=…\" or \"fakesink sync=true\".",
      valueName: "description"))
  var audioSink: String?

  @Flag(help: "Start a separate instance, even if one is running.")
  var newInstance = false

  @Flag(help: "Do not restore the last session, and do not save this one.")
  var noSession = false

  @Flag(help: "Play in the background, without a screen; the command returns when playback has started.")
  var detach = false

  @Flag(help: .hidden)
  var detached = false

  @Flag(help: .hidden)
  var attached = false

  @Flag(help: "Exit at the end of the queue, with status 0, or 66 if nothing could be played.")
  var quitAtEnd = false

  @Option(
    help: ArgumentHelp(
      "The messages that are shown, of this level and more severe: debug, info, warning or error.", valueName: "level"))
  var logLevel: LogLevelArgument?

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup var verb: VerbOptions

  func validate() throws {
    if enqueue, next { throw ValidationError("--enqueue and --next cannot be combined") }
    if newInstance, verb.target.instance != nil {
      throw ValidationError("--new-instance and --instance cannot be combined")
    }
    if let volume, volume.sign != nil || !(0...100).contains(volume.volume.percent) {
      throw ValidationError("--volume \(volume.text) is not between 0 and 100 percent")
    }
    if find.contains("") { throw ValidationError("--find needs a word") }
    if items.isEmpty, let (option, command) = itemOption {
      throw ValidationError("\(option) needs an item" + (command.map { "; did you mean the command “\($0)”?" } ?? ""))
    }
    if let rate, rate.sign != nil || !SpeedArgument.range.contains(rate.rate) {
      throw ValidationError("--rate \(rate.text) is not between 0.25 and 4")
    }
  }

  /// The first given option that only concerns items, and the command for the queue that its name suggests; nil without one.
  private var itemOption: (option: String, command: String?)? {
    let options: [(option: String, command: String?, isGiven: Bool)] = [
      ("--enqueue", nil, enqueue), ("--next", "next", next), ("--paused", "pause", paused),
      ("--start", "seek", start != nil), ("--find", "find", !find.isEmpty),
    ]
    return options.first(where: \.isGiven).map { ($0.option, $0.command) }
  }

  /// The values of the arguments.
  var invocation: OpenInvocation {
    let request = OpenRequest(
      placement: next ? .next : enqueue ? .append : .replace, startsPaused: paused, start: start?.duration,
      shuffle: shuffle ? true : nil, loop: loop?.mode, volume: volume?.volume.level, rate: rate?.rate, find: find)
    return OpenInvocation(
      arguments: items, request: request, audioSink: audioSink, isSeparate: newInstance, hasSession: !noSession,
      detaches: detach, isDetached: detached, isAttached: attached, quitsAtEnd: quitAtEnd, logLevel: logLevel,
      configurationFile: files.config, target: verb.target, isQuiet: verb.quiet)
  }

  func run() async throws { try await invocation.run() }
}

/// The values of the arguments of `open` and `play`; the defaults describe a command without arguments.
struct OpenInvocation {
  var arguments: [String] = []
  /// The options of the request; its URIs follow from the arguments.
  var request = OpenRequest()
  var audioSink: String?
  var isSeparate = false
  var hasSession = true
  var detaches = false
  var isDetached = false
  /// Whether the process that started this one shows it on a terminal.
  var isAttached = false
  var quitsAtEnd = false
  var logLevel: LogLevelArgument?
  var configurationFile: String?
  /// The instance for the items; nil if a new one has to start.
  var target: InstanceOption?
  var isQuiet = false
  /// Whether the command lacks arguments: it continues the last session, or prints the state of the running instance.
  var isBare = false

  /// Plays the items: in the running instance, or in a new daemon in the foreground.
  func run() async throws {
    if detaches, arguments.contains("-") {
      Logger(label: Names.executable).error("--detach cannot read items from standard input")
      throw ExitStatus.usage
    }
    if detaches { return try DetachedStart.run(isQuiet: isQuiet, Logger(label: Names.executable)) }
    // Whether the running instance, which takes the items, is then shown on this terminal.
    var isWatched = false
    if isDetached || isAttached {
      DetachedStart.begin()
    } else if hasScreen {
      switch await ForegroundPlayer.run(isSeparate: isSeparate) {
      case .ended(let status): return try end(status)
      case .running: isWatched = !arguments.isEmpty && request.placement == .replace
      case .unavailable: break
      }
    }
    let settings = settings()
    let configuration = (try? settings.get())?.current ?? Configuration()
    let items = ItemArguments(arguments, playlistFolder: configuration.playlistFolder)
    let log = Logger(label: Names.executable)
    // “add a.flac” must not replace the queue with the file.
    if let mistake = items.unknownCommand {
      log.error("\(mistake.message)")
      throw ExitStatus.usage
    }
    items.logRejections(log)
    if items.uris.isEmpty, !items.rejections.isEmpty { throw items.status }
    var request = self.request
    request.uris = items.uris
    let commandLine = CommandLineRequest(
      request: request, rejectionCount: items.rejections.count, isQuiet: isQuiet, startOptions: startOptions,
      isBare: isBare)
    if let target, target.instance != nil {
      return try await target.withInstance { try await commandLine.send(to: $0) }
    }
    // The engine starts beside the connection to the bus, which may yet show that another instance plays the items.
    let current = try? settings.get().current
    let media = ProcessFramework(
      sandbox: current?.sandbox, preparing: request.uris.isEmpty || isWatched ? nil : current?.player)
    let daemon = Daemon(
      settings: settings, isSeparate: isSeparate, keepsSession: hasSession && !isSeparate && !quitsAtEnd,
      quitsAtEnd: quitsAtEnd, isDetached: isDetached, isAttached: isAttached, media: media)
    var forwarded: ExitStatus?
    let status = try await daemon.run(commandLine) { connection, name in
      do {
        try await commandLine.forward(to: name, over: connection, log)
        forwarded = .success
      } catch let status as ExitStatus where status == .failure {
        forwarded = status
      }
    }
    if isWatched, let forwarded {
      await ForegroundPlayer.watch(
        notice: forwarded == .success ? nil : "some items are not played; the messages are shown after q")
    }
    try end(forwarded ?? status)
  }

  private func end(_ status: ExitStatus) throws { if status != .success { throw status } }

  /// Whether this terminal shows the player.
  private var hasScreen: Bool {
    !isQuiet && target?.instance == nil && !arguments.contains("-") && Terminal.isPresent && Terminal.isForeground
  }

  private func settings() -> Result<Settings, ConfigurationError> {
    let (file, options) = (configurationFile, configured)
    @Sendable func load() throws(ConfigurationError) -> ConfigurationSources {
      var sources = try ConfigurationSources.load(file: file)
      try sources.add(options: options)
      return sources
    }
    return Result { () throws(ConfigurationError) in
      let sources = try load()
      LogThreshold.shared.level = sources.configuration.logLevel.level
      return Settings(sources, load: load)
    }
  }

  /// The given options that only take effect when a daemon starts.
  var startOptions: [String] {
    let options: [(String, isGiven: Bool)] = [
      ("--quit-at-end", quitsAtEnd), ("--audio-sink", audioSink != nil), ("--no-session", !hasSession),
      ("--config", configurationFile != nil), ("--log-level", logLevel != nil),
    ]
    return options.filter(\.isGiven).map(\.0)
  }

  /// The values of the options that have a configuration key of the same name.
  private var configured: [String: ConfigurationValue] {
    var options: [String: ConfigurationValue] = [:]
    options["volume"] = request.volume.map(VolumePercent.value)
    options["rate"] = request.rate.map { .number($0) }
    options["loop"] = request.loop.map { .text($0.rawValue) }
    options["shuffle"] = request.shuffle.map { .boolean($0) }
    options["audio-sink"] = audioSink.map { .text($0) }
    options["log-level"] = logLevel.map { .text($0.rawValue) }
    return options
  }
}

extension OpenInvocation {
  /// Reads the command lines that start most daemons without ArgumentParser; nil for any other.
  ///
  /// They are the empty command line, `--quiet`, which the message bus and systemd use, and items without options whose first
  /// item cannot be a command.
  /// The daemon owns its name 3 ms earlier then: ArgumentParser searches all protocol conformances of the program for each
  /// new type of an option.
  init?(unparsed arguments: [String]) {
    self.init()
    if arguments.isEmpty {
      isBare = true
    } else if arguments == ["--quiet"] {
      isQuiet = true
    } else {
      let isPath = arguments.first.map { $0.contains("/") || $0.contains(".") } ?? false
      guard isPath, !arguments.contains(where: { $0.hasPrefix("-") }) else { return nil }
      self.arguments = arguments
    }
  }
}
