import Synchronization

extension AVPlayerItem {
  // MARK: Metadata

  /// The metadata given by the program; the player does not use it.
  nonisolated public var externalMetadata: [AVMetadataItem] {
    get { state.withLock { $0.externalMetadata } }
    set { state.withLock { $0.externalMetadata = newValue } }
  }

  /// The info of the item for an `MPNowPlayingSession` of the module `MediaPlayer` that publishes automatically.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/nowplayinginfo>
  nonisolated public var nowPlayingInfo: [String: Any]? {
    get { state.withLock { $0.nowPlayingInfo }.values }
    set {
      let info = NowPlayingInfo(values: newValue)
      state.withLock { $0.nowPlayingInfo = info }
      MainQueue.async { [self] in keyValueObservers.notify(self) }
    }
  }
}
