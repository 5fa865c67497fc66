import ArgumentParser
import Logging

/// The items and options of `open` and `play`.
struct OpenOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Files, folders, playlists and URLs.", valueName: "item"), completion: .file())
  var items: [String] = []

  @Flag(help: "Append to the queue instead of replacing it.")
  var enqueue = false

  @Flag(help: "Insert after the current track instead of replacing the queue.")
  var next = false

  @Flag(help: "Load the first item, but do not play it yet.")
  var paused = false

  @Option(help: ArgumentHelp("The start position in the first item: 90, 1:30 or 1:02:03.", valueName: "time"))
  var start: TimeArgument?

  @Flag(help: "Play in random order.")
  var shuffle = false

  @Option(help: ArgumentHelp("The loop mode: none, track or playlist.", valueName: "mode"))
  var loop: LoopArgument?

  @Option(help: ArgumentHelp("The volume, 0 to 1, on the scale of volume sliders.", valueName: "volume"))
  var volume: Double?

  @Option(help: ArgumentHelp("The speed, 0.25 to 4.", valueName: "rate"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "The output as a GStreamer description, such as \"pulsesink device=…\" or \"fakesink sync=true\".",
      valueName: "description"))
  var audioSink: String?

  @Flag(help: "Start a separate instance, even if one is running.")
  var newInstance = false

  @Flag(help: "Do not restore the last session, and do not save this one.")
  var noSession = false

  @Flag(help: "Run in the background; the command returns when playback has started.")
  var detach = false

  @Flag(help: .hidden)
  var detached = false

  @Flag(help: "Exit at the end of the queue, with status 0, or 66 if nothing could be played.")
  var quitAtEnd = false

  @Option(help: ArgumentHelp("The lowest log level shown: debug, info, warning or error.", valueName: "level"))
  var logLevel: LogLevelArgument?

  @OptionGroup var files: ConfigurationOptions

  @OptionGroup var verb: VerbOptions

  func validate() throws {
    if enqueue, next { throw ValidationError("--enqueue and --next cannot be combined") }
    if newInstance, verb.target.instance != nil {
      throw ValidationError("--new-instance and --instance cannot be combined")
    }
    if let volume, !(0...1).contains(volume) { throw ValidationError("--volume \(volume) is not between 0 and 1") }
    if let rate, !(0.25...4).contains(rate) { throw ValidationError("--rate \(rate) is not between 0.25 and 4") }
  }

  /// Plays the items: in the running instance, or in a new daemon in the foreground.
  func run() async throws {
    if detach { return try DetachedStart.run(isQuiet: verb.quiet, Logger(label: Names.executable)) }
    if detached { DetachedStart.begin() }
    let settings = settings()
    let configuration = (try? settings.get())?.current ?? Configuration()
    let items = ItemArguments(items, playlistFolder: configuration.playlistFolder)
    let log = Logger(label: Names.executable)
    func reportRejections() { for rejection in items.rejections { log.error("\(rejection.message)") } }
    if items.uris.isEmpty, !items.rejections.isEmpty {
      reportRejections()
      throw items.status
    }
    let request = OpenRequest(
      uris: items.uris, placement: next ? .next : enqueue ? .append : .replace, startsPaused: paused,
      start: start?.duration, shuffle: shuffle ? true : nil, loop: loop?.mode, volume: volume, rate: rate)
    let forwarder = ItemForwarder(
      request: request, rejectionCount: items.rejections.count, isQuiet: verb.quiet, startOptions: startOptions)
    func forward(_ instance: RunningInstance) async throws {
      reportRejections()
      try await forwarder.send(to: instance)
    }
    guard verb.target.instance == nil else { return try await verb.target.withInstance(forward) }
    // A program without a media framework first checks whether an instance is running.
    if DaemonProgram.media == nil, !newInstance,
      try await verb.target.withInstanceIfRunning(forward) != nil
    {
      return
    }
    let media = try DaemonProgram.requireMedia()
    reportRejections()
    let daemon = Daemon(
      media: media, settings: settings, isSeparate: newInstance, keepsSession: !noSession && !newInstance && !quitAtEnd,
      quitsAtEnd: quitAtEnd, isDetached: detached)
    let status = try await daemon.run(forwarder)
    if status != .success { throw status }
  }

  private func settings() -> Result<Settings, ConfigurationError> {
    let (file, options) = (files.config, configured)
    @Sendable func load() throws(ConfigurationError) -> ConfigurationSources {
      var sources = try ConfigurationOptions.load(file: file)
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
  private var startOptions: [String] {
    let options: [(String, isGiven: Bool)] = [
      ("--quit-at-end", quitAtEnd), ("--audio-sink", audioSink != nil), ("--no-session", noSession),
      ("--config", files.config != nil), ("--log-level", logLevel != nil),
    ]
    return options.filter(\.isGiven).map(\.0)
  }

  /// The values of the options that have a configuration key of the same name.
  private var configured: [String: ConfigurationValue] {
    var options: [String: ConfigurationValue] = [:]
    options["volume"] = volume.map { .number($0) }
    options["rate"] = rate.map { .number($0) }
    options["loop"] = loop.map { .text($0.rawValue) }
    options["shuffle"] = shuffle ? .boolean(true) : nil
    options["audio-sink"] = audioSink.map { .text($0) }
    options["log-level"] = logLevel.map { .text($0.rawValue) }
    return options
  }
}
