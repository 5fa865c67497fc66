/// What can be played and sought without waiting, as far as GStreamer lets it be known.
extension PlaybackMachine {
  /// How much the pipeline buffers when nothing else is asked for.
  private static let usualForwardBuffer = Duration.seconds(2)

  /// What has arrived of the current item: a file as a whole; of a stream, what the buffer holds from the position on.
  ///
  /// The pipeline does not tell the bounds; they come from the level of the buffer, in quarters of a second.
  func loadedTimeRanges(at now: MonotonicTime) -> [Range<Duration>] {
    guard itemStatus == .readyToPlay, intent != .stopped, !isLive, let item = queue.current else { return [] }
    if item.isLocal { return details.duration.map { [.zero..<$0] } ?? [] }
    guard load == .ready else { return [] }
    let position = position(at: now)
    let quarters = position.wholeNanoseconds / 250_000_000
    let start = Duration.milliseconds(250) * quarters
    let held = (forwardBuffer ?? Self.usualForwardBuffer) * buffer.shownPercent / 100
    let end = start + (start == position ? .zero : .milliseconds(250)) + held
    let last = details.duration.map { min($0, end) } ?? end
    return start < last ? [start..<last] : []
  }

  /// Where the position can be set.
  var seekableTimeRanges: [Range<Duration>] {
    guard isSeekable, intent != .stopped, !queue.isEmpty, let duration = details.duration else { return [] }
    return [.zero..<duration]
  }
}
