public import Observation

/// What a player does, to be observed.
///
/// Every change is one transaction: all properties that differ are told of before the first of them is another, so that
/// no observer sees one of them new and another old. A property is told of only when its value differs. What lasts
/// shorter than an observer's turn may be passed over; ``Player/events()`` leaves nothing out.
///
/// ```swift
/// let state = player.state
/// let observer = Task { @PlayerActor in
///   for await status in Observations({ state.timeControlStatus }) { print(status) }
/// }
/// ```
///
/// The position is not observed, as it changes always: it is asked for with ``Player/snapshot``, or subscribed to with
/// ``Player/addPeriodicTimeObserver(forInterval:using:)``. A state keeps its last values when its player is closed or
/// dropped, and does not keep its player.
///
/// The counterpart of `AVPlayer` and `AVPlayerItem` with `AVPlayer.isObservationEnabled`, and of their key-value
/// observation. It costs nothing to who does not ask for ``Player/state``.
@PlayerActor @Observable
public final class PlayerState {
  /// All that is observed, of one moment.
  @ObservationIgnored private var snapshot: Player.Snapshot

  nonisolated init(_ snapshot: Player.Snapshot) { self.snapshot = snapshot }

  // MARK: Playback

  /// What was asked: stopped, paused or playing.
  public var transport: Player.Transport { value(\.transport) }

  /// Whether the position advances, or why not; the counterpart of `AVPlayer.timeControlStatus`.
  public var timeControlStatus: Player.TimeControlStatus { value(\.timeControlStatus) }

  /// Why the player waits, nil unless it does; the counterpart of `AVPlayer.reasonForWaitingToPlay`.
  ///
  /// It is a part of ``timeControlStatus`` and can be told of with it alone.
  public var reasonForWaitingToPlay: Player.WaitingReason? { value(\.reasonForWaitingToPlay) }

  /// The speed that was asked for, paused or not; 1 is normal.
  ///
  /// `AVPlayer.rate` would be 0 while paused.
  public var rate: Double { value(\.rate) }

  /// The speed that ``Player/play()`` resumes at, nil for ``rate``; the counterpart of `AVPlayer.defaultRate`.
  public var defaultRate: Double? { value(\.defaultRate) }

  /// What is done when an item has played to its end; the counterpart of `AVPlayer.actionAtItemEnd`.
  public var actionAtItemEnd: Player.ActionAtItemEnd { value(\.actionAtItemEnd) }

  /// The volume, linear, 0 to 10; 1 is unchanged.
  ///
  /// The counterpart of `AVPlayer.volume`. Another program may change it too: the desktop's mixer, for one.
  public var volume: Double { value(\.volume) }

  /// The output that was chosen, nil for what was configured; the counterpart of `AVPlayer.audioOutputDeviceUniqueID`.
  public var audioOutput: AudioOutput? { value(\.audioOutput) }

  /// Whether the sound is off, whatever the volume; the counterpart of `AVPlayer.isMuted`.
  public var isMuted: Bool { value(\.isMuted) }

  // MARK: The current item

  /// The current item, nil when the queue is empty; the counterpart of `AVPlayer.currentItem`.
  public var currentItem: PlayerItem? { value(\.currentItem) }

  /// The number of times the current item has followed itself; the counterpart of `AVPlayerLooper.loopCount`.
  public var loopCount: Int { value(\.loopCount) }

  /// How far the current item is; the counterpart of `AVPlayerItem.status`.
  public var itemStatus: Player.ItemStatus { value(\.itemStatus) }

  /// The last failure of an item or the output, nil before any; the counterpart of `AVPlayerItem.error`.
  ///
  /// It stays when another item plays.
  public var lastError: PlayerError? { value(\.lastError) }

  /// The current item's duration, nil when unknown or endless; the counterpart of `AVPlayerItem.duration`.
  public var duration: Duration? { value(\.duration) }

  /// What the current item's tags say; the counterpart of `AVAsset.metadata`.
  public var metadata: MediaMetadata { value(\.metadata) }

  /// The current item's chapters in the order of their starts; empty when it has none.
  ///
  /// The counterpart of `AVAsset.loadChapterMetadataGroups(bestMatchingPreferredLanguages:)`.
  public var chapters: [Chapter] { value(\.chapters) }

  /// The place in ``chapters`` of the one that play is in; nil for none.
  public var currentChapterIndex: Int? { value(\.currentChapterIndex) }

  /// The current item's audio tracks, in the media's order; empty until they are known.
  ///
  /// The counterpart of `AVMediaSelectionGroup.options`.
  public var audioTracks: [MediaDescription.AudioTrack] { value(\.audioTracks) }

  /// The place in ``audioTracks`` of the one that is heard; nil until it is known.
  ///
  /// The counterpart of `AVMediaSelection.selectedMediaOption(in:)`.
  public var audioTrackIndex: Int? { value(\.audioTrackIndex) }

  /// Whether the position can be set.
  ///
  /// The counterpart of `AVPlayerItem.seekableTimeRanges` that is not empty.
  public var isSeekable: Bool { value(\.isSeekable) }

  /// The languages whose audio tracks are played, the one liked best first; the counterpart of
  /// `AVPlayerMediaSelectionCriteria.preferredLanguages`.
  public var preferredAudioLanguages: [String] { value(\.preferredAudioLanguages) }

  // MARK: The buffer

  /// How full the network buffer is, 0 to 100; 100 for local files.
  public var bufferingPercent: Int { value(\.bufferingPercent) }

  /// Whether the buffer has run dry; the counterpart of `AVPlayerItem.isPlaybackBufferEmpty`.
  public var isPlaybackBufferEmpty: Bool { value(\.isPlaybackBufferEmpty) }

  /// Whether the buffer is full; the counterpart of `AVPlayerItem.isPlaybackBufferFull`.
  public var isPlaybackBufferFull: Bool { value(\.isPlaybackBufferFull) }

  /// Whether play would not wait for the buffer; the counterpart of `AVPlayerItem.isPlaybackLikelyToKeepUp`.
  public var isPlaybackLikelyToKeepUp: Bool { value(\.isPlaybackLikelyToKeepUp) }

  /// Whether play waits for a full buffer; the counterpart of `AVPlayer.automaticallyWaitsToMinimizeStalling`.
  public var automaticallyWaitsToMinimizeStalling: Bool { value(\.automaticallyWaitsToMinimizeStalling) }

  /// How much of a network stream is held ahead of the position, nil for what GStreamer thinks best; the counterpart of
  /// `AVPlayerItem.preferredForwardBufferDuration`.
  public var preferredForwardBufferDuration: Duration? { value(\.preferredForwardBufferDuration) }

  /// What has arrived of the current item; the counterpart of `AVPlayerItem.loadedTimeRanges`.
  ///
  /// Of a network stream it is an estimate from the level of its buffer, in quarters of a second.
  public var loadedTimeRanges: [Range<Duration>] { value(\.loadedTimeRanges) }

  /// Where the position can be set, empty where it cannot; the counterpart of `AVPlayerItem.seekableTimeRanges`.
  public var seekableTimeRanges: [Range<Duration>] { value(\.seekableTimeRanges) }

  // MARK: The queue

  /// What follows the end of an item; in the place of `AVPlayerLooper`.
  public var loop: LoopMode { value(\.loop) }

  /// Whether the queue plays in random order.
  public var isShuffled: Bool { value(\.isShuffled) }

  /// Whether ``Player/next()`` would change the current item.
  public var hasNext: Bool { value(\.hasNext) }

  /// Whether ``Player/previous()`` would change the current item.
  public var hasPrevious: Bool { value(\.hasPrevious) }

  // MARK: Transactions

  private func value<Value>(_ path: KeyPath<Player.Snapshot, Value>) -> Value {
    access(keyPath: (\PlayerState.snapshot).appending(path: path))
    return snapshot[keyPath: path]
  }

  /// Takes over everything at once.
  func update(_ new: Player.Snapshot) {
    let old = snapshot
    replace(with: new, telling: Self.properties.filter { $0.differs(old, new) }[...])
  }

  private func replace(with new: Player.Snapshot, telling properties: ArraySlice<Property>) {
    guard let property = properties.first else { return snapshot = new }
    property.mutate(self) { replace(with: new, telling: properties.dropFirst()) }
  }

  /// A property as its observers know it.
  private struct Property: Sendable {
    let differs: @Sendable (Player.Snapshot, Player.Snapshot) -> Bool
    let mutate: @PlayerActor (PlayerState, () -> Void) -> Void

    init<Value: Equatable & Sendable>(_ path: any KeyPath<Player.Snapshot, Value> & Sendable) {
      differs = { $0[keyPath: path] != $1[keyPath: path] }
      mutate = { state, body in state.withMutation(keyPath: (\PlayerState.snapshot).appending(path: path), body) }
    }
  }

  /// Every property above.
  private static let properties = [
    Property(\.transport), Property(\.timeControlStatus), Property(\.reasonForWaitingToPlay), Property(\.rate),
    Property(\.volume), Property(\.isMuted), Property(\.audioOutput), Property(\.currentItem), Property(\.itemStatus),
    Property(\.lastError),
    Property(\.duration), Property(\.metadata), Property(\.chapters), Property(\.currentChapterIndex),
    Property(\.isSeekable), Property(\.audioTracks), Property(\.audioTrackIndex),
    Property(\.preferredAudioLanguages),
    Property(\.bufferingPercent),
    Property(\.isPlaybackBufferEmpty), Property(\.isPlaybackBufferFull), Property(\.isPlaybackLikelyToKeepUp),
    Property(\.automaticallyWaitsToMinimizeStalling), Property(\.preferredForwardBufferDuration),
    Property(\.loadedTimeRanges), Property(\.seekableTimeRanges), Property(\.defaultRate), Property(\.actionAtItemEnd),
    Property(\.loop), Property(\.isShuffled), Property(\.hasNext), Property(\.hasPrevious),
  ]
}
