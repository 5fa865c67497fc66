/// AVFoundation's words for what a snapshot says.
extension Player.Snapshot {
  /// Why the player waits, nil unless it does; the counterpart of `AVPlayer.reasonForWaitingToPlay`.
  public var reasonForWaitingToPlay: Player.WaitingReason? {
    if case .waitingToPlay(let reason) = timeControlStatus { reason } else { nil }
  }

  /// Whether the buffer has run dry; the counterpart of `AVPlayerItem.isPlaybackBufferEmpty`.
  ///
  /// Unlike there it is false before anything is known of the item.
  public var isPlaybackBufferEmpty: Bool { transport != .stopped && bufferingPercent <= 0 }

  /// Whether the buffer is full; the counterpart of `AVPlayerItem.isPlaybackBufferFull`.
  ///
  /// False until the item is ready, and while stopped: nothing is held then.
  public var isPlaybackBufferFull: Bool { isLoaded && bufferingPercent >= 100 }

  /// Whether play would not wait for the buffer; the counterpart of `AVPlayerItem.isPlaybackLikelyToKeepUp`.
  ///
  /// A player here goes on when its buffer is full again, so that this and ``isPlaybackBufferFull`` agree; it is not
  /// estimated from the speed of the network.
  public var isPlaybackLikelyToKeepUp: Bool { isPlaybackBufferFull }

  /// Whether the pipeline has the item: after a lost output it is ready still, but opened anew.
  private var isLoaded: Bool {
    guard transport != .stopped, itemStatus == .readyToPlay else { return false }
    return reasonForWaitingToPlay == nil || reasonForWaitingToPlay == .toMinimizeStalls
  }
}
