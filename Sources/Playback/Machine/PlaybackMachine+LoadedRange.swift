/// Decides which range of a network stream readers see as received.
///
/// The range contains the position while playback advances. Its end moves back only with the position, by a seek or after a
/// stall. Both bounds are in quarters of a second, and change together, at most four times a second.
extension PlaybackMachine {
  /// Returns the received ranges of the current item: all of a file; of a stream, the data held from the position on.
  func loadedTimeRanges(at now: MonotonicTime) -> [Range<Duration>] {
    guard current.status == .readyToPlay, intent != .stopped, !loaded.isLive, let item = queue.current else {
      return []
    }
    if item.isLocal { return current.details.duration.map { [.zero..<$0] } ?? [] }
    let isShown = StreamBuffer.contains(position(at: now), loaded.buffer.range, until: current.details.duration)
    let range = isShown ? loaded.buffer.range : receivedRange(at: now)
    // The media may have ended earlier than it was to.
    return range.map { [$0.clamped(to: .zero..<(current.details.duration ?? $0.upperBound))] } ?? []
  }

  /// Updates the range that readers see; after each decision.
  mutating func updateLoadedRange(now: MonotonicTime) {
    guard isStreaming, !loaded.isLive, !loaded.isSeeking else { return }
    if !showReceivedRange(now: now), loaded.buffer.rangeDue == nil {
      loaded.buffer.rangeDue = loaded.buffer.rangeSince + StreamBuffer.rangeInterval
    }
  }

  /// Notes the range that readers see if the decision has an event, whose snapshot contains it.
  mutating func noteAnnouncedRange() {
    let isAnnounced = effects.contains { if case .emit = $0 { true } else { false } }
    if isAnnounced, phase.isLoaded { loaded.buffer.announcedRange = loaded.buffer.range }
  }

  /// Handles that more of a stream was received.
  mutating func progressed(_ stream: StreamToken, _ progress: StreamProgress, now: MonotonicTime) {
    loaded.successors.update(stream) { $0.progress = progress }
    guard stream == token, isStreaming, !loaded.isLive, !loaded.isSeeking else { return }
    loaded.buffer.progress = progress
    announceLoadedRange(now: now)
  }

  /// Announces a range that has grown, when the one before it has been shown long enough, and measures its end.
  mutating func passLoadedRange(now: MonotonicTime) {
    if let due = loadedRangeDue, due <= now { announceLoadedRange(now: now) }
    if let due = rangeEndDue, due <= now { timebase.sampleBy(now) }
  }

  /// Announces a range after a measurement, if playback is about to leave the one that clients know.
  mutating func announceMeasuredRange(of stream: StreamToken, now: MonotonicTime) {
    guard stream == token, isStreaming, timebase.isRunning, !loaded.isLive, !loaded.isSeeking,
      let known = loaded.buffer.announcedRange,
      !StreamBuffer.contains(position(at: now) + Self.rangeLead, known, until: current.details.duration)
    else { return }
    announceLoadedRange(now: now)
  }

  /// The instant at which a range that has grown is announced; nil if it was.
  var loadedRangeDue: MonotonicTime? { phase.isReady && !loaded.isSeeking ? loaded.buffer.rangeDue : nil }

  /// The time before the end of the range at which it is measured.
  private static let rangeLead = Duration.milliseconds(250)

  /// The instant at which playback is about to reach the end of the range, which is then measured; nil at the end of the item.
  ///
  /// The end of the range is an estimate: if the media claims too short a duration, more has been received, and the engine
  /// reports nothing until further data arrives.
  var rangeEndDue: MonotonicTime? {
    guard isStreaming, timebase.isRunning, !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil,
      // These are measured in time.
      !watchesArrival, !mayRunDry,
      let end = loaded.buffer.range?.upperBound, end != current.details.duration
    else { return nil }
    return timebase.anchor.instant(reaching: end - Self.rangeLead, from: timebase.lastSample + Timebase.sampleInterval)
  }

  mutating func announceLoadedRange(now: MonotonicTime) {
    let isShown = showReceivedRange(now: now)
    loaded.buffer.rangeDue = isShown ? nil : loaded.buffer.rangeSince + StreamBuffer.rangeInterval
    // One that was shown when the position left the range before it may be followed by others without end.
    loaded.buffer.announcedRange = loaded.buffer.range
  }

  /// Shows the received range; returns false if the one before it has not been shown long enough.
  private mutating func showReceivedRange(now: MonotonicTime) -> Bool {
    loaded.buffer.loadedEnd = max(loaded.buffer.loadedEnd, loadedEnd)
    let range = receivedRange(at: now)
    return loaded.buffer.show(range, at: position(at: now), until: current.details.duration, now: now)
  }

  /// Returns the range of the data held from the position on; nil if nothing is held.
  private func receivedRange(at now: MonotonicTime) -> Range<Duration>? {
    guard phase.isReady else { return nil }
    let (position, duration) = (position(at: now), current.details.duration)
    let end = max(loaded.buffer.loadedEnd, loadedEnd)
    let received = loaded.isRead ? duration ?? end : end
    // Audible data has been received, although an estimate may lag behind.
    let isAudible = timeControlStatus == .playing && !loaded.isSeeking
    guard received > position || isAudible else { return nil }
    let quarter = Duration.milliseconds(250)
    var start = quarter.multiplied(by: position.wholeNanoseconds / 250_000_000)
    // Rounded up without a sum, because a server may state the greatest time.
    let (quarters, rest) = received.wholeNanoseconds.quotientAndRemainder(dividingBy: 250_000_000)
    var upper = max(quarter.multiplied(by: rest > 0 ? quarters + 1 : quarters), start + quarter)
    if let duration {
      upper = min(upper, duration)
      // At the end of the item, nothing is left.
      if start >= upper { start = max(.zero, upper - quarter) }
    }
    return start < upper ? start..<upper : nil
  }
}
