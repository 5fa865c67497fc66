public import MPRISService

/// The state of a player beyond MPRIS, at one time.
///
/// It contains the properties of `org.playerd.Monitor1` and the queue index. If nothing is loaded, the snapshot has a
/// nil track, and is paused without a reason.
public struct MonitorSnapshot: Equatable, Sendable {
  /// The current track; nil if nothing is loaded.
  public var track: MPRISTrackID?
  /// The loading status of the current track.
  public var itemStatus = ItemStatus.unknown
  /// Whether the position advances.
  public var timeControlStatus = TimeControlStatus.paused
  /// The reason for waiting while ``timeControlStatus`` is `waitingToPlay`.
  public var waitingReason: WaitingReason?
  /// Whether the buffer is empty.
  public var isPlaybackBufferEmpty = false
  /// Whether the buffer is full.
  public var isPlaybackBufferFull = false
  /// Whether playback is likely to continue without stalling.
  public var isPlaybackLikelyToKeepUp = false
  /// The fill level of the buffer, 0 to 100.
  public var bufferingPercent = 100
  /// The loaded time ranges of the current track.
  public var loadedTimeRanges: [Range<Duration>] = []
  /// The seekable time ranges of the current track.
  public var seekableTimeRanges: [Range<Duration>] = []
  /// The anchor of the position.
  public var anchor = Anchor()
  /// The current track's duration; nil if it is unknown or endless.
  public var duration: Duration?
  /// The current track's chapters, in order of time.
  public var chapters: [Chapter] = []
  /// The index of the chapter at the position; nil for none.
  public var currentChapter: Int?
  /// The current track's index in the queue, from 0; nil if nothing is loaded.
  public var queueIndex: Int?
  /// The number of tracks in the queue.
  public var queueCount = 0
  /// The last failure; nil if none has occurred.
  public var lastFailure: Failure?
  /// The state of `org.playerd.Extras1`.
  public var extras = ExtrasSnapshot()

  /// Creates the snapshot of a player with nothing loaded; the other properties are assigned later.
  public init() {}

  /// The loading status of a track.
  public enum ItemStatus: String, Hashable, Sendable, CaseIterable {
    /// Not loaded yet.
    case unknown
    /// Loaded and playable.
    case readyToPlay
    /// Not playable.
    case failed
  }

  /// The state of playback: paused, waiting or playing.
  public enum TimeControlStatus: String, Hashable, Sendable, CaseIterable {
    /// Paused or stopped; does not start without a command.
    case paused
    /// Waiting to play.
    case waitingToPlay
    /// Playing.
    case playing
  }

  /// The reason why the player waits before it plays.
  public enum WaitingReason: String, Hashable, Sendable, CaseIterable {
    /// The buffer is empty or filling.
    case toMinimizeStalls
    /// The track is being opened.
    case evaluatingBufferingRate
    /// The item is not known yet: a playlist, a folder or a server is being read.
    case noItemToPlay
    /// The output is lost, and is being reopened.
    case noOutput
  }

  /// The position at an instant, and its rate since then.
  public struct Anchor: Hashable, Sendable {
    /// The position at that instant.
    public var position = Duration.zero
    /// The instant: microseconds of `CLOCK_MONOTONIC`.
    public var monotonicMicroseconds: Int64 = 0
    /// The media seconds per second; 0 while the position does not advance.
    public var rate = 0.0

    /// Creates the anchor of a position of 0 that does not advance; the properties are assigned later.
    public init() {}
  }

  /// A chapter of a track.
  public struct Chapter: Hashable, Sendable {
    /// The start.
    public var start: Duration
    /// The duration; 0 if unknown.
    public var duration: Duration
    /// The title; empty if there is none.
    public var title: String

    /// Creates a chapter.
    public init(start: Duration, duration: Duration, title: String) {
      (self.start, self.duration, self.title) = (start, duration, title)
    }
  }

  /// A failure of a track or of the output.
  public struct Failure: Hashable, Sendable {
    /// The kind of failure, such as `not-found`.
    public var code: String
    /// The message for the user, one sentence.
    public var message: String
    /// The track's URI; empty if the failure is not of a track.
    public var uri: String

    /// Creates a failure.
    public init(code: String, message: String, uri: String = "") {
      (self.code, self.message, self.uri) = (code, message, uri)
    }
  }
}
