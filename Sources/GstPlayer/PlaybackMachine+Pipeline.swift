/// What the pipeline tells.
///
/// Each message carries the stream it belongs to; one of a stream that is gone is dropped.
extension PlaybackMachine {
  /// What is known of a stream once it has prerolled or its seek is done.
  struct StreamFacts: Equatable, Sendable {
    var duration: Duration?
    var isSeekable = true
    var isLive = false
  }

  /// A preroll or a flushing seek is done: ASYNC_DONE, or NO_PREROLL for a live source.
  mutating func settled(_ stream: StreamToken, _ facts: StreamFacts, now: MonotonicTime) {
    guard stream == token else { return }
    switch load {
    case .loading: prerolled(facts, now: now)
    case .ready: if seek != nil { seekDone(now: now) }
    case .none, .parked, .outputLost: break
    }
  }

  private mutating func prerolled(_ facts: StreamFacts, now: MonotonicTime) {
    load = .ready
    outputBackOff = nil
    itemStatus = .readyToPlay
    isLive = facts.isLive
    isSeekable = facts.isSeekable
    details = details.with(duration: facts.duration ?? details.duration)
    if intent == .paused { pausedSince = now }
    let target = start
    start = nil
    if target != nil, !isSeekable { emit(.timeJumped(from: target?.position ?? .zero, to: .zero)) }
    if isSeekable, target != nil || rate != 1 {
      let position = min(target?.position ?? .zero, details.duration ?? .seconds(Int64.max / 4))
      beginSeek(SeekState(target: position, ticket: target?.ticket, isSilent: true, origin: position))
    } else {
      if let ticket = target?.ticket { perform(.finishSeek(ticket, false)) }
      anchor = PositionAnchor(at: .zero)
    }
    reconcile()
    emit(.changed)
  }

  private mutating func seekDone(now: MonotonicTime) {
    guard let done = seek else { return }
    if let ticket = done.ticket { perform(.finishSeek(ticket, true)) }
    if let next = done.next {
      beginSeek(SeekState(target: next.position, ticket: next.ticket, isSilent: done.isSilent, origin: done.origin))
      return
    }
    seek = nil
    anchor = PositionAnchor(at: done.target)
    if isRunning { run(from: done.target, now: now) }
    if !done.isSilent { emit(.timeJumped(from: done.origin, to: done.target)) }
    reconcile()
    emit(.changed)
  }

  /// The pipeline would not seek.
  mutating func seekRefused(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, let refused = seek else { return }
    for ticket in [refused.ticket, refused.next?.ticket] {
      if let ticket { perform(.finishSeek(ticket, false)) }
    }
    seek = nil
    segmentRate = refused.previousRate
    anchor = PositionAnchor(at: measured ?? refused.origin)
    beginStretch(at: measured ?? refused.origin)
    if wantsRunning {
      isRunning = true
      run(from: measured ?? refused.origin, now: now)
    }
    reconcile()
    emit(.changed)
  }

  /// The pipeline runs; `measured` is the position it gave at that moment.
  mutating func running(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    // In the tail of an item the output names its successor already.
    guard stream == token || inTail && isHandedOver(stream), wantsRunning else { return }
    isRunning = true
    guard seek == nil else { return }
    run(from: inTail ? position(at: now) : measured ?? position(at: now), now: now)
    if isStalled, let item = queue.current {
      isStalled = false
      emit(.playbackResumed(item, at: position(at: now)))
    }
    emit(.changed)
  }

  /// The next stream is at the output already; positions measured now are its own.
  private var inTail: Bool { if case .started = handOver { true } else { false } }

  private mutating func run(from position: Duration, now: MonotonicTime) {
    anchor = PositionAnchor(position: position, instant: now, rate: segmentRate)
    nextSample = now + .milliseconds(150)
    lastSample = now
    if case .started(let item, let token, let remaining, nil) = handOver {
      handOver = .started(item, token, remaining: remaining, since: now)
    }
  }

  /// A measurement of the position of a running stream.
  mutating func sampled(_ stream: StreamToken, position measured: Duration, now: MonotonicTime) {
    guard stream == token, isRunning, seek == nil, !inTail, anchor.isRunning else { return }
    if case .failed = handOver, details.duration == nil {
      // No end of stream will come and none is known: the position that no longer advances tells it.
      guard measured != lastMeasured else { return playedToEnd(now: now) }
      lastMeasured = measured
      nextSample = now + .seconds(1)
      return
    }
    let early = now - anchor.instant < .seconds(1)
    let drift = abs((anchor.position(at: now) - measured).wholeNanoseconds)
    guard drift > (early ? 500_000 : 2_000_000) else { return }
    anchor = anchor.corrected(to: measured, at: now)
    emit(.changed)
  }

  /// Somebody reads the position and the last measurement is old: a new one is wanted, so that clocks that drift apart
  /// are noticed.
  func wantsSample(now: MonotonicTime) -> Bool { isRunning && now - lastSample > .seconds(5) }

  mutating func sampleForReader(now: MonotonicTime) {
    lastSample = now
    perform(.samplePosition)
  }

  mutating func endOfStream(_ stream: StreamToken, now: MonotonicTime) {
    // A successor so short that it ended before its start was noticed: first one, then the other.
    if isHandedOver(stream), inTail { switchToNext(now: now) }
    guard stream == token, load == .ready, seek == nil else { return }
    playedToEnd(now: now)
  }

  private mutating func playedToEnd(now: MonotonicTime) {
    guard let ended = queue.current else { return endQueue() }
    emit(.itemDidPlayToEnd(ended))
    failed.removeAll()
    let duration = position(at: now)
    guard let next = queue.following else { return endQueue() }
    direction = 1
    if next.id == ended.id, isSeekable, handOver == .none {
      beginSeek(SeekState(target: .zero, origin: details.duration ?? duration))
    } else if next.id == ended.id {
      loadCurrent(now: now)
      emit(.timeJumped(from: details.duration ?? duration, to: .zero))
    } else {
      move(to: next, now: now)
    }
  }

  // MARK: Gapless hand-over

  /// Names what shall follow without a gap; asked from a streaming thread when the current item's data has been read.
  mutating func offerNext(for stream: StreamToken) -> (uri: String, stream: StreamToken)? {
    guard stream == token, handOver == .none, intent != .stopped, rate == 1, segmentRate == 1, seek == nil,
      let next = queue.following, !failed.contains(next.id), mayHandOver
    else { return nil }
    let successor = nextToken()
    handOver = .offered(next, successor)
    nextDetails = .unknown
    nextFailure = nil
    return (next.uri, successor)
  }

  /// A short local file may be read to its end before it has prerolled; of a network stream too little is known by then.
  private var mayHandOver: Bool { load == .ready || queue.current?.isLocal == true }

  /// The next stream has reached the output, and is heard after `delay` more of play.
  mutating func nextStarted(_ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, now: MonotonicTime) {
    guard case .offered(let item, stream) = handOver else { return }
    nextDetails = nextDetails.with(duration: facts.duration)
    nextFacts = facts
    handOver = .started(item, stream, remaining: delay, since: isRunning ? now : nil)
    if delay <= .zero { switchToNext(now: now) }
  }

  private mutating func switchToNext(now: MonotonicTime) {
    guard case .started(let item, let stream, let remaining, let since) = handOver else { return }
    let old = queue.current
    let end = details.duration ?? position(at: now)
    let begun = since.map { $0 + remaining } ?? now
    token = stream
    handOver = .none
    failed.removeAll()
    itemStatus = .readyToPlay
    isSeekable = nextFacts.isSeekable
    details = nextDetails
    nextDetails = .unknown
    beginStretch(at: .zero)
    anchor = isRunning ? PositionAnchor(position: .zero, instant: begun, rate: 1) : PositionAnchor(at: .zero)
    nextSample = isRunning ? now + .milliseconds(150) : nil
    if let old { emit(.itemDidPlayToEnd(old)) }
    if old?.id == item.id {
      emit(.timeJumped(from: end, to: .zero))
    } else {
      queue.select(item.id)
      emit(.currentItemChanged(from: old, to: item))
    }
    emit(.changed)
    if let error = nextFailure {
      nextFailure = nil
      fail(error, now: now)
    }
  }

  // MARK: News of the streams

  mutating func tagsChanged(_ stream: StreamToken, _ tags: MediaMetadata) {
    if stream == token {
      let merged = details.merging(tags)
      guard merged !== details else { return }
      details = merged
      emit(.changed)
    } else if isHandedOver(stream) {
      nextDetails = nextDetails.merging(tags)
    }
  }

  mutating func durationChanged(_ stream: StreamToken, _ duration: Duration?) {
    guard let duration else { return }
    if isHandedOver(stream) {
      nextDetails = nextDetails.with(duration: duration)
    } else if stream == token, handOver == .none, details.duration != duration {
      details = details.with(duration: duration)
      emit(.changed)
    }
  }

  mutating func buffering(_ stream: StreamToken, percent: Int, now: MonotonicTime) {
    guard stream == token, !isLive, percent != bufferingPercent else { return }
    let wasFull = bufferingPercent >= 100
    bufferingPercent = min(max(0, percent), 100)
    if case .loading = load { load = .loading(deadline: now + configuration.loadTimeout) }
    if load == .ready, intent == .playing, wasFull, bufferingPercent < 100 {
      freeze(at: now)
      if seek == nil, !isStalled, let item = queue.current {
        isStalled = true
        emit(.playbackStalled(item))
      }
    }
    reconcile()
    emit(.changed)
  }

  mutating func volumeChangedOutside(volume newVolume: Double, isMuted newMuted: Bool) {
    guard abs(newVolume - volume) > 0.005 * max(volume, 0.01) || newMuted != isMuted else { return }
    volume = newVolume
    isMuted = newMuted
    emit(.changed)
  }

  private func isHandedOver(_ stream: StreamToken) -> Bool {
    switch handOver {
    case .offered(_, stream), .started(_, stream, _, _): true
    default: false
    }
  }

  // MARK: Failures

  mutating func failed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    if error.code == .output {
      outputFailed(error, now: now)
    } else if isHandedOver(stream) {
      nextFailed(error, now: now)
    } else if stream == token, load != .none, load != .parked {
      fail(error, now: now)
    }
  }

  /// The gapless successor failed early: the current item plays out; its turn, and its failure, come after.
  private mutating func nextFailed(_ error: PlayerError, now: MonotonicTime) {
    switch handOver {
    case .offered(let item, _) where load != .ready:
      // The pipeline may never preroll now: once more, without the successor, which fails when its turn comes.
      failed.insert(item.id)
      let ticket = start?.ticket
      start?.ticket = nil
      loadCurrent(at: position(at: now), ticket: ticket, now: now)
    case .offered(let item, _):
      handOver = .failed(item)
      if details.duration == nil { nextSample = nextSample ?? anchor.instant }
    case .started: nextFailure = error
    case .none, .failed: break
    }
  }

  /// The current item failed: told once, then skipped.
  ///
  /// A whole pass of failures ends in Stopped, whatever the loop mode.
  private mutating func fail(_ error: PlayerError, now: MonotonicTime) {
    guard let item = queue.current else { return endQueue() }
    lastError = error
    itemStatus = .failed
    // What has played for a while was no failed attempt: the pass starts anew.
    if position(at: now) > .seconds(1) { failed.removeAll() }
    failed.insert(item.id)
    emit(.itemFailed(item, error))
    let onward = queue.neighbour(direction, excluding: failed)
    guard let next = onward ?? (direction < 0 ? queue.neighbour(1, excluding: failed) : nil) else { return endQueue() }
    move(to: next, now: now)
  }

  private mutating func outputFailed(_ error: PlayerError, now: MonotonicTime) {
    switch load {
    case .none, .parked, .outputLost: return
    case .loading, .ready: break
    }
    let held = position(at: now)
    let backOff = outputBackOff.map { min($0 * 2, .seconds(10)) } ?? .milliseconds(500)
    unload()
    anchor = PositionAnchor(at: held)
    beginStretch(at: held)
    outputBackOff = backOff
    load = .outputLost(retry: now + backOff, backOff: backOff)
    isStalled = intent == .playing
    if lastError != error { emit(.outputFailed(error)) }
    lastError = error
    emit(.changed)
  }

  // MARK: Time

  /// An instant that `nextWake` named has come.
  mutating func wake(now: MonotonicTime) {
    switch load {
    case .loading(let deadline) where deadline <= now:
      fail(PlayerError(.loadTimeout, "nothing came of it within \(configuration.loadTimeout)"), now: now)
      return
    case .outputLost(let retry, _) where retry <= now:
      loadCurrent(at: position(at: now), now: now)
      emit(.changed)
      return
    case .ready:
      if let since = pausedSince, canPark, since + configuration.releaseOutputAfter <= now { park(now: now) }
    default: break
    }
    guard isRunning else { return }
    if case .started(_, _, let remaining, let since?) = handOver, since + remaining <= now { switchToNext(now: now) }
    if case .failed = handOver, let end = endOfItem, end <= now {
      playedToEnd(now: now)
      return
    }
    if let due = nextSample, due <= now {
      let age = now - anchor.instant
      nextSample = age < .seconds(1) ? now + .seconds(1) : nil
      lastSample = now
      perform(.samplePosition)
    }
  }

  /// Lets the output go after a long pause.
  private mutating func park(now: MonotonicTime) {
    let held = position(at: now)
    unload()
    anchor = PositionAnchor(at: held)
    beginStretch(at: held)
    load = .parked
  }
}
