/// The settings of a player: all values that commands set and that do not depend on an item.
///
/// Invariant: the settings outlive every item, stream and output. ``PlaybackMachine/engineSettings`` are the settings that the
/// engine needs.
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
  /// The length of the fades at a pause, a stop and a resume.
  var fade: Duration
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
    fade = configuration.fade
    networkTimeout = configuration.networkTimeout
    forwardBuffer = configuration.preferredForwardBufferDuration
    audioLanguages = configuration.preferredAudioLanguages
    isLowPowerModeEnabled = configuration.isLowPowerModeEnabled
    timePitch = configuration.timePitchAlgorithm
    crossfade = configuration.crossfade
  }

  /// The settings that an observer of changes sees; values that only later decisions read are the same in all of them.
  var visible: PlaybackSettings {
    var settings = self
    (settings.maximumVolume, settings.networkTimeout, settings.isCrossfadeSuspended) = (0, .zero, false)
    settings.fade = .zero
    return settings
  }
}
