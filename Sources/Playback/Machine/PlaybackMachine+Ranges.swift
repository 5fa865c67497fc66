/// The loaded and the seekable ranges of the current item, as far as GStreamer reports them.
extension PlaybackMachine {
  /// Returns the received ranges of the current item: all of a file; of a stream, the data held from the position on.
  ///
  /// The bounds are in quarters of a second, so that they do not change with every position.
  func loadedTimeRanges(at now: MonotonicTime) -> [Range<Duration>] {
    guard current.status == .readyToPlay, intent != .stopped, !loaded.isLive, let item = queue.current else {
      return []
    }
    if item.isLocal { return current.details.duration.map { [.zero..<$0] } ?? [] }
    guard phase.isReady else { return [] }
    let position = position(at: now)
    // A successor is requested only after the whole item has been read.
    let loaded = loaded.gaplessQueue.isEmpty ? loadedEnd : current.details.duration ?? position
    guard loaded > position else { return [] }
    let quarter = Duration.milliseconds(250)
    let start = quarter.multiplied(by: position.wholeNanoseconds / 250_000_000)
    // Rounded up without a sum, because a server may state the greatest time.
    let (quarters, rest) = loaded.wholeNanoseconds.quotientAndRemainder(dividingBy: 250_000_000)
    let end = quarter.multiplied(by: rest > 0 ? quarters + 1 : quarters)
    let last = current.details.duration.map { min($0, end) } ?? end
    return start < last ? [start..<last] : []
  }

  /// The ranges in which the position can be set.
  var seekableTimeRanges: [Range<Duration>] {
    guard current.isSeekable, intent != .stopped, !queue.isEmpty, let duration = current.details.duration else {
      return []
    }
    return [.zero..<duration]
  }
}
