/// What can be played and sought without waiting, as far as GStreamer lets it be known.
extension PlaybackMachine {
  /// What has arrived of the current item: a file as a whole; of a stream, what is held from the position on.
  ///
  /// In quarters of a second, so that it does not change with every position.
  func loadedTimeRanges(at now: MonotonicTime) -> [Range<Duration>] {
    guard current.status == .readyToPlay, intent != .stopped, !loaded.isLive, let item = queue.current else {
      return []
    }
    if item.isLocal { return current.details.duration.map { [.zero..<$0] } ?? [] }
    guard phase.isReady else { return [] }
    let position = position(at: now)
    // Once a successor is asked for, all of the item has been read.
    let loaded = loaded.handOver.isEmpty ? loadedEnd : current.details.duration ?? position
    guard loaded > position else { return [] }
    let quarter = Duration.milliseconds(250)
    let start = quarter * (position.wholeNanoseconds / 250_000_000)
    let end = quarter * ((loaded.wholeNanoseconds + 249_999_999) / 250_000_000)
    let last = current.details.duration.map { min($0, end) } ?? end
    return start < last ? [start..<last] : []
  }

  /// Where the position can be set.
  var seekableTimeRanges: [Range<Duration>] {
    guard current.isSeekable, intent != .stopped, !queue.isEmpty, let duration = current.details.duration else {
      return []
    }
    return [.zero..<duration]
  }
}
