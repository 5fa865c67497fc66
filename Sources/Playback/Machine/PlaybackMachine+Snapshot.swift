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
      isSeekable: current.isSeekable && intent != .stopped && !queue.isEmpty, rate: settings.rate,
      defaultRate: settings.defaultRate, actionAtItemEnd: settings.actionAtItemEnd, volume: settings.volume,
      audioOutput: settings.audioOutput, outputStatus: outputStatus, isMuted: settings.isMuted,
      crossfade: settings.crossfade,
      outgoingItem: outgoing?.item, loop: queue.loop,
      queueRevision: queue.revision, isShuffled: queue.isShuffled, hasNext: queue.next != nil,
      hasPrevious: queue.previous != nil,
      bufferingPercent: bufferingPercent, keepsUp: keepsUp(at: now),
      automaticallyWaitsToMinimizeStalling: settings.automaticallyWaits,
      preferredForwardBufferDuration: settings.forwardBuffer, loadedTimeRanges: loadedTimeRanges(at: now),
      seekableTimeRanges: seekableTimeRanges,
      isSettled: !current.awaitsTags && (!phase.isLoading || current.status == .readyToPlay),
      details: current.details)
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
    guard current.isSeekable, intent != .stopped, !queue.isEmpty, let duration = current.details.duration else {
      return []
    }
    return [.zero..<duration]
  }
}
