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

  /// The values of the arguments.
  var invocation: OpenInvocation {
    let request = OpenRequest(
      placement: next ? .next : enqueue ? .append : .replace, startsPaused: paused, start: start?.duration,
      shuffle: shuffle ? true : nil, loop: loop?.mode, volume: volume, rate: rate)
    return OpenInvocation(
      arguments: items, request: request, audioSink: audioSink, isSeparate: newInstance, hasSession: !noSession,
      detaches: detach, isDetached: detached, quitsAtEnd: quitAtEnd, logLevel: logLevel,
      configurationFile: files.config, target: verb.target, isQuiet: verb.quiet)
  }

  func run() async throws { try await invocation.run() }
}
