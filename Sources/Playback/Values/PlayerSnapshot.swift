extension Player {
  /// The state requested of the player.
  public enum Transport: Hashable, Sendable {
    /// Stopped, without loaded media; the current item stays.
    case stopped
    /// Paused; the position does not advance.
    case paused
    /// Playing now, or as soon as possible; see ``Player/TimeControlStatus``.
    case playing
  }

  /// Whether the position advances; the counterpart of `AVPlayer.TimeControlStatus`.
  public enum TimeControlStatus: Hashable, Sendable {
    /// Paused or stopped; playback does not start automatically.
    case paused
    /// Waiting to play, with the reason.
    case waitingToPlay(WaitingReason)
    /// Playing.
    case playing
  }

  /// The reason why a player waits before it plays; the counterpart of `AVPlayer.WaitingReason`.
  public enum WaitingReason: String, Hashable, Sendable {
    /// The buffer has run dry, or is filling.
    case toMinimizeStalls
    /// The item is being opened.
    case evaluatingBufferingRate
    /// An item to play is missing.
    case noItemToPlay
    /// The audio output is unavailable, and is retried.
    case noOutput
  }

  /// The status of the current item; the counterpart of `AVPlayerItem.Status`.
  public enum ItemStatus: Codable, Hashable, Sendable {
    /// Not loaded yet.
    case unknown
    /// Ready to play, or playing.
    case readyToPlay
    /// Failed; it cannot be played.
    case failed
  }

  /// A consistent view of a player.
  public struct Snapshot: Sendable {
    /// The requested state.
    public let transport: Transport
    /// Whether the position advances, with the reason if it does not.
    public let timeControlStatus: TimeControlStatus
    /// The current item; nil if the queue is empty.
    public let currentItem: Player.Item?
    /// The current item's index in the queue.
    public let currentIndex: Int?
    /// The number of times the current item has followed itself since it became current; the counterpart of
    /// `AVPlayerLooper.loopCount`.
    public let loopCount: Int
    /// The number of items in the queue.
    public let itemCount: Int
    /// The status of the current item.
    public let itemStatus: ItemStatus
    /// The last failure of an item or the output; nil before any.
    public let lastError: PlayerError?
    /// The position of the current item when the snapshot was taken; 0 while stopped.
    public internal(set) var position: Duration
    /// Whether the position was estimated by the last seek, in a stream from a server whose data has no times.
    ///
    /// Such a stream is MP3 or AAC without a container. The estimate is corrected towards the end of the data, which is
    /// reported as ``Player/Event/timeJumped(from:to:)``.
    public let isPositionEstimated: Bool
    /// The playhead, from which the position can be computed for any later instant.
    public internal(set) var anchor = Anchor(position: .zero, monotonicNanoseconds: 0, rate: 0)
    /// The current item's duration; nil if unknown or endless.
    public var duration: Duration? { details.duration }
    /// The duration of the current item's whole media, even if the item is a clip of it; nil if unknown, and while it is not
    /// loaded.
    package let mediaDuration: Duration?
    /// The current item's tags.
    public var metadata: MediaMetadata { details.metadata }
    /// The current item's chapters, sorted by start; empty if there are none.
    ///
    /// Nested chapters follow the enclosing one. The chapters are known by the time the first audio plays.
    public var chapters: [Chapter] { details.chapters }
    /// The index in ``chapters`` of the chapter at the position, the innermost of several; nil for none.
    public var currentChapterIndex: Int? { details.chapters.index(at: position, of: duration) }
    /// The current item's audio tracks, in the media's order; empty until they are known.
    public let audioTracks: [AudioTrack]
    /// The index of the playing track in ``audioTracks``; nil until it is known.
    public let audioTrackIndex: Int?
    /// The preferred languages of audio tracks, the most preferred first.
    public let preferredAudioLanguages: [String]
    /// Whether the position can be set.
    public let isSeekable: Bool
    /// The requested rate; 1 is normal.
    public let rate: Double
    /// The rate at which ``Player/play()`` resumes; nil for ``rate``.
    public let defaultRate: Double?
    /// The action when an item has played to its end.
    public let actionAtItemEnd: ActionAtItemEnd
    /// The volume, linear, 0 to 10; 1 is unchanged.
    public let volume: Double
    /// The selected output; nil for the configured one.
    public let audioOutput: AudioOutput?
    /// The actual destination of the audio.
    public let outputStatus: OutputStatus
    /// Whether the audio is muted, regardless of the volume.
    public let isMuted: Bool
    /// The crossfades.
    package let crossfade: Crossfade
    /// The item before the current one, while it fades out.
    package let outgoingItem: Player.Item?
    /// The loop mode, which decides what follows the end of an item.
    public let loop: Player.LoopMode
    /// A number that changes whenever the queue's items or their order change.
    package let queueRevision: UInt64
    /// The random order of the queue.
    package let shuffleMode: Player.ShuffleMode
    /// Whether ``Player/advanceToNextItem()`` would change the current item.
    public let hasNext: Bool
    /// Whether ``Player/returnToPreviousItem()`` would change the current item.
    public let hasPrevious: Bool
    /// Whether the connection to the broadcast of the current item is lost, and is retried while the player waits.
    package let isReconnecting: Bool
    /// The filled part of the forward buffer ahead of the position, 0 to 100; 100 for local files.
    public let bufferingPercent: Int
    /// Whether the data of a stream arrives fast enough to play to the end without a stall, as far as is known.
    let keepsUp: Bool
    /// Whether playback waits for a full buffer.
    public let automaticallyWaitsToMinimizeStalling: Bool
    /// The duration of a network stream to buffer ahead of the position; nil for the engine's default.
    public let preferredForwardBufferDuration: Duration?
    /// The received ranges of the current item, in order; for a network stream, an estimate from the received bytes.
    ///
    /// While a stream plays, its range contains the position. Without a seek, the end of the range never moves back.
    public internal(set) var loadedTimeRanges: [Range<Duration>]
    /// The ranges in which the position of the current item can be set, in order; empty if it cannot be set.
    public let seekableTimeRanges: [Range<Duration>]
    /// Whether the metadata is settled; false while an item is first opened, or while its tags are awaited.
    package let isSettled: Bool
    let details: ItemDetails
    /// The lines of the current item's lyrics with times, sorted by start; empty for a part of its media.
    package var lyrics: [LyricsLine] { currentItem?.isClip == true ? [] : details.lyrics }
    /// A number that changes whenever ``duration``, ``metadata`` or ``chapters`` change; for caches of derived values.
    package var detailsRevision: UInt64 { details.revision }
  }
}

/// The snapshot of a decision, which its events and readers share: a snapshot is large, and each copy of it retains its
/// texts and lists.
final class SharedSnapshot: Equatable, Sendable {
  let snapshot: Player.Snapshot

  init(_ snapshot: Player.Snapshot) { self.snapshot = snapshot }

  static func == (left: SharedSnapshot, right: SharedSnapshot) -> Bool { left === right }
}

extension Player.Snapshot {
  /// The destination of the audio.
  public enum OutputStatus: String, Hashable, Sendable {
    /// The selected or configured output, now or when it is opened.
    case selected
    /// Another device of the sound server, because the selected one was removed or the sound server moved the stream.
    case substituted
    /// None: no output could be opened, so playback runs silently against the clock, and outputs are retried.
    case silent
    /// None: the output failed and is opened again.
    case unavailable
  }
}
