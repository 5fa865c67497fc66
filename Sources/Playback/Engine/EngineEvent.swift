/// An event that an engine reports to its ``Player``.
///
/// Each event names its stream; the player drops one of a stream that is gone.
public enum EngineEvent: Sendable {
  /// A stream is ready to play, or its seek has finished.
  case settled(StreamToken, StreamFacts)
  /// A stream plays; the position is the one measured at that moment.
  case running(StreamToken, position: Duration?)
  /// A seek was refused; playback continues at the position.
  case seekRefused(StreamToken, position: Duration?)
  /// The position was measured.
  case sampled(StreamToken, position: Duration, StreamProgress)
  /// A gapless successor has reached the output, and is audible after a delay.
  ///
  /// `previousEnd` is the media time at which the stream before it ended; nil if unknown.
  case nextStarted(StreamToken, in: Duration, StreamFacts, previousEnd: Duration?)
  /// The media of a stream ends at a time; reported before ``ended(_:)``.
  case endFound(StreamToken, at: Duration)
  /// A stream has played to its end.
  case ended(StreamToken)
  /// A stream has passed the time at which ``EngineCommand/endStream(_:at:)`` was to end it.
  case endMissed(StreamToken)
  /// A stream did not report its start within the time that the engine allows; the position is the measured one.
  case startMissed(StreamToken, position: Duration?)
  /// The duration of a stream changed; nil if unknown.
  case durationChanged(StreamToken, Duration?)
  /// A stream, or the output while it played, failed.
  case failed(StreamToken, PlayerError)
  /// A stream's tags were read.
  case tags(StreamToken, MediaMetadata, about: TagScope)
  /// A stream starts anew at the output, and other tags follow.
  case tagsOver(StreamToken)
  /// A stream's chapters were read.
  case chapters(StreamToken, [Chapter])
  /// A stream's audio tracks, and the index of the one that plays.
  case audioTracks(StreamToken, [MediaDescription.AudioTrack], current: Int)
  /// The fill level of the buffer of a network stream changed; in percent.
  case buffering(StreamToken, percent: Int, StreamProgress)
  /// Another program changed the volume or the mute setting.
  case soundChanged(volume: Double, isMuted: Bool)
  /// The sound is silent after this delay, as ``EngineCommand/fade(_:)`` asked.
  case fallEnds(in: Duration)
  /// The output device was removed, and the sound server still runs.
  case outputRemoved(AudioOutput.ID)
  /// An output works now, while the engine plays silently because none did.
  case outputFound
  /// The output was opened; whether it is silent, because none works.
  case outputMade(isSilent: Bool)
  /// The device that the output of a stream plays on.
  case outputInUse(StreamToken, AudioOutput.ID)
  /// The engine replaced the part of itself that did not respond; nothing is loaded, and every setting has its default.
  case replaced(after: EngineHang)
  /// Something happened that changes nothing, and deserves a line in the log.
  case warning(String)
}

/// What an engine waited for in vain.
public enum EngineHang: Sendable {
  /// The output did not open or close.
  case output
  /// The media that was loaded before was not released.
  case tearDown
  /// The loaded media did not respond.
  case item

  /// The description for a person.
  package var sentence: String {
    switch self {
    case .output: "the output does not answer"
    case .tearDown: "the media loaded before does not answer"
    case .item: "the media does not answer"
    }
  }
}
