/// A command of a ``Player`` to its engine.
///
/// `docs/ENGINE.md` describes the contract: the order of commands and events, and which of them may be late.
public enum EngineCommand: Codable, Equatable, Sendable {
  /// Opens a stream and decodes it from its start on, as far as the engine's buffers allow.
  ///
  /// The engine reports ``StreamEvent/settled(_:)`` when the stream is ready. The stream is audible only as a part of
  /// the plan.
  case open(StreamRequest)
  /// Closes a stream; the engine reports nothing about it afterwards.
  ///
  /// The player removes it from the plan in the same decision. An unknown stream has no effect.
  case close(StreamToken)
  /// Continues a stream at another time of its media: exactly, or at a nearby one that is quick to reach.
  ///
  /// It ends with ``StreamEvent/settled(_:)``, or with ``StreamEvent/seekRefused(position:)``, after which the stream continues
  /// where it was.
  case seek(StreamToken, to: Duration, exactly: Bool = true)
  /// Replaces the plan: the parts that are played, in their order; the first one is the audible one, or the next to be.
  ///
  /// A part that is in both plans continues to play. Written samples that no longer belong to the plan are discarded if the output
  /// can still do that. A plan without parts releases the output device if no stream is open.
  case plan([PlannedPart])
  /// Replaces all settings.
  case settings(EngineSettings)
  /// Starts or pauses the output.
  case setPlaying(Bool)
  /// Lets the audible part continue at an instant; nil for as soon as the output plays.
  ///
  /// The output is set to play at most ``startLead`` before the instant, and ``EngineEvent/audible(_:at:)`` is reported at
  /// it. A seek or another audible part cancels it.
  case start(at: MonotonicTime?)
  /// Selects an audio track of an open stream, from its next seek on.
  case selectAudioTrack(Int, of: StreamToken)
  /// Fades the audio out or in, without a change of the volume.
  case fade(FadeDirection)
  /// Closes and opens the output, on the device of the settings.
  case reopenOutput
  /// Measures the position of a stream, and reports it by ``StreamEvent/sampled(position:_:)`` if the stream is audible.
  case samplePosition(of: StreamToken)

  /// The duration before an instant at which an output starts, silently, to be audible at that instant.
  ///
  /// For 2 s, the time of the output is measured. A sound server renders samples up to 2 s ahead, and the first sample has to be in
  /// the output's buffer by then.
  public static let startLead = Duration.milliseconds(4_200)
}

/// The request to an engine to open a stream.
public struct StreamRequest: Codable, Equatable, Sendable {
  /// The absolute URI to open.
  public var uri: String
  /// The token of the new stream.
  public var stream: StreamToken
  /// The headers of its HTTP requests; nil for the engine's own.
  public var headers: HTTPRequestHeaders?
  /// The index of the audio track to play; nil selects it by the preferred languages.
  public var audioTrack: Int?
  /// The media time at which it begins, exactly; media without seeking begins at zero.
  public var start: Duration

  /// Creates a request; by default, for a stream that begins with its media.
  public init(
    uri: String, stream: StreamToken, headers: HTTPRequestHeaders? = nil, audioTrack: Int? = nil,
    start: Duration = .zero
  ) {
    (self.uri, self.stream, self.headers) = (uri, stream, headers)
    (self.audioTrack, self.start) = (audioTrack, start)
  }
}

/// A part of the plan: a stream, where it ends, and how it begins.
///
/// A part begins where its stream begins: at the start of the request, or at the target of the last seek.
public struct PlannedPart: Codable, Equatable, Sendable {
  /// The stream.
  public var stream: StreamToken
  /// The media time at which it ends; nil for the end of the media, which also ends it if it comes first.
  public var end: Duration?
  /// How it follows the part before it.
  public var join: PartJoin
  /// The fade-out with which it ends from now on, whatever ``end`` is; nil for none.
  ///
  /// A part that is not audible yet stays silent.
  public var fadeOut: CrossfadeShape?
  /// The volume over the time of the media; nil for a constant volume.
  public var curve: VolumeCurve?
  /// The gain from the measured loudness, for media without loudness tags; nil plays such media unchanged.
  ///
  /// It is the same in all plans.
  public var measured: LoudnessGain?

  /// Creates a part; by default, all of a stream, gaplessly.
  public init(
    _ stream: StreamToken, end: Duration? = nil, join: PartJoin = .gapless, fadeOut: CrossfadeShape? = nil,
    curve: VolumeCurve? = nil, measured: LoudnessGain? = nil
  ) {
    (self.stream, self.end, self.join, self.fadeOut, self.curve) = (stream, end, join, fadeOut, curve)
    self.measured = measured
  }
}

/// The way in which a part follows the one before it.
public enum PartJoin: Codable, Equatable, Sendable {
  /// With the sample after the last one of the part before.
  case gapless
  /// Before the part before has ended, which fades out while this one fades in.
  ///
  /// It is shorter if the samples of this part arrive late, and if one of the parts is shorter than two of it. There is none
  /// if the part before turns out to end too early.
  case overlap(CrossfadeShape)
  /// As soon as its samples arrive, with a fade-in; audio that is audible then continues beside it.
  case fadeIn(CrossfadeShape)
}

/// The settings of an engine that do not depend on a stream.
public struct EngineSettings: Codable, Equatable, Sendable {
  /// The volume, linear, 0…10.
  public var volume: Double
  /// Whether the audio is muted.
  public var isMuted = false
  /// The length of the fades that begin from then on.
  public var fade: Duration
  /// The speed of playback from the audible sample on; 1 is normal.
  public var rate = 1.0
  /// The treatment of the pitch at another rate.
  public var timePitch: Player.Configuration.TimePitchAlgorithm
  /// The description of the output's sink; nil for the configured one.
  ///
  /// Another output continues from the audible sample on.
  public var sink: String?
  /// The duration to buffer ahead of the position, of streams that are opened from then on; nil for the engine's default.
  public var forwardBuffer: Duration?
  /// The preferred languages of audio tracks, the most preferred first, of streams that are opened from then on.
  public var audioLanguages: [String]
  /// Whether the engine does nothing that only makes its reports better, such as a search for the exact duration.
  public var isLowPowerModeEnabled: Bool
  /// The audible item, for mixers; nil before the first one.
  public var description: StreamDescription?

  /// Creates the settings with which an engine of a configuration begins.
  public init(_ configuration: Player.Configuration) {
    volume = configuration.volume
    fade = configuration.fade
    timePitch = configuration.timePitchAlgorithm
    forwardBuffer = configuration.preferredForwardBufferDuration
    audioLanguages = configuration.preferredAudioLanguages
    isLowPowerModeEnabled = configuration.isLowPowerModeEnabled
  }
}

extension Player.Configuration {
  /// Returns the configuration with the present settings.
  package func with(_ settings: EngineSettings) -> Player.Configuration {
    var configuration = self
    configuration.volume = settings.volume
    configuration.fade = settings.fade
    configuration.timePitchAlgorithm = settings.timePitch
    configuration.preferredForwardBufferDuration = settings.forwardBuffer
    configuration.preferredAudioLanguages = settings.audioLanguages
    configuration.isLowPowerModeEnabled = settings.isLowPowerModeEnabled
    return configuration
  }
}

/// The length and the curve of a crossfade.
public struct CrossfadeShape: Codable, Equatable, Sendable {
  /// The time of the output in which both streams are audible.
  public var length: Duration
  /// The course of the two levels.
  public var curve: Player.CrossfadeCurve

  /// Creates the shape of a crossfade.
  public init(length: Duration, curve: Player.CrossfadeCurve) { (self.length, self.curve) = (length, curve) }
}

/// The direction of a fade.
public enum FadeDirection: Codable, Sendable {
  /// To silence, from the next sample on; streams or seeks that begin afterwards start silent and fade in.
  case out
  /// To the full volume.
  case `in`
  /// No fade: streams or seeks that begin afterwards start at the full volume.
  case none
}
