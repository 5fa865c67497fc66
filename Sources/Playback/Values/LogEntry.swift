extension Player {
  /// One playback of an item: its start, its stalls and its transfer; the counterpart of `AVPlayerItemAccessLogEvent`.
  ///
  /// It begins when the item is opened or follows another one, and ends when another item follows, or playback stops.
  public struct AccessLogEntry: Hashable, Sendable {
    /// The item.
    public let item: Player.Item
    /// The instant at which the entry began; the counterpart of `playbackStartDate`.
    public let start: MonotonicTime
    /// The URI after redirects; nil if the server did not redirect, or is not known yet.
    public internal(set) var redirectedURI: String?
    /// The time from the request to play until the first sample played; nil before that.
    ///
    /// It is zero after a gapless change. The counterpart of `startupTime`.
    public internal(set) var startupTime: Duration?
    /// The position at which playback began; nil before that.
    ///
    /// The counterpart of `playbackStartOffset`.
    public internal(set) var startPosition: Duration?
    /// The time during which the position advanced, in wall time; the counterpart of `durationWatched`.
    public internal(set) var timePlayed = Duration.zero
    /// The number of stalls: an empty buffer, a lost broadcast or a lost output; the counterpart of `numberOfStalls`.
    public internal(set) var stallCount = 0
    /// The time during which the player was to play and was stalled.
    public internal(set) var stallDuration = Duration.zero
    /// The bytes received from the network; nil for media that are not counted in bytes, such as a local file.
    ///
    /// The counterpart of `numberOfBytesTransferred`.
    public internal(set) var bytesReceived: Int64?
    /// The number of segments of an adaptive stream that were downloaded; nil for another item.
    ///
    /// Playlists, and requests that failed, are not counted. The counterpart of `numberOfMediaRequests`.
    public internal(set) var mediaRequestCount: Int?
    /// The time in which these segments were downloaded, each from its request to its last byte, without the time between
    /// them; nil for another item.
    ///
    /// The counterpart of `transferDuration`.
    public internal(set) var transferDuration: Duration?
    /// The bit rate of the transfer, in bits per second, over the last seconds in which data was received; nil if unknown.
    ///
    /// The time in which the buffer was full is not counted. The counterpart of `observedBitrate`.
    public internal(set) var observedBitRate: Int?
    /// The bit rate that the media indicates, in bits per second; nil if unknown.
    ///
    /// The counterpart of `indicatedBitrate`.
    public internal(set) var indicatedBitRate: Int?
    /// The number of errors of the item in ``Player/errorLog`` during this playback.
    public internal(set) var errorCount = 0
    /// Whether the playback is over, so that the values are final.
    public internal(set) var isComplete = false
  }

  /// An error and its consequence; the counterpart of `AVPlayerItemErrorLogEvent`.
  public struct ErrorLogEntry: Hashable, Sendable {
    /// The action that follows an error.
    public enum Outcome: Hashable, Sendable {
      /// The item failed, and is skipped.
      case itemFailed
      /// The player reconnects to a broadcast.
      case reconnecting
      /// The player opens the output again.
      case reopeningOutput
      /// The player loads the item again at its position.
      case reloading
    }

    /// The current item at that time; nil for an error without an item.
    public let item: Player.Item?
    /// The instant of the error.
    public let instant: MonotonicTime
    /// The position in the item.
    public let position: Duration
    /// The error.
    public let error: PlayerError
    /// The action that follows.
    public let outcome: Outcome
  }

  /// An entry that was added to a log of a ``Player``.
  public enum LogEntry: Hashable, Sendable {
    /// A playback is complete.
    case access(Player.AccessLogEntry)
    /// An error occurred.
    case error(Player.ErrorLogEntry)
  }
}
