/// Decides whether the received data of a stream is enough to play.
///
/// A server that becomes silent is no error of GStreamer: the buffer, and a position that does not advance, show it.
extension PlaybackMachine {
  /// The fill level that readers see, in percent; 0 for a lost source.
  var bufferingPercent: Int { phase.isSourceLost ? 0 : loaded.buffer.percent }

  /// Whether the buffer holds enough to play: to start, or to continue until all of it has been played.
  var hasEnough: Bool {
    if loaded.buffer.isStarved { return false }
    if loaded.isLive || loaded.buffer.percent >= 100 || playsOn { return true }
    return (loaded.buffer.isEnoughUnlessEmpty || !settings.automaticallyWaits)
      && loaded.buffer.held >= StreamBuffer.leastStart
  }

  /// Whether current playback continues with the remaining data.
  private var playsOn: Bool {
    loaded.isWanted && !loaded.isSeeking && !loaded.buffer.isDry
      && (!loaded.buffer.isRefilling || fade.pauseDue != nil)
  }

  mutating func buffering(_ stream: StreamToken, percent: Int, _ progress: StreamProgress, now: MonotonicTime) {
    let percent = min(max(0, percent), 100)
    if loaded.successors.update(stream, { $0.queued = percent }) { loaded.successorArrival = now }
    guard stream == token, !loaded.isLive, loaded.sourceFailure == nil else { return }
    loaded.buffer.arrival = now
    loaded.buffer.isAnnounced = true
    loaded.buffer.progress = progress
    // Headers may arrive without end, so the time is at most doubled.
    if percent != loaded.buffer.queued { loaded.deadline = min(now + configuration.loadTimeout, loaded.latestDeadline) }
    loaded.buffer.queued = percent
    let before = (loaded.buffer.percent, hasEnough)
    assessBuffer(now: now)
    if let due = nextBufferCheck(now: now) { timebase.sampleBy(due) }
    if before != (loaded.buffer.percent, hasEnough) {
      bufferChanged(now: now)
    } else {
      progressed(stream, progress, now: now)
    }
  }

  /// Plays or waits according to the buffer, after each change of it.
  mutating func bufferChanged(now: MonotonicTime) {
    // A seek has emptied the buffer, which was reported after the end of the seek.
    if !loaded.isSeeking, timebase.isRunning, !hasEnough { freeze(at: now) }
    reconcile(now: now)
  }

  /// Whether the current item is streamed through a buffer.
  var isStreaming: Bool { phase.isReady && queue.current?.isLocal == false }

  /// Updates the progress of a stream.
  mutating func follow(_ progress: StreamProgress, of stream: StreamToken) {
    if stream == token, !loaded.isSeeking { loaded.buffer.progress = progress }
  }

  /// The end of the decoded data of the current item.
  var decodedEnd: Duration { itemTime(loaded.buffer.progress.decoded, of: token) ?? .zero }

  /// The end of the received data of the current item.
  var loadedEnd: Duration {
    let estimate = itemTime(loaded.buffer.progress.loaded(ofDuration: loaded.media), of: token) ?? .zero
    return max(decodedEnd, estimate - loaded.buffer.surplus)
  }

  /// Compares the buffered duration with its goal.
  mutating func assessBuffer(now: MonotonicTime) {
    guard loaded.buffer.isAnnounced, loaded.sourceFailure == nil else { return }
    let goal = settings.forwardBuffer ?? StreamBuffer.usualForwardBuffer
    loaded.buffer.hold(loadedEnd - position(at: now), of: goal)
  }

  /// Whether playback may reach the end of the received data: GStreamer's queue is not full, and more data is expected.
  var mayRunDry: Bool {
    guard loaded.buffer.isAnnounced, loaded.buffer.queued < 100, loaded.isWanted, timebase.isRunning,
      !loaded.isSeeking, !loaded.isLive, loaded.sourceFailure == nil, !loaded.isRead
    else { return false }
    return current.details.duration.map { decodedEnd < $0 - StreamBuffer.stallMargin } ?? true
  }

  /// Returns the instant of the next check whether the buffer has run dry.
  private func nextBufferCheck(now: MonotonicTime) -> MonotonicTime? {
    mayRunDry ? timebase.anchor.instant(reaching: decodedEnd - StreamBuffer.stallMargin, from: now) : nil
  }

  /// Checks at a newly measured position whether the buffer has run dry.
  mutating func followBuffer(at position: Duration, now: MonotonicTime) {
    let before = (loaded.buffer.percent, hasEnough)
    // The fill level after a seek would have been reported.
    loaded.buffer.isRefilling = false
    assessBuffer(now: now)
    let isAtDataEnd = mayRunDry && decodedEnd - position <= StreamBuffer.stallMargin
    guard isAtDataEnd, loaded.buffer.progress.isQueueEmpty else {
      if isAtDataEnd {
        // The decoder is late.
        timebase.nextSample = now + StreamBuffer.stallMargin / 2
      } else if let due = nextBufferCheck(now: now) {
        timebase.sampleBy(due)
      }
      if before != (loaded.buffer.percent, hasEnough) { bufferChanged(now: now) }
      return
    }
    loaded.buffer.isDry = true
    loaded.buffer.isEnoughUnlessEmpty = false
    loaded.buffer.surplus = loadedEnd - decodedEnd + loaded.buffer.surplus
    // The queue has run empty since its last message.
    loaded.buffer.queued = 0
    assessBuffer(now: now)
    ranDry(now: now)
    reconcile(now: now)
  }

  private mutating func ranDry(now: MonotonicTime) {
    guard fade.pauseDue == nil else { return finishFadeOut(now: now) }
    freeze(at: now)
    guard !loaded.isSeeking, !current.isStalled, let item = queue.current else { return }
    current.isStalled = true
    emit(.playbackStalled(item))
    guard !settings.automaticallyWaits, isRunning else { return }
    intent = .paused
    loaded.pausedSince = now
  }

  /// The share of the speed of playback below which data arrives too slowly; the measured speed varies by less.
  private static let leastArrival = 0.9

  /// Whether the data arrives fast enough to play to the end without a stall, as far as is known.
  func keepsUp(at now: MonotonicTime) -> Bool {
    let progress = loaded.buffer.progress
    guard isStreaming, !progress.isWhole, loaded.sourceFailure == nil, !loaded.isRead,
      let arrival = progress.arrivalRate.map({ $0 / loaded.rate }), arrival < Self.leastArrival
    else { return true }
    guard let duration = current.details.duration else { return false }
    let position = position(at: now)
    return loadedEnd - position >= (duration - position).scaled(by: 1 - arrival)
  }

  // MARK: User commands

  mutating func setAutomaticallyWaits(_ waits: Bool, now: MonotonicTime) {
    guard waits != settings.automaticallyWaits else { return }
    settings.automaticallyWaits = waits
    reconcile(now: now)
  }

  /// Plays at a rate, regardless of the default rate, with the data that is available.
  mutating func playImmediately(atRate newRate: Double, now: MonotonicTime) {
    cancelScheduledStart(now: now)
    setRate(newRate, now: now)
    startPlaying(now: now)
    guard phase.isLoading || phase.isReady && !loaded.isLive && (1..<100).contains(loaded.buffer.percent),
      !loaded.buffer.isEnoughUnlessEmpty
    else { return }
    loaded.buffer.isEnoughUnlessEmpty = true
    reconcile(now: now)
  }

  // MARK: Servers that stop sending

  /// Whether playback waits for data of an item that is ready.
  private var waitsForData: Bool {
    phase.isReady && intent == .playing && loaded.run != .ended && !hasEnough && loaded.sourceFailure == nil
  }

  /// The instant at which the wait for data times out.
  var networkDeadline: MonotonicTime? { waitsForData ? loaded.buffer.arrival + settings.networkTimeout : nil }

  mutating func networkTimedOut(now: MonotonicTime) {
    fail(PlayerError(code: .networkTimeout, message: "received no data for \(settings.networkTimeout)"), now: now)
  }

  /// Whether only the position shows that no data arrives: a stream whose buffer reports nothing.
  var watchesArrival: Bool {
    !loaded.buffer.isAnnounced && loaded.sourceFailure == nil && queue.current?.isLocal == false
      && !loaded.isRead
  }

  /// The time after which the position of a stream without buffer messages is checked again.
  static let arrivalInterval = Duration.milliseconds(500)

  /// Evaluates a measured media time of such a stream.
  ///
  /// - Returns: Whether it shows that no data arrives, or that data arrives again.
  mutating func noteArrival(_ measured: Duration, now: MonotonicTime) -> Bool {
    guard let isStanding = timebase.noteMeasured(measured) else { return false }
    if !isStanding {
      loaded.buffer.arrival = now
      guard loaded.buffer.isStarved else { return false }
      loaded.buffer.isStarved = false
      running(at: itemTime(measured), now: now)
      return true
    }
    if !loaded.buffer.isStarved {
      loaded.buffer.isStarved = true
      ranDry(now: now)
      if intent == .paused { reconcile(now: now) }
    }
    timebase.nextSample = now + Self.arrivalInterval
    return true
  }
}
