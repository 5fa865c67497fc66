import ArgumentParser
import Logging
import Playback

/// The values of the arguments of `open` and `play`; those of a command without arguments by default.
struct OpenInvocation {
  var arguments: [String] = []
  /// The options of the request; its URIs follow from the arguments.
  var request = OpenRequest()
  var audioSink: String?
  var isSeparate = false
  var hasSession = true
  var detaches = false
  var isDetached = false
  var quitsAtEnd = false
  var logLevel: LogLevelArgument?
  var configurationFile: String?
  /// The instance for the items; nil if a new one has to start.
  var target: InstanceOption?
  var isQuiet = false

  /// Plays the items: in the running instance, or in a new daemon in the foreground.
  func run() async throws {
    if detaches { return try DetachedStart.run(isQuiet: isQuiet, Logger(label: Names.executable)) }
    if isDetached { DetachedStart.begin() }
    let settings = settings()
    let configuration = (try? settings.get())?.current ?? Configuration()
    let items = ItemArguments(arguments, playlistFolder: configuration.playlistFolder)
    let log = Logger(label: Names.executable)
    func reportRejections() { for rejection in items.rejections { log.error("\(rejection.message)") } }
    // “add a.flac” must not replace the queue with the file.
    if let mistake = items.unknownCommand {
      log.error("\(mistake.message)")
      throw ExitStatus.usage
    }
    if items.uris.isEmpty, !items.rejections.isEmpty {
      reportRejections()
      throw items.status
    }
    var request = self.request
    request.uris = items.uris
    let forwarder = ItemForwarder(
      request: request, rejectionCount: items.rejections.count, isQuiet: isQuiet, startOptions: startOptions)
    func forward(_ instance: RunningInstance) async throws {
      reportRejections()
      try await forwarder.send(to: instance)
    }
    if let target, target.instance != nil { return try await target.withInstance(forward) }
    // A program without a media framework first checks whether an instance is running.
    if DaemonProgram.media == nil, !isSeparate, let target, try await target.withInstanceIfRunning(forward) != nil {
      return
    }
    let media = try DaemonProgram.requireMedia()
    reportRejections()
    let daemon = Daemon(
      media: media, settings: settings, isSeparate: isSeparate, keepsSession: hasSession && !isSeparate && !quitsAtEnd,
      quitsAtEnd: quitsAtEnd, isDetached: isDetached)
    let status = try await daemon.run(forwarder)
    if status != .success { throw status }
  }

  private func settings() -> Result<Settings, ConfigurationError> {
    let (file, options) = (configurationFile, configured)
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
      ("--quit-at-end", quitsAtEnd), ("--audio-sink", audioSink != nil), ("--no-session", !hasSession),
      ("--config", configurationFile != nil), ("--log-level", logLevel != nil),
    ]
    return options.filter(\.isGiven).map(\.0)
  }

  /// The values of the options that have a configuration key of the same name.
  private var configured: [String: ConfigurationValue] {
    var options: [String: ConfigurationValue] = [:]
    options["volume"] = request.volume.map { .number($0) }
    options["rate"] = request.rate.map { .number($0) }
    options["loop"] = request.loop.map { .text($0.rawValue) }
    options["shuffle"] = request.shuffle.map { .boolean($0) }
    options["audio-sink"] = audioSink.map { .text($0) }
    options["log-level"] = logLevel.map { .text($0.rawValue) }
    return options
  }
}
