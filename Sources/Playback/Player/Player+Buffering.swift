extension Player {
  /// Whether playback waits for a full buffer when it starts, and when the buffer has run dry; initially true.
  ///
  /// The counterpart of `AVPlayer.automaticallyWaitsToMinimizeStalling`. If it is false, playback starts with the data
  /// that is available, and a buffer that runs dry pauses the player.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { core.value { $0.settings.automaticallyWaits } }
    set { core.apply(.setAutomaticallyWaits(newValue)) }
  }

  /// The duration of a network stream to buffer ahead of the position, 1 s to 10 min; nil for the engine's default,
  /// about 2 s.
  ///
  /// A duration beyond the range is clamped. A change applies from the next item that is opened. The counterpart of
  /// `AVPlayerItem.preferredForwardBufferDuration`.
  public var preferredForwardBufferDuration: Duration? {
    get { core.value { $0.settings.forwardBuffer } }
    set { core.apply(.setForwardBuffer(Player.Configuration.clamped(forwardBuffer: newValue))) }
  }

  /// The time that a playing stream may spend without data before it fails or is reconnected; 0.1 s or more.
  ///
  /// A shorter time is clamped. A change applies at once. The initial value is ``Player/Configuration/networkTimeout``.
  public var networkTimeout: Duration {
    get { core.value { $0.settings.networkTimeout } }
    set { core.apply(.setNetworkTimeout(Player.Configuration.clamped(timeout: newValue))) }
  }

  /// Plays at a rate with the buffered data, without waiting for more; the counterpart of
  /// `AVPlayer.playImmediately(atRate:)`.
  ///
  /// If the buffer is empty, or runs dry later, playback waits until it is full again.
  ///
  /// - Parameter rate: Within ``rateRange``; a positive rate beyond it is clamped. The call does nothing if the rate is
  ///   zero, negative or not finite. The default rate is not used.
  public func playImmediately(atRate rate: Double = 1) {
    if let rate = Self.clamped(rate) { core.apply(.playImmediately(rate: rate)) }
  }
}
