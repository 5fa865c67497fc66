/// What readers see.
extension PlaybackMachine {
  func snapshot(at now: MonotonicTime) -> Player.Snapshot {
    let isLoading = if case .loading = load { true } else { false }
    return Player.Snapshot(
      transport: transport, timeControlStatus: timeControlStatus, currentItem: queue.current,
      currentIndex: queue.currentIndex, loopCount: loopCount,
      itemCount: queue.items.count, itemStatus: itemStatus, lastError: lastError, position: position(at: now),
      audioTracks: audio.tracks, audioTrackIndex: audio.current, preferredAudioLanguages: audioLanguages,
      isSeekable: isSeekable && intent != .stopped && !queue.isEmpty, rate: rate, defaultRate: defaultRate,
      actionAtItemEnd: actionAtItemEnd, volume: volume, audioOutput: audioOutput, outputStatus: outputStatus,
      isMuted: isMuted,
      loop: queue.loop, queueRevision: queue.revision,
      isShuffled: queue.isShuffled, hasNext: queue.next != nil, hasPrevious: queue.previous != nil,
      bufferingPercent: bufferingPercent, automaticallyWaitsToMinimizeStalling: automaticallyWaits,
      preferredForwardBufferDuration: forwardBuffer, loadedTimeRanges: loadedTimeRanges(at: now),
      seekableTimeRanges: seekableTimeRanges, isSettled: !awaitsTags && (!isLoading || itemStatus == .readyToPlay),
      details: details)
  }

  /// Whether play goes on, seeks apart: what periodic observers hear the changes of.
  var advances: Bool { timeControlStatus == .playing }

  private var transport: Player.Transport {
    switch intent {
    case .stopped: .stopped
    case .paused: .paused
    case .playing: .playing
    }
  }

  private var timeControlStatus: Player.TimeControlStatus {
    guard intent == .playing, !queue.isEmpty, !isAtEnd else { return .paused }
    switch load {
    case .outputLost: return .waitingToPlay(.noOutput)
    case .none, .loading, .parked, .sourceLost: return .waitingToPlay(.evaluatingBufferingRate)
    case .ready:
      if hasEnough { return .playing }
      return .waitingToPlay(automaticallyWaits ? .toMinimizeStalls : .evaluatingBufferingRate)
    }
  }
}
