import GstPlayer

extension AVPlayerItem {
  /// The time of the item, and the rate at which it advances now: 0 while the item is paused, stalls or is not current.
  ///
  /// <https://developer.apple.com/documentation/avfoundation/avplayeritem/timebase>
  nonisolated public var timebase: CMTimebase? {
    CMTimebase { [weak self] in
      guard let self else { return (.invalid, 0) }
      let snapshot = snapshot
      return (currentTime(), snapshot?.timeControlStatus == .playing ? snapshot?.rate ?? 0 : 0)
    }
  }
}
