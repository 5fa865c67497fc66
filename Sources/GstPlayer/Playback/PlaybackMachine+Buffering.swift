/// What has arrived of a stream, and whether it is enough to play.
extension PlaybackMachine {
  /// What is known of the buffer of a stream.
  struct Buffer: Equatable, Sendable {
    var percent = 100
    /// The pipeline tells of the buffer by itself.
    var isAnnounced = false
    /// When something last arrived, or was last waited for anew.
    var arrival = MonotonicTime(nanoseconds: 0)
    /// Nothing arrives, and only the position that stands tells so.
    var isStarved = false
    /// Play does not wait for a full buffer, until this one is empty.
    var isEnoughUnlessEmpty = false
    /// The level as the loaded range shows it, four times a second at most, and when it was taken over.
    var shownPercent = 100
    var shownSince = MonotonicTime(nanoseconds: 0)
  }

  var bufferingPercent: Int { buffer.percent }

  /// Whether there is enough in the buffer to play.
  var hasEnough: Bool {
    if buffer.isStarved { return false }
    if isLive || buffer.percent >= 100 { return true }
    return buffer.percent > 0 && (buffer.isEnoughUnlessEmpty || !automaticallyWaits)
  }

  mutating func buffering(_ stream: StreamToken, percent: Int, now: MonotonicTime) {
    guard stream == token, !isLive, sourceFailure == nil else { return }
    buffer.arrival = now
    buffer.isAnnounced = true
    guard percent != buffer.percent else { return }
    let hadEnough = hasEnough
    buffer.percent = min(max(0, percent), 100)
    if buffer.percent == 0, isRunning { buffer.isEnoughUnlessEmpty = false }
    if buffer.percent == 0 || buffer.percent == 100 || now - buffer.shownSince >= .milliseconds(250) {
      buffer.shownPercent = buffer.percent
      buffer.shownSince = now
    }
    if case .loading = load { load = .loading(deadline: now + configuration.loadTimeout) }
    if load == .ready, intent == .playing, !isAtEnd, hadEnough, !hasEnough { ranDry(now: now) }
    if !hasEnough { endFall(now: now) }
    reconcile()
    emit(.changed)
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
    // What plays goes on with what there is.
    if waits, isRunning { buffer.isEnoughUnlessEmpty = true }
    reconcile()
    emit(.changed)
  }

  /// Plays at a speed, whatever the default is, and with what there is.
  mutating func playImmediately(atRate newRate: Double, now: MonotonicTime) {
    setRate(newRate, now: now)
    startPlaying(now: now)
    guard load != .ready || !isLive && (1..<100).contains(buffer.percent), !buffer.isEnoughUnlessEmpty else { return }
    buffer.isEnoughUnlessEmpty = true
    reconcile()
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
    if intent == .paused { reconcile() }
    emit(.changed)
    return true
  }
}
