package import Playback

/// A command to the deck of a stream.
package enum DeckCommand: Codable, Equatable, Sendable {
  /// Opens the stream; the first command.
  case open(DeckRequest)
  /// Seeks; the passage begins at the target. A format converts it to another one than the decoder's.
  case seek(Passage, to: Duration, exactly: Bool, as: PCMFormat?)
  /// Selects an audio track: before the tracks are known, from the start; later, from the next seek on.
  case selectAudioTrack(Int)
  /// Requests ``DeckReport/measured(_:)``; a later end of the data is reported again.
  case measure
  /// Closes the stream; nothing is reported afterwards, apart from a warning if it hangs.
  case close
}

/// The request to a deck to open a stream.
package struct DeckRequest: Codable, Equatable, Sendable {
  /// The absolute URI to open.
  package var uri: String
  /// The first passage.
  package var passage: Passage
  /// The headers of its HTTP requests; nil for the default ones.
  package var headers: HTTPRequestHeaders?
  /// The index of its audio track; nil for the choice by the preferred languages.
  package var audioTrack: Int?
  /// The media time at which the first passage begins; nil for the start.
  package var start: Duration?
  /// The format that the first passage is converted to; nil for the decoder's.
  package var format: PCMFormat?
  /// Whether the deck is opened again at another URI if the server refuses this one; what arrived before is not the end then.
  package var isRenewable = false
  /// The engine's settings; a deck uses only the settings for streams.
  package var settings: EngineSettings

  /// Creates the request for a stream, with the present settings.
  package init(_ request: StreamRequest, settings: EngineSettings) {
    (uri, passage, headers) = (request.uri, Passage(request.stream), request.headers)
    (audioTrack, self.settings) = (request.audioTrack, settings)
    start = request.start > .zero ? request.start : nil
  }
}

/// A report of a deck, beside its samples.
package enum DeckReport: Codable, Sendable {
  /// Every sample of a passage was delivered; the last one ends at this media time.
  case ended(Passage, at: Duration)
  /// The seek to a passage was refused, and the previous passage continues; reported before the event.
  case refused(Passage)
  /// Loudness tags, reported before the first samples that they are about.
  case loudness(GainTags)
  /// The progress, as requested.
  case measured(StreamProgress)
  case event(StreamEvent)
  /// A condition that is worth a line in the log.
  case warning(String)
  /// A call into the media did not return: the deck, which may be closed, is given up with its thread, as the text says.
  case abandoned(String)
}
