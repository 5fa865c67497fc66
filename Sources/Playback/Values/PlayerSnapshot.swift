extension Player {
  /// What was asked of the player.
  public enum Transport: Hashable, Sendable {
    /// Nothing plays and nothing is loaded; the current item stays.
    case stopped
    /// The position stands.
    case paused
    /// The player plays, or will as soon as it can; see ``Player/TimeControlStatus``.
    case playing
  }

  /// Whether the position advances; the counterpart of `AVPlayer.TimeControlStatus`.
  public enum TimeControlStatus: Hashable, Sendable {
    /// Paused or stopped; it does not start by itself.
    case paused
    /// Wants to play and cannot yet; the reason tells why.
    case waitingToPlay(WaitingReason)
    /// Plays.
    case playing
  }

  /// Why a player that wants to play waits; the counterpart of `AVPlayer.WaitingReason`.
  public enum WaitingReason: String, Hashable, Sendable {
    /// The buffer has run dry, or is filling.
    case toMinimizeStalls
    /// The item is being opened.
    case evaluatingBufferingRate
    /// There is nothing to play.
    case noItemToPlay
    /// The audio output is gone, and is tried again.
    case noOutput
  }

  /// Where the sound goes.
  public enum OutputStatus: String, Hashable, Sendable {
    /// To the output that was chosen or configured, or will go there.
    case selected
    /// To another device of the sound system, because the chosen one was removed or the sound system moved the stream.
    case substituted
    /// Nowhere: no output opens, so playback runs silently against the clock, and outputs are tried.
    case silent
    /// Nowhere: the output failed and is opened again.
    case unavailable
  }

  /// How far the current item is; the counterpart of `AVPlayerItem.Status`.
  public enum ItemStatus: Hashable, Sendable {
    /// Not loaded yet.
    case unknown
    /// It plays or can play.
    case readyToPlay
    /// It cannot be played.
    case failed
  }

  /// One consistent view of a player.
  public struct Snapshot: Sendable {
    /// What was asked.
    public let transport: Transport
    /// Whether the position advances, or why not.
    public let timeControlStatus: TimeControlStatus
    /// The current item; nil when the queue is empty.
    public let currentItem: PlayerItem?
    /// The current item's place in the queue.
    public let currentIndex: Int?
    /// The number of times the current item has followed itself since it became current; the counterpart of
    /// `AVPlayerLooper.loopCount`.
    public let loopCount: Int
    /// How many items the queue has.
    public let itemCount: Int
    /// How far the current item is.
    public let itemStatus: ItemStatus
    /// The last failure of an item or the output; nil before any.
    public let lastError: PlayerError?
    /// The position of the current item when the snapshot was taken; 0 while stopped.
    public internal(set) var position: Duration
    /// The course of the position, from which it can be computed for every later moment.
    public internal(set) var anchor = Anchor(position: .zero, monotonicNanoseconds: 0, rate: 0)
    /// The current item's duration; nil when unknown or endless.
    public var duration: Duration? { details.duration }
    /// What the current item's tags say.
    public var metadata: MediaMetadata { details.metadata }
    /// The current item's chapters in the order of their starts; empty when it has none.
    ///
    /// A chapter inside of another follows that one. They come with the first sound or before.
    public var chapters: [Chapter] { details.chapters }
    /// The place in ``chapters`` of the one that the position lies in, the innermost of several; nil for none.
    public var currentChapterIndex: Int? { details.chapters.index(at: position, of: duration) }
    /// The current item's audio tracks, in the media's order; empty until they are known.
    public let audioTracks: [MediaDescription.AudioTrack]
    /// The place in ``audioTracks`` of the one that is heard; nil until it is known.
    public let audioTrackIndex: Int?
    /// The languages whose audio tracks are played, the one liked best first.
    public let preferredAudioLanguages: [String]
    /// Whether the position can be set.
    public let isSeekable: Bool
    /// The speed that was asked for; 1 is normal.
    public let rate: Double
    /// The speed that ``Player/play()`` resumes at; nil for ``rate``.
    public let defaultRate: Double?
    /// What is done when an item has played to its end.
    public let actionAtItemEnd: ActionAtItemEnd
    /// Linear, 0 to 10; 1 is unchanged.
    public let volume: Double
    /// The output that was chosen; nil for what was configured.
    public let audioOutput: AudioOutput?
    /// Whether the sound goes to that output.
    public let outputStatus: OutputStatus
    /// Whether the sound is off, whatever the volume.
    public let isMuted: Bool
    /// What follows the end of an item.
    public let loop: LoopMode
    /// Another number whenever the queue's items or their order are others.
    public let queueRevision: UInt64
    /// Whether the queue plays in random order.
    public let isShuffled: Bool
    /// Whether ``Player/next()`` would change the current item.
    public let hasNext: Bool
    /// Whether ``Player/previous()`` would change the current item.
    public let hasPrevious: Bool
    /// How much of the forward buffer is held ahead of the position, 0 to 100; 100 for local files.
    public let bufferingPercent: Int
    /// Whether play waits for a full buffer.
    public let automaticallyWaitsToMinimizeStalling: Bool
    /// How much of a network stream is held ahead of the position; nil for what GStreamer thinks best.
    public let preferredForwardBufferDuration: Duration?
    /// What has arrived of the current item, in order; of a network stream an estimate from the bytes that arrived.
    public internal(set) var loadedTimeRanges: [Range<Duration>]
    /// Where the position of the current item can be set, in order; empty where it cannot.
    public let seekableTimeRanges: [Range<Duration>]
    /// False while an item is being opened and its tags are still to come.
    public let isSettled: Bool
    let details: ItemDetails
    /// Another number whenever ``duration``, ``metadata`` or ``chapters`` are others; for caches of what is derived from them.
    public var detailsRevision: UInt64 { details.revision }
  }
}
