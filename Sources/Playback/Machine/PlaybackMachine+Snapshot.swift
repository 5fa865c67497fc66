/// The state that readers see, without what advances with the position: a decision that changes it reports `changed`.
///
/// Each decision makes it twice, so it holds what the values of a snapshot derive from: the items, for example, differ only if the
/// revision of the queue does. The range of a stream is the announced one, because a growing range is reported four times a
/// second at most.
struct VisibleState: Equatable {
  fileprivate var intent: PlaybackMachine.Intent
  fileprivate var status: Player.TimeControlStatus
  /// Whether the position advances, which the anchor of the snapshot shows.
  fileprivate var isMoving: Bool
  fileprivate var queueRevision: UInt64
  fileprivate var currentIndex: Int?
  fileprivate var loop: Player.LoopMode
  fileprivate var loopCount: Int
  fileprivate var itemStatus: Player.ItemStatus
  fileprivate var details: UInt64
  fileprivate var isSettled: Bool
  fileprivate var isSeekable: Bool
  fileprivate var isEstimated: Bool
  fileprivate var media: Duration?
  fileprivate var audioTracks: [AudioTrack]
  fileprivate var audioTrack: Int?
  fileprivate var isReconnecting: Bool
  fileprivate var bufferingPercent: Int
  fileprivate var keepsUp: Bool
  fileprivate var range: Range<Duration>?
  fileprivate var stationRange: Range<Duration>?
  fileprivate var outgoing: StreamToken?
  fileprivate var outputStatus: Player.Snapshot.OutputStatus
  fileprivate var lastError: PlayerError?
  fileprivate var settings: PlaybackSettings
}

/// Makes the snapshot that readers see.
extension PlaybackMachine {
  func snapshot(at now: MonotonicTime) -> Player.Snapshot {
    Player.Snapshot(
      transport: transport, timeControlStatus: timeControlStatus, currentItem: queue.current,
      currentIndex: queue.currentIndex, loopCount: current.loopCount, itemCount: queue.items.count,
      itemStatus: current.status, lastError: lastError, position: position(at: now),
      isPositionEstimated: loaded.isEstimated, mediaDuration: loaded.media, audioTracks: current.audio.tracks,
      audioTrackIndex: current.audio.current,
      preferredAudioLanguages: settings.audioLanguages,
      isSeekable: isSeekable, rate: settings.rate,
      defaultRate: settings.defaultRate, actionAtItemEnd: settings.actionAtItemEnd, volume: settings.volume,
      audioOutput: settings.audioOutput, outputStatus: outputStatus, isMuted: settings.isMuted,
      crossfade: settings.crossfade,
      outgoingItem: outgoing?.item, loop: queue.loop,
      queueRevision: queue.revision, shuffleMode: queue.shuffleMode, hasNext: queue.next != nil,
      hasPrevious: queue.previous != nil, isReconnecting: current.isReconnecting,
      bufferingPercent: bufferingPercent, keepsUp: keepsUp(at: now),
      automaticallyWaitsToMinimizeStalling: settings.automaticallyWaits,
      preferredForwardBufferDuration: settings.forwardBuffer, loadedTimeRanges: loadedTimeRanges(at: now),
      seekableTimeRanges: seekableTimeRanges,
      isSettled: isSettled, details: current.details)
  }

  /// The state that readers see; each value of a snapshot derives from one of its values, or from the position.
  func visibleState(at now: MonotonicTime) -> VisibleState {
    VisibleState(
      intent: intent, status: timeControlStatus, isMoving: timebase.isRunning && !loaded.isSeeking,
      queueRevision: queue.revision, currentIndex: queue.currentIndex, loop: queue.loop, loopCount: current.loopCount,
      itemStatus: current.status, details: current.details.revision, isSettled: isSettled, isSeekable: isSeekable,
      isEstimated: loaded.isEstimated, media: loaded.media, audioTracks: current.audio.tracks,
      audioTrack: current.audio.current, isReconnecting: current.isReconnecting,
      bufferingPercent: bufferingPercent, keepsUp: keepsUp(at: now),
      range: loaded.buffer.range.announced, stationRange: stationRange, outgoing: outgoing?.token,
      outputStatus: outputStatus,
      lastError: lastError,
      settings: settings.visible)
  }

  private var isSettled: Bool { !current.awaitsTags && (!phase.isLoading || current.status == .readyToPlay) }

  /// Whether the position can be set.
  private var isSeekable: Bool {
    (current.isSeekable || stationRange != nil) && intent != .stopped && !queue.isEmpty
  }

  /// Whether playback advances; seeks do not change this.
  ///
  /// Periodic observers are notified of its changes.
  var advances: Bool { timeControlStatus == .playing }

  private var transport: Player.Transport {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: .playing
    }
  }

  var timeControlStatus: Player.TimeControlStatus {
    guard intent == .playing, !queue.isEmpty, !phase.isAtEnd else { return .paused }
    switch phase.state {
    case .outputLost: return .waitingToPlay(.noOutput)
    case .none, .loading, .released, .sourceLost: return .waitingToPlay(.evaluatingBufferingRate)
    case .ready:
      if scheduledStart != nil { return .waitingToPlay(.evaluatingBufferingRate) }
      if hasEnough { return .playing }
      return .waitingToPlay(settings.automaticallyWaits ? .toMinimizeStalls : .evaluatingBufferingRate)
    }
  }

  // MARK: Ranges, as far as GStreamer reports them

  /// The ranges in which the position can be set.
  var seekableTimeRanges: [Range<Duration>] {
    guard isSeekable else { return [] }
    let range = current.isSeekable ? current.details.duration.map { .zero..<$0 } : stationRange
    return range.map { [$0] } ?? []
  }
}
