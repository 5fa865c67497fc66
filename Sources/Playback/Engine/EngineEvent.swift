/// An event that an engine reports to its ``Player``.
///
/// The player drops the events of streams that it has closed.
public enum EngineEvent: Codable, Sendable {
  /// An event of an open stream.
  case stream(StreamToken, StreamEvent)
  /// An event of the output.
  case output(OutputEvent)
  /// A stream is audible from now on, at this time of its media: after a start, a seek, a pause or a wait, or because the
  /// part before it has ended or overlaps; nil if the time is unknown.
  case audible(StreamToken, at: Duration?)
  /// Whether the engine is starting: it opens no stream before it has started, and its start has a separate time limit.
  ///
  /// Reported only if a stream waits for the start, or for another program that finds the media behind its address.
  case starting(Bool)
  /// The output did not respond, and the engine has restarted: no stream is open, the plan is empty, and the output is paused. The
  /// settings are kept.
  case replaced
  /// A condition that changes nothing, but is worth a line in the log.
  ///
  /// It is about a stream, which may be closed since, or about the engine.
  case warning(String, of: StreamToken? = nil)
}

/// An event of a stream.
public enum StreamEvent: Codable, Sendable {
  /// The stream is ready to play, or its seek has finished.
  case settled(StreamFacts)
  /// Opening a local file, or a seek in it, still reads data, and no audio has arrived yet; reported about once a second.
  case readingOn
  /// A seek was refused; playback continues at the position.
  case seekRefused(position: Duration?)
  /// All samples up to the end of the stream's part, or of its media, are decoded.
  ///
  /// Reported once after the opening or a seek, and again if the part was extended.
  case read
  /// The position was measured.
  case sampled(position: Duration, StreamProgress)
  /// More of a network stream was received or decoded: at least a second, or the rest of its media.
  ///
  /// Reported at most four times a second, and once for the rest.
  case progressed(StreamProgress)
  /// The output has no further sample of the stream: all decoded data has reached it, or its next sample is due more than
  /// ``StreamProgress/leastGap`` later.
  ///
  /// Reported again only after the position was measured or the stream has seeked.
  case ranOut(StreamProgress)
  /// The last sample of the stream's part was played; its media ends at this time, or the part does; nil if unknown.
  ///
  /// Reported before the next part is audible, unless they overlap.
  case ended(at: Duration?)
  /// The output did not begin to play the stream within the time that the engine allows; the position is the measured one.
  case startMissed(position: Duration?)
  /// The duration changed; nil if unknown.
  case durationChanged(Duration?)
  /// The server redirected the requests to another URI.
  case redirected(to: String)
  /// The stream failed.
  case failed(PlayerError)
  /// The tags were read.
  case tags(MediaMetadata, about: TagScope)
  /// The stream has another title from a media time on, which lies ahead of the audible position.
  case titleStarts(String, at: Duration)
  /// The stream has an ID3 tag at a media time, which usually lies ahead of the audible position.
  case timedTag(ID3Metadata, at: Duration)
  /// A seek discards the data; the ID3 tags are read again from the target on.
  case timedTagsFlushed
  /// Another part of a chained stream begins, and other tags follow.
  case songEnded
  /// The chapters were read.
  case chapters([Chapter])
  /// The process that decodes the stream has ended, as the text says, and another one continues where its samples end.
  ///
  /// Playback continues without a gap as long as the samples last that the ended process has decoded.
  case interrupted(String)
  /// A part of the description exceeds a limit and is left out, as the text says.
  case leftOut(String)
  /// The audio tracks were found; `current` is the index of the one that plays.
  case audioTracks([AudioTrack], current: Int)
  /// The fill level of the buffer of a network stream changed; in percent.
  case buffering(percent: Int, StreamProgress)
}

/// An event of an engine's output.
public enum OutputEvent: Codable, Sendable {
  /// The output failed and is closed; the player opens its streams again after a delay.
  case failed(PlayerError)
  /// The output was opened; `isSilent` if no output could be opened and the audio is discarded.
  case opened(isSilent: Bool)
  /// An output has become available, while the engine plays silently for lack of one, or has no output.
  case found
  /// The output uses this device.
  case inUse(AudioOutput.ID)
  /// The device is suspended: playback is silent until the next ``EngineEvent/audible(_:at:)``.
  case suspended
  /// The device was removed, and the sound server still runs.
  case removed(AudioOutput.ID)
  /// A device was added, perhaps one that was removed before.
  case added(AudioOutput.ID)
  /// The port through which the device has played was unplugged, such as headphones; the name is for users. The device plays
  /// through another port.
  case unplugged(String)
  /// Another program changed the volume or the mute setting.
  case volumeChanged(volume: Double, isMuted: Bool)
  /// The audio is silent after this delay, as requested by ``EngineCommand/fade(_:)``; negative if it has been silent since.
  case fadeOutEnds(in: Duration)
  /// The sound server requests a pause, because another stream is more important, such as a call.
  case pauseRequested
  /// The reason for ``pauseRequested`` has ended.
  case resumeRequested
}

extension EngineEvent {
  /// The stream that the event describes; nil for an event of the output or of the whole engine.
  package var stream: StreamToken? {
    switch self {
    case .stream(let stream, _), .audible(let stream, _): stream
    case .output, .starting, .replaced, .warning: nil
    }
  }
}
