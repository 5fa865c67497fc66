/// What has arrived of a stream, and whether it is enough to play.
extension PlaybackMachine {
  /// What is known of the buffer of a stream.
  struct Buffer: Equatable, Sendable {
    /// How much of the forward buffer is held ahead of the position.
    var percent = 100
    /// How full GStreamer's own queue is.
    ///
    /// Below 100 it fills, or has run empty; what was taken from it may still be
    /// waiting to be heard.
    var queued = 100
    /// How far the stream has come, as told last.
    var progress = StreamProgress()
    /// What seemed to be held when nothing more came out: half a frame, or an error of the estimate.
    var surplus = Duration.zero
    /// How much was held ahead of the position when it was looked at last.
    var held = Duration.zero
    /// The pipeline tells of the buffer by itself.
    var isAnnounced = false
    /// When something last arrived, or was last waited for anew.
    var arrival = MonotonicTime(nanoseconds: 0)
    /// Nothing arrives, and only the position that stands tells so.
    var isStarved = false
    /// All that has arrived was heard while the pipeline ran.
    var isDry = false
    /// Play does not wait for a full buffer, until this one is empty.
    var isEnoughUnlessEmpty = false
  }

  /// How much the pipeline buffers when nothing else is asked for.
  static let usualForwardBuffer = Duration.seconds(2)
  /// What is left when play stalls: to be heard when it goes on, so that the clock of the output does not pass it.
  static let stallMargin = Duration.milliseconds(50)
  /// Play that does not wait for a full buffer begins with so much.
  static let leastStart = Duration.milliseconds(250)

  var bufferingPercent: Int { buffer.percent }

  /// Whether there is enough in the buffer to play: to begin, or to play on until all of it was heard.
  var hasEnough: Bool {
    if buffer.isStarved { return false }
    if isLive || buffer.percent >= 100 || playsOn { return true }
    return (buffer.isEnoughUnlessEmpty || !automaticallyWaits) && buffer.held >= Self.leastStart
  }

  /// Whether what plays goes on with what is left.
  private var playsOn: Bool { wantsRunning && seek == nil && !buffer.isDry }

  mutating func buffering(_ stream: StreamToken, percent: Int, _ progress: StreamProgress, now: MonotonicTime) {
    let percent = min(max(0, percent), 100)
    handOver.update(stream) { $0.queued = percent }
    if stream == handOver.first?.token { successorExpectedSince = now }
    guard stream == token, !isLive, sourceFailure == nil else { return }
    buffer.arrival = now
    buffer.isAnnounced = true
    buffer.progress = progress
    if percent != buffer.queued, case .loading = load { load = .loading(deadline: now + configuration.loadTimeout) }
    buffer.queued = percent
    let before = (buffer.percent, hasEnough)
    assessBuffer(now: now)
    if let due = nextLook(now: now) { nextSample = min(nextSample ?? due, due) }
    if before != (buffer.percent, hasEnough) { bufferChanged(now: now) }
  }

  /// Plays or waits according to the buffer, after each change of it.
  mutating func bufferChanged(now: MonotonicTime) {
    reconcile(now: now)
    emit(.changed)
  }

  /// Whether the current item comes through a buffer.
  var isStreaming: Bool { load == .ready && queue.current?.isLocal == false }

  /// How far a stream has come by now.
  mutating func follow(_ progress: StreamProgress, of stream: StreamToken) {
    if stream == token, seek == nil { buffer.progress = progress }
  }

  /// The end of what has been decoded of the current item.
  private var decodedEnd: Duration { itemTime(buffer.progress.decoded, of: token) ?? .zero }

  /// The end of what has arrived of the current item.
  var loadedEnd: Duration {
    let loaded = itemTime(buffer.progress.loaded(ofDuration: bounds.media), of: token) ?? .zero
    return max(decodedEnd, loaded - buffer.surplus)
  }

  /// Compares what is held with what is to be held.
  mutating func assessBuffer(now: MonotonicTime) {
    guard buffer.isAnnounced, sourceFailure == nil else { return }
    let held = loadedEnd - position(at: now)
    buffer.held = held > Self.stallMargin ? held : .zero
    let goal = forwardBuffer ?? Self.usualForwardBuffer
    buffer.percent = max(buffer.queued, Int(min(1, buffer.held / goal) * 100))
  }

  /// Whether play may come to the end of what has arrived: GStreamer's queue is not full, and more is to come.
  private var mayRunDry: Bool {
    guard buffer.isAnnounced, buffer.queued < 100, wantsRunning, anchor.isRunning, seek == nil, !isLive,
      sourceFailure == nil, handOver == .none
    else { return false }
    return details.duration.map { decodedEnd < $0 - Self.stallMargin } ?? true
  }

  /// When it is to be seen whether the buffer has run dry.
  private func nextLook(now: MonotonicTime) -> MonotonicTime? {
    mayRunDry ? anchor.instant(reaching: decodedEnd - Self.stallMargin, from: now) : nil
  }

  /// Looks at the buffer from a position that was just measured; whether it has run dry.
  mutating func followBuffer(at position: Duration, now: MonotonicTime) -> Bool {
    let percent = buffer.percent
    assessBuffer(now: now)
    guard mayRunDry, decodedEnd - position <= Self.stallMargin else {
      if let due = nextLook(now: now) { nextSample = min(nextSample ?? due, due) }
      if buffer.percent != percent { emit(.changed) }
      return false
    }
    guard buffer.progress.isQueueEmpty else {
      // The decoder is late.
      nextSample = now + Self.stallMargin / 2
      return false
    }
    buffer.isDry = true
    buffer.isEnoughUnlessEmpty = false
    buffer.surplus = loadedEnd - decodedEnd + buffer.surplus
    // The queue has run empty since its last message.
    buffer.queued = 0
    assessBuffer(now: now)
    ranDry(now: now)
    reconcile(now: now)
    emit(.changed)
    return true
  }

  private mutating func ranDry(now: MonotonicTime) {
    guard fade.end == nil else { return endFall(now: now) }
    freeze(at: now)
    guard seek == nil, !isStalled, let item = queue.current else { return }
    isStalled = true
    emit(.playbackStalled(item))
    guard !automaticallyWaits, isRunning else { return }
    intent = .paused
    pausedSince = now
  }

  // MARK: What the user asks for

  mutating func setAutomaticallyWaits(_ waits: Bool, now: MonotonicTime) {
    guard waits != automaticallyWaits else { return }
    automaticallyWaits = waits
    reconcile(now: now)
    emit(.changed)
  }

  /// Plays at a speed, whatever the default is, and with what there is.
  mutating func playImmediately(atRate newRate: Double, now: MonotonicTime) {
    setRate(newRate, now: now)
    startPlaying(now: now)
    guard load != .ready || !isLive && (1..<100).contains(buffer.percent), !buffer.isEnoughUnlessEmpty else { return }
    buffer.isEnoughUnlessEmpty = true
    reconcile(now: now)
    emit(.changed)
  }

  mutating func setForwardBuffer(_ duration: Duration?) {
    guard duration != forwardBuffer else { return }
    forwardBuffer = duration
    perform(.setForwardBuffer(duration))
    emit(.changed)
  }

  // MARK: Servers that go silent

  /// Play waits for data of an item that can play.
  private var waitsForData: Bool {
    load == .ready && intent == .playing && !isAtEnd && !hasEnough && sourceFailure == nil
  }

  /// When the waiting for data has lasted too long.
  var endOfPatience: MonotonicTime? { waitsForData ? buffer.arrival + networkTimeout : nil }

  mutating func losePatience(now: MonotonicTime) {
    fail(PlayerError(.networkTimeout, "nothing has come for \(networkTimeout)"), now: now)
  }

  /// Whether only the position tells that nothing arrives any more: a stream whose buffer tells nothing.
  var watchesArrival: Bool {
    !buffer.isAnnounced && sourceFailure == nil && queue.current?.isLocal == false && handOver == .none
  }

  /// How long a stream whose buffer tells nothing may stand before its position is looked at again.
  static let arrivalInterval = Duration.milliseconds(500)

  /// Looks at a measured position of such a stream; whether it tells that nothing arrives, or that something does again.
  mutating func noteArrival(_ measured: Duration, now: MonotonicTime) -> Bool {
    defer { lastMeasured = measured }
    guard let lastMeasured else { return false }
    if measured != lastMeasured {
      buffer.arrival = now
      guard buffer.isStarved else { return false }
      buffer.isStarved = false
      running(token, position: measured, now: now)
      return true
    }
    nextSample = now + Self.arrivalInterval
    guard !buffer.isStarved else { return true }
    buffer.isStarved = true
    ranDry(now: now)
    nextSample = now + Self.arrivalInterval
    if intent == .paused { reconcile(now: now) }
    emit(.changed)
    return true
  }
}
