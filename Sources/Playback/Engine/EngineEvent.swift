/// An event that an engine reports to its ``Player``.
///
/// Each stream event carries its token; the player drops events of a released stream.
public enum EngineEvent: Codable, Sendable {
  /// A stream is ready to play, or its seek has finished.
  case settled(StreamToken, StreamFacts)
  /// A stream plays; the position is the one measured at that moment.
  case running(StreamToken, position: Duration?)
  /// The load or the seek of a local file reads further data, and no audio has followed yet; reported about once a second.
  case readingOn(StreamToken)
  /// A seek was refused; playback continues at the position.
  case seekRefused(StreamToken, position: Duration?)
  /// The position was measured.
  case sampled(StreamToken, position: Duration, StreamProgress)
  /// More of a network stream was received or decoded: at least a second, or the rest of its media.
  ///
  /// Reported at most four times a second, and once for the rest.
  case progressed(StreamToken, StreamProgress)
  /// The output has no further sample of a stream: all decoded data has reached it, or its next sample is due more than
  /// ``StreamProgress/leastGap`` later.
  ///
  /// Reported again only after the position was measured or the stream was flushed.
  case ranOut(StreamToken, StreamProgress)
  /// A gapless successor has reached the output, and is audible after a delay.
  ///
  /// `previousEnd` is the media time at which the stream before it ended; nil if unknown.
  case nextStarted(StreamToken, in: Duration, StreamFacts, previousEnd: Duration?)
  /// The media of a stream ends at a time; reported before ``ended(_:)``.
  case endFound(StreamToken, at: Duration)
  /// A stream has played to its end.
  case ended(StreamToken)
  /// A stream did not report its start within the time that the engine allows; the position is the measured one.
  case startMissed(StreamToken, position: Duration?)
  /// The duration of a stream changed; nil if unknown.
  case durationChanged(StreamToken, Duration?)
  /// The media of a stream is silent from a time to its end; only a configuration with
  /// ``Player/Configuration/silenceTrimming`` leads to this event.
  case silenceFound(StreamToken, from: Duration)
  /// The server redirected the requests of a stream to another URI.
  case redirected(StreamToken, to: String)
  /// A stream, or the output while it played, failed.
  case failed(StreamToken, PlayerError)
  /// A stream's tags were read.
  case tags(StreamToken, MediaMetadata, about: TagScope)
  /// A stream has another title from a media time on, which lies ahead of the audible position.
  case titleStarts(StreamToken, String, at: Duration)
  /// A stream has an ID3 tag at a media time, which usually lies ahead of the audible position.
  case timedTag(StreamToken, ID3Metadata, at: Duration)
  /// A seek discards the data of a stream; its ID3 tags are read again from the target on.
  case timedTagsFlushed(StreamToken)
  /// A stream begins again at the output, and other tags follow.
  case songEnded(StreamToken)
  /// A stream's chapters were read.
  case chapters(StreamToken, [Chapter])
  /// A part of a stream's description exceeds a limit and is left out, as the text says.
  case leftOut(StreamToken, String)
  /// A stream's audio tracks were found; `current` is the index of the one that plays.
  case audioTracks(StreamToken, [AudioTrack], current: Int)
  /// The fill level of the buffer of a network stream changed; in percent.
  case buffering(StreamToken, percent: Int, StreamProgress)
  /// Another program changed the volume or the mute setting.
  case outputVolumeChanged(volume: Double, isMuted: Bool)
  /// The audio is silent after this delay, as requested by ``EngineCommand/fade(_:)``; negative if it has been silent since.
  case fadeOutEnds(in: Duration)
  /// The output device was removed, and the sound server still runs.
  case outputRemoved(AudioOutput.ID)
  /// The sound server requests a pause, because another stream is more important, such as a call.
  case pauseRequested
  /// The reason for ``pauseRequested`` has ended.
  case resumeRequested
  /// An output is available, while the engine plays silently because none was.
  case outputFound
  /// The output was opened; `isSilent` if no output could be opened and the audio is discarded.
  case outputOpened(isSilent: Bool)
  /// The output of a stream uses this device.
  case outputInUse(StreamToken, AudioOutput.ID)
  /// Whether the engine is starting: it opens no stream until then, and has a time limit of its own for that.
  ///
  /// Reported only if a load waits for the start.
  case starting(Bool)
  /// The engine replaced the part of itself that did not respond; nothing is loaded, and every setting has its default.
  case replaced(after: EngineHang)
  /// A condition that changes nothing, but is worth a line in the log.
  case warning(String)
}

extension EngineEvent {
  /// The stream that the event describes; nil for an event of the output or of the whole engine.
  package var stream: StreamToken? {
    switch self {
    case .settled(let stream, _), .running(let stream, _), .readingOn(let stream), .seekRefused(let stream, _),
      .sampled(let stream, _, _), .progressed(let stream, _), .ranOut(let stream, _),
      .nextStarted(let stream, _, _, _), .endFound(let stream, _), .ended(let stream),
      .startMissed(let stream, _), .durationChanged(let stream, _),
      .silenceFound(let stream, _), .redirected(let stream, _),
      .failed(let stream, _), .tags(let stream, _, _), .titleStarts(let stream, _, _), .timedTag(let stream, _, _),
      .timedTagsFlushed(let stream), .songEnded(let stream), .chapters(let stream, _), .leftOut(let stream, _),
      .audioTracks(let stream, _, _),
      .buffering(let stream, _, _), .outputInUse(let stream, _):
      stream
    case .outputVolumeChanged, .fadeOutEnds, .outputRemoved, .pauseRequested, .resumeRequested, .outputFound,
      .outputOpened, .starting, .replaced, .warning:
      nil
    }
  }
}

/// The reason for which an engine, or a part of it, was replaced: an operation to which it did not respond, or its end.
public enum EngineHang: Codable, Hashable, Sendable {
  /// The output did not open or close.
  case output
  /// The media that was loaded before was not released.
  case tearDown
  /// The loaded media did not respond.
  case item
  /// The process of the engine ended, or was ended because it exceeded a limit.
  case process(EngineEnd)

  /// The description for users.
  package var sentence: String {
    switch self {
    case .output: "the output does not respond"
    case .tearDown: "the previously loaded media does not respond"
    case .item: "the media does not respond"
    case .process(let end): "the engine process ended: \(end.reason)"
    }
  }
}

/// The unexpected end of an engine's process.
public struct EngineEnd: Codable, Hashable, Sendable {
  /// The reason, for users: the signal, the exit status, or the limit that was exceeded.
  public var reason: String
  /// The newest stream that the process had received; later ones are not affected.
  public var newestStream: StreamToken
  /// The time before the report in which the process may have played nothing; zero if its end was noticed at once.
  public var silence: Duration

  /// Creates the description of an end.
  public init(reason: String, newestStream: StreamToken, silence: Duration = .zero) {
    self.reason = reason
    self.newestStream = newestStream
    self.silence = silence
  }
}
