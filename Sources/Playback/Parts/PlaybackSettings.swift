/// The settings of a player: everything that a command sets and that no item changes.
///
/// Invariants: the settings outlive every item, stream and output. Those that the engine needs are listed once, in
/// ``commands(since:)``: an engine that has carried out its result has all of them.
struct PlaybackSettings: Equatable, Sendable {
  var rate = 1.0
  /// The rate at which Play resumes; nil for `rate`.
  var defaultRate: Double?
  var actionAtItemEnd = Player.ActionAtItemEnd.advance
  /// The volume, linear, 0…10.
  var volume: Double
  var isMuted = false
  /// The selected output; nil for the configured one.
  var audioOutput: AudioOutput?
  var automaticallyWaits = true
  /// How long a stream that plays may receive nothing.
  var networkTimeout: Duration
  /// How much is buffered ahead of the position; nil for the engine's default.
  var forwardBuffer: Duration?
  /// The preferred languages of audio tracks, the most preferred first.
  var audioLanguages: [String]

  init(configuration: PlayerConfiguration) {
    volume = configuration.volume
    networkTimeout = configuration.networkTimeout
    forwardBuffer = configuration.preferredForwardBufferDuration
    audioLanguages = configuration.preferredAudioLanguages
  }

  /// The commands that bring an engine from `old` settings to these; from its defaults if nil.
  ///
  /// The output is not among them: it is replaced with what is loaded.
  func commands(since old: PlaybackSettings?) -> [EngineCommand] {
    var commands: [EngineCommand] = []
    if old?.volume != volume { commands.append(.setVolume(volume)) }
    if old?.isMuted != isMuted { commands.append(.setMuted(isMuted)) }
    if old == nil || old?.forwardBuffer != forwardBuffer { commands.append(.setForwardBuffer(forwardBuffer)) }
    if old?.audioLanguages != audioLanguages { commands.append(.setAudioLanguages(audioLanguages)) }
    return commands
  }
}
