public import MPRISService

/// Everything that clients can read of a player beyond MPRIS, at one moment.
///
/// The properties of `org.playerd.Monitor1`, and the place in the queue. A snapshot with nothing loaded has no track, and is paused without a reason.
public struct MonitorSnapshot: Equatable, Sendable {
  /// The current track; nil when nothing is loaded.
  public var track: TrackID?
  /// How far the current track is.
  public var itemStatus = ItemStatus.unknown
  /// Whether the position advances.
  public var timeControlStatus = TimeControlStatus.paused
  /// Why it does not, while ``timeControlStatus`` is `waitingToPlay`.
  public var waitingReason: WaitingReason?
  /// Whether the buffer has run dry.
  public var isPlaybackBufferEmpty = false
  /// Whether the buffer is full.
  public var isPlaybackBufferFull = false
  /// Whether play would not wait for the buffer.
  public var isPlaybackLikelyToKeepUp = false
  /// How full the buffer is, 0 to 100.
  public var bufferingPercent = 100
  /// What has been loaded of the current track.
  public var loadedTimeRanges: [Range<Duration>] = []
  /// Where the position of the current track can be set.
  public var seekableTimeRanges: [Range<Duration>] = []
  /// The course of the position.
  public var anchor = Anchor()
  /// The current track's duration; nil when unknown or endless.
  public var duration: Duration?
  /// The current track's chapters, in order of time.
  public var chapters: [Chapter] = []
  /// The chapter of the position; nil for none.
  public var currentChapter: Int?
  /// The current track's place in the queue, from 0; nil when nothing is loaded.
  public var queueIndex: Int?
  /// How many tracks the queue has.
  public var queueCount = 0
  /// The last failure; nil before any.
  public var lastFailure: Failure?
  /// What `org.playerd.Extras1` tells.
  public var extras = ExtrasSnapshot()

  /// Creates the snapshot of a player with nothing loaded; the rest is assigned.
  public init() {}

  /// How far a track is.
  public enum ItemStatus: String, Hashable, Sendable, CaseIterable {
    /// Not loaded yet.
    case unknown
    /// It plays or can play.
    case readyToPlay
    /// It cannot be played.
    case failed
  }

  /// Whether the position advances.
  public enum TimeControlStatus: String, Hashable, Sendable, CaseIterable {
    /// Paused or stopped; it does not start by itself.
    case paused
    /// Wants to play and cannot yet.
    case waitingToPlay
    /// Plays.
    case playing
  }

  /// Why a player that wants to play waits.
  public enum WaitingReason: String, Hashable, Sendable, CaseIterable {
    /// The buffer has run dry, or is filling.
    case toMinimizeStalls
    /// The track is being opened.
    case evaluatingBufferingRate
    /// The item that is to play is not known yet: a playlist, a folder or a server is being read.
    case noItemToPlay
    /// The output is gone, and is tried again.
    case noOutput
  }

  /// Where the position was at an instant, and how fast it has run since.
  public struct Anchor: Hashable, Sendable {
    /// The position at that instant.
    public var position = Duration.zero
    /// The instant: microseconds of `CLOCK_MONOTONIC`.
    public var monotonicMicroseconds: Int64 = 0
    /// Media seconds a second; 0 while the position stands.
    public var rate = 0.0

    /// Creates the anchor of a position of 0 that stands; the rest is assigned.
    public init() {}
  }

  /// A chapter of a track.
  public struct Chapter: Hashable, Sendable {
    /// Where it starts.
    public var start: Duration
    /// How long it is; 0 when unknown.
    public var duration: Duration
    /// Its title, empty when it has none.
    public var title: String

    /// Creates a chapter.
    public init(start: Duration, duration: Duration, title: String) {
      (self.start, self.duration, self.title) = (start, duration, title)
    }
  }

  /// Why a track, or the output, failed.
  public struct Failure: Hashable, Sendable {
    /// What kind of failure it was, such as `not-found`.
    public var code: String
    /// One sentence for a person.
    public var message: String
    /// The track's URI; empty when it was no track that failed.
    public var uri: String

    /// Creates a failure.
    public init(code: String, message: String, uri: String = "") {
      (self.code, self.message, self.uri) = (code, message, uri)
    }
  }
}
