/// A command of a ``Player`` to its engine.
public enum EngineCommand: Codable, Equatable, Sendable {
  /// Replaces the loaded media with a URI, and prepares it for playback; its HTTP requests have these headers.
  case load(uri: String, StreamToken, headers: HTTPRequestHeaders? = nil)
  /// Releases the media and the output device.
  case unload
  /// Opens a second stream beside the loaded one, paused, for a crossfade.
  ///
  /// Its events are reported from then on, except those that a stream has while it plays. Other commands still apply to
  /// the loaded stream, but settings to both, and ``selectAudioTrack(_:of:)`` and ``endStream(_:at:)`` to the stream that
  /// they name. If its output cannot be opened beside that of the loaded stream, it fails with the code `output` as an
  /// unusable output, and the loaded stream plays on.
  case prepare(uri: String, StreamToken, headers: HTTPRequestHeaders? = nil)
  /// Crossfades from the loaded stream to the prepared one.
  ///
  /// From the media time `at` on, the samples of the loaded stream fade out. When that time is audible, the prepared stream
  /// starts and fades in, and ``EngineEvent/nextStarted(_:in:_:previousEnd:)`` is reported. The command is given seconds
  /// before that; time that passes in a pause does not count. Without a prepared stream, only the loaded one fades
  /// out, and the next load fades in over the same time.
  ///
  /// The length is a time of the output: at another speed, more or less of the media passes in it. The loaded stream ends
  /// with it, even if its media is longer. A later command replaces an earlier one. After a seek in the loaded stream, a
  /// prepared stream that has been started cannot follow: the player releases it before the seek.
  case crossfade(to: StreamToken?, at: Duration, CrossfadeShape)
  /// Makes the stream that has started in a crossfade the loaded one, to which all commands apply from then on.
  ///
  /// The one before it fades out, ends, is reported by ``EngineEvent/ended(_:)`` and is released. Until then it pauses,
  /// resumes and fades together with the loaded one, and has the same volume. One whose end was reported before is
  /// released at once.
  case enter(StreamToken)
  /// Fades the loaded stream out from now on, and then releases it without a report; the next load begins beside it.
  ///
  /// The gapless successors of the stream fade out with it, and a release of the stream is also theirs.
  /// The stream that plays next fades in over the same time, also if it seeks before, or if a load before it has failed.
  case leave(StreamToken, CrossfadeShape)
  /// Releases the prepared stream and cancels its crossfade, or releases one that fades out, which is then not reported
  /// as ended.
  ///
  /// The loaded stream then continues at the full level, and samples that have already faded are not repeated. With the
  /// loaded stream itself, the command cancels its fade-out. An unknown stream
  /// has no effect.
  case release(StreamToken)
  /// Starts or pauses the loaded stream.
  case setPlaying(Bool)
  /// Seeks in the loaded stream, to the exact sample or to a nearby position that is quick to reach.
  ///
  /// `to` and `until` are times of the media; playback ends exactly at `until` if it is given. If `startingAt` is given, the
  /// stream is set to play at most ``startLead`` before that instant. Its first sample is then audible at the instant, and
  /// ``EngineEvent/running(_:position:)`` is reported at the instant; a later seek replaces it.
  case seek(
    to: Duration, rate: Double, exactly: Bool = true, until: Duration? = nil, startingAt: MonotonicTime? = nil)
  /// Ends a stream at the output exactly at a time of its media; nil cancels that.
  case endStream(StreamToken, at: Duration?)
  /// Withdraws a gapless successor and those after it: the stream before it ends.
  case withdraw(StreamToken)
  /// Selects an audio track: of a stream that has not started, or of the loaded one from its next seek on.
  case selectAudioTrack(Int, of: StreamToken)
  /// Changes the volume of a stream over the time of its media, before it is opened or while it plays; nil for a constant
  /// volume.
  case shapeVolume(VolumeCurve?, of: StreamToken)
  /// Sets the volume, linear, 0…10.
  case setVolume(Double)
  /// Mutes or unmutes the audio.
  case setMuted(Bool)
  /// Fades the audio out or in, without a change of the volume.
  case fade(FadeDirection)
  /// Plays through another output from the next load on; nil for the configured output.
  case setSink(String?)
  /// Treats the pitch at another rate in this way, from the next `setSink` on.
  case setTimePitch(Player.Configuration.TimePitchAlgorithm)
  /// Sets the duration to buffer ahead of the position, from the next load on; nil for the engine's default.
  case setForwardBuffer(Duration?)
  /// Sets the preferred languages of audio tracks, the most preferred first, from the next load on.
  case setAudioLanguages([String])
  /// Uses larger buffers at the output from the next load on, and fewer wake-ups; or the usual ones.
  case setLowPowerMode(Bool)
  /// Whether items may crossfade: from the next load on, the output of a file then has no large buffer.
  case setCrossfading(Bool)
  /// Measures local files ahead, in this order: the loudness for the gain of those without loudness tags, and the silence
  /// at their ends.
  ///
  /// Only a configuration with ``Player/Configuration/ReplayGain/measurement`` or
  /// ``Player/Configuration/silenceTrimming`` leads to this command. The files of an
  /// inner list are in one folder, and may be one album. The command replaces earlier ones; without files, nothing is
  /// measured. The gain of an item is decided when it is opened, and does not change afterwards.
  case measureLoudness(of: [[String]])
  /// Shows the description of the audible item in mixers; only a configuration with an application leads to it.
  case describeStream(StreamDescription)
  /// Measures the position, and reports it by ``EngineEvent/sampled(_:position:_:)``.
  case samplePosition

  /// The duration before an instant at which an output starts, silently, to be audible at that instant.
  ///
  /// For 2 s, the time of the output is measured. A sound server renders samples up to 2 s ahead, and the first one has to be
  /// in the buffer of the output by then.
  public static let startLead = Duration.milliseconds(4_200)
}

/// The length and the curve of a crossfade.
public struct CrossfadeShape: Codable, Equatable, Sendable {
  /// The time in which both streams are audible.
  public var length: Duration
  /// The course of the two levels.
  public var curve: Player.CrossfadeCurve

  /// Creates the shape of a crossfade.
  public init(length: Duration, curve: Player.CrossfadeCurve) { (self.length, self.curve) = (length, curve) }
}

/// The direction of a fade.
public enum FadeDirection: Codable, Sendable {
  /// To silence, from the next sample on; streams loaded or seeks made afterwards start silent and fade in.
  case out
  /// To the full volume.
  case `in`
  /// No fade: streams loaded or seeks made afterwards start at the full volume.
  case none
}
