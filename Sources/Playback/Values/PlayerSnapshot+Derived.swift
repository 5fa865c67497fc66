extension Player.Snapshot {
  /// Whether the queue plays in random order.
  public var isShuffled: Bool { shuffleMode != .off }
}

/// The properties of AVFoundation that derive from a snapshot.
extension Player.Snapshot {
  /// The reason why the player waits, nil unless it does; the counterpart of `AVPlayer.reasonForWaitingToPlay`.
  public var reasonForWaitingToPlay: Player.WaitingReason? {
    if case .waitingToPlay(let reason) = timeControlStatus { reason } else { nil }
  }

  /// Whether the buffer has run dry; the counterpart of `AVPlayerItem.isPlaybackBufferEmpty`.
  ///
  /// Unlike in AVFoundation, it is false before anything is known about the item.
  public var isPlaybackBufferEmpty: Bool { transport != .stopped && bufferingPercent <= 0 }

  /// Whether the buffer is full; the counterpart of `AVPlayerItem.isPlaybackBufferFull`.
  ///
  /// It is false until the item is ready, and while stopped, because no data is buffered then.
  public var isPlaybackBufferFull: Bool { isLoaded && bufferingPercent >= 100 }

  /// Whether playback would not wait for the buffer, and is not likely to stall before the end of the item; the counterpart
  /// of `AVPlayerItem.isPlaybackLikelyToKeepUp`.
  ///
  /// This player resumes when its buffer is full again. A full buffer is not enough if the data arrives more slowly than it
  /// is played, and the held data is too short to make up for that.
  public var isPlaybackLikelyToKeepUp: Bool { isPlaybackBufferFull && keepsUp }

  /// Whether the pipeline has the item; after a lost output, a ready item is opened again and is not loaded until then.
  private var isLoaded: Bool {
    guard transport != .stopped, itemStatus == .readyToPlay else { return false }
    return reasonForWaitingToPlay == nil || reasonForWaitingToPlay == .toMinimizeStalls
  }
}
