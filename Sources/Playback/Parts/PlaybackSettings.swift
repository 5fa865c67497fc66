/// The settings of a player: all values that commands set and that do not depend on an item.
///
/// Invariants: the settings outlive every item, stream and output. The settings that the engine needs are listed only
/// in ``commands(since:)``; an engine that has carried out those commands has all of them.
struct PlaybackSettings: Codable, Equatable, Sendable {
  var rate = 1.0
  /// The rate at which Play resumes; nil for `rate`.
  var defaultRate: Double?
  var actionAtItemEnd = Player.ActionAtItemEnd.advance
  /// The volume, linear, 0…10.
  var volume: Double
  /// The highest volume that another program may set at the output.
  var maximumVolume: Double
  var isMuted = false
  /// The selected output; nil for the configured one.
  var audioOutput: AudioOutput?
  var automaticallyWaits = true
  /// The time that a playing stream may spend without data before it fails.
  var networkTimeout: Duration
  /// The duration to buffer ahead of the position; nil for the engine's default.
  var forwardBuffer: Duration?
  /// The preferred languages of audio tracks, the most preferred first.
  var audioLanguages: [String]
  var isLowPowerModeEnabled: Bool
  var crossfade = Player.Crossfade()
  /// Whether no crossfade begins, because a part of the current item is repeated.
  var isCrossfadeSuspended = false
  var timePitch: Player.Configuration.TimePitchAlgorithm

  init(configuration: Player.Configuration) {
    volume = configuration.volume
    maximumVolume = configuration.maximumVolume
    networkTimeout = configuration.networkTimeout
    forwardBuffer = configuration.preferredForwardBufferDuration
    audioLanguages = configuration.preferredAudioLanguages
    isLowPowerModeEnabled = configuration.isLowPowerModeEnabled
    timePitch = configuration.timePitchAlgorithm
    crossfade = configuration.crossfade
  }

  /// Returns the time before a change of the level at which the engine must know it, for an item that is opened now.
  ///
  /// It is longer than the output's buffer, and leaves time for the decision to reach the engine.
  func outputLead(for item: Player.Item) -> Duration {
    let isLarge = isLowPowerModeEnabled || item.isLocal && crossfade.length == .zero
    return isLarge ? .seconds(5) : .milliseconds(1500)
  }

  /// Returns the commands that bring an engine from the `old` settings to these; from the engine's defaults if nil.
  ///
  /// The output and the treatment of the pitch are not included, because they are replaced together with the loaded media.
  func commands(since old: PlaybackSettings?) -> [EngineCommand] {
    var commands: [EngineCommand] = []
    if old?.volume != volume { commands.append(.setVolume(volume)) }
    if old?.isMuted != isMuted { commands.append(.setMuted(isMuted)) }
    if old == nil || old?.forwardBuffer != forwardBuffer { commands.append(.setForwardBuffer(forwardBuffer)) }
    if old?.audioLanguages != audioLanguages { commands.append(.setAudioLanguages(audioLanguages)) }
    if old?.isLowPowerModeEnabled != isLowPowerModeEnabled {
      commands.append(.setLowPowerMode(isLowPowerModeEnabled))
    }
    let isCrossfading = crossfade.length > .zero
    if isCrossfading != old.map({ $0.crossfade.length > .zero }) ?? false {
      commands.append(.setCrossfading(isCrossfading))
    }
    return commands
  }
}
