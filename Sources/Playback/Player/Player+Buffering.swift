extension Player {
  /// Sets whether play waits for a full buffer when it starts, and when the buffer has run dry; true at first.
  ///
  /// The counterpart of `AVPlayer.automaticallyWaitsToMinimizeStalling`. When it is false, play starts with what there
  /// is, and a buffer that runs dry pauses the player.
  public func setAutomaticallyWaitsToMinimizeStalling(_ waits: Bool) {
    core.apply { $0.setAutomaticallyWaits(waits, now: $1) }
  }

  /// Sets how much of a network stream is held ahead of the position; the counterpart of
  /// `AVPlayerItem.preferredForwardBufferDuration`.
  ///
  /// It holds from the next item that is opened.
  ///
  /// - Parameter duration: From a second to ten minutes; what is beyond is clamped. Nil for what GStreamer thinks best,
  ///   about two seconds.
  public func setPreferredForwardBufferDuration(_ duration: Duration?) {
    let duration = PlayerConfiguration.clamped(forwardBuffer: duration)
    core.apply { machine, _ in machine.setForwardBuffer(duration) }
  }

  /// Sets how long a stream that plays may bring nothing before it fails, or is looked for again; it holds at once.
  ///
  /// - Parameter timeout: From a tenth of a second; what is less is clamped. See ``PlayerConfiguration/networkTimeout``.
  public func setNetworkTimeout(_ timeout: Duration) {
    let timeout = PlayerConfiguration.clamped(timeout: timeout)
    core.apply { machine, _ in machine.settings.networkTimeout = timeout }
  }

  /// Plays at a speed with what the buffer holds, without waiting for more; the counterpart of
  /// `AVPlayer.playImmediately(atRate:)`.
  ///
  /// When the buffer is empty, or runs dry later, play waits until it is full again.
  ///
  /// - Parameter rate: Within ``rateRange``; a positive rate beyond it is clamped. With zero, a negative rate, or one that
  ///   is not finite, the call does nothing. The default rate does not matter.
  public func playImmediately(atRate rate: Double = 1) {
    guard let rate = Self.clamped(rate) else { return }
    core.apply { $0.playImmediately(atRate: rate, now: $1) }
  }
}
