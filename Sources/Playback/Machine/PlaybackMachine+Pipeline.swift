/// What the pipeline tells.
///
/// Each message carries the stream it belongs to; one of a stream that is gone is dropped.
extension PlaybackMachine {
  /// A preroll or a flushing seek is done: ASYNC_DONE, or NO_PREROLL for a live source.
  mutating func settled(_ stream: StreamToken, _ facts: StreamFacts, now: MonotonicTime) {
    guard stream == token else { return }
    let facts = itemFacts(facts, of: stream)
    buffer.progress = facts.progress
    let before = bufferingPercent
    assessBuffer(now: now)
    switch load {
    case .loading: prerolled(facts, now: now)
    case .ready where seek != nil: seekDone(at: facts.position, now: now)
    case .ready: if bufferingPercent != before { bufferChanged(now: now) }
    case .none, .parked, .outputLost, .sourceLost: break
    }
  }

  private mutating func prerolled(_ facts: StreamFacts, now: MonotonicTime) {
    load = .ready
    outputBackOff = nil
    itemStatus = .readyToPlay
    isLive = facts.isLive
    // With a successor handed over already, the pipeline answers for that one.
    isSeekable = facts.isSeekable || handOver != .none && queue.current?.isLocal == true
    details = details.with(duration: facts.duration ?? details.duration)
    if intent == .paused { pausedSince = now }
    let target = start
    start = nil
    if target != nil, !isSeekable { emitTimeJump(from: target?.position ?? .zero, to: .zero) }
    if let misplacement = misplacement(isSeekable: isSeekable) {
      if let ticket = target?.ticket { finishSeek(ticket, false) }
      return fail(misplacement, now: now)
    }
    if isSeekable, target != nil || rate != 1 || needsPlacing {
      let position = min(target?.position ?? .zero, details.duration ?? .seconds(Int64.max / 4))
      beginSeek(SeekState(target: position, ticket: target?.ticket, isSilent: true, origin: position))
    } else {
      if let ticket = target?.ticket { finishSeek(ticket, false) }
      anchor = PositionAnchor(at: bounds.offset)
    }
    reconcile(now: now)
    emit(.changed)
    if let cut = sourceFailure {
      sourceFailure = nil
      cutOff(cut, now: now)
    }
  }

  private mutating func seekDone(at measured: Duration?, now: MonotonicTime) {
    guard var done = seek else { return }
    if let next = done.next {
      if let ticket = done.ticket { finishSeek(ticket, true) }
      beginSeek(
        SeekState(
          target: next.position, ticket: next.ticket, tolerance: next.tolerance, isSilent: done.isSilent,
          origin: done.origin))
      return
    }
    var landed = done.target
    if !done.tolerance.isExact {
      // Where the stream can be entered is its own business; what was asked for is ours.
      guard let measured, done.tolerance.allows(measured, for: done.target) else {
        done.tolerance = .zero
        return beginSeek(done)
      }
      landed = measured
      beginStretch(at: landed)
    }
    if let ticket = done.ticket { finishSeek(ticket, true) }
    seek = nil
    anchor = PositionAnchor(at: landed)
    if isRunning { run(from: landed, now: now) }
    if !done.isSilent { emitTimeJump(from: done.origin, to: landed) }
    reconcile(now: now)
    emit(.changed)
  }

  /// The pipeline would not seek.
  mutating func seekRefused(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, let refused = seek else { return }
    let measured = itemTime(measured, of: stream)
    for ticket in [refused.ticket, refused.next?.ticket] {
      if let ticket { finishSeek(ticket, false) }
    }
    seek = nil
    segmentRate = refused.previousRate
    bounds.segmentEnd = refused.previousEnd
    bounds.cut = refused.previousCut
    fitEnds()
    if refused.isSilent, needsPlacing {
      return fail(PlayerError(.unknown, "the place where it begins cannot be reached"), now: now)
    }
    anchor = PositionAnchor(at: measured ?? refused.origin)
    beginStretch(at: measured ?? refused.origin)
    if wantsRunning {
      isRunning = true
      run(from: measured ?? refused.origin, now: now)
    }
    reconcile(now: now)
    emit(.changed)
  }

  /// The pipeline runs; `measured` is the position it gave at that moment.
  mutating func running(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    // In the tail of an item the output names its successor already.
    guard stream == token || inTail && isHandedOver(stream), wantsRunning else { return }
    isRunning = true
    hasStartedAgain = false
    successorExpectedSince = now
    buffer.surplus = .zero
    guard seek == nil else { return }
    let measured = itemTime(measured, of: stream)
    run(from: inTail ? position(at: now) : measured ?? position(at: now), now: now)
    if reconnection?.found == nil { reconnection?.found = now }
    if isStalled, let item = queue.current {
      isStalled = false
      emit(.playbackResumed(item, at: position(at: now)))
    }
    emit(.changed)
  }

  private mutating func run(from position: Duration, now: MonotonicTime) {
    anchor = PositionAnchor(position: position, instant: now, rate: segmentRate)
    measured = now
    nextSample = now + .milliseconds(150)
    lastSample = now
    lastMeasured = nil
    handOver.run(from: now)
  }

  /// A measurement of the position of a running stream.
  mutating func sampled(_ stream: StreamToken, position measured: Duration, now: MonotonicTime) {
    guard stream == token, isRunning, seek == nil, !inTail, anchor.isRunning || buffer.isStarved,
      let measured = itemTime(measured, of: stream)
    else { return }
    if watchesArrival, noteArrival(measured, now: now) { return }
    self.measured = now
    bounds.doubt = nil
    if followBuffer(at: max(measured, position(at: now)), now: now) { return }
    if let sourceFailure {
      // The position that no longer advances tells the end.
      guard measured != lastMeasured else { return fail(sourceFailure, now: now) }
      lastMeasured = measured
      nextSample = now + .seconds(1)
      return
    }
    let shown = anchor.position(at: now)
    let drift = shown < measured ? measured - shown : shown - measured
    guard drift > .milliseconds(2) else { return }
    // A start takes its moment; later, or by more than that, it is a clock that wavers.
    let isStart = now - anchor.instant < .milliseconds(500) && drift < .milliseconds(100)
    anchor = anchor.corrected(to: measured, at: now, gently: !isStart)
    // The output fell behind, starved for a while: too far for nobody to notice.
    if drift >= PositionAnchor.tolerance { emitTimeJump(from: shown, to: measured) }
    emit(.changed)
  }

  /// Somebody reads the position and the last measurement is old: a new one is wanted, so that clocks that drift apart
  /// are noticed.
  func wantsSample(now: MonotonicTime) -> Bool { isRunning && now - lastSample > .seconds(5) }

  mutating func sampleForReader(now: MonotonicTime) {
    lastSample = now
    perform(.samplePosition)
  }

  // MARK: News of the streams

  mutating func durationChanged(_ stream: StreamToken, _ duration: Duration?) {
    guard let duration = duration.map({ itemDuration($0, of: stream) }) else { return }
    if isHandedOver(stream) {
      handOver.update(stream) { $0.details = $0.details.with(duration: duration) }
    } else if stream == token, handOver == .none, details.duration != duration {
      details = details.with(duration: duration)
      emit(.changed)
    }
  }

  mutating func volumeChangedOutside(volume newVolume: Double, isMuted newMuted: Bool) {
    guard abs(newVolume - volume) > 0.005 * max(volume, 0.01) || newMuted != isMuted else { return }
    volume = newVolume
    isMuted = newMuted
    emit(.changed)
  }

  // MARK: Time

  /// An instant that `nextWake` named has come.
  mutating func wake(now: MonotonicTime) {
    passFade(now: now)
    switch load {
    case .loading(let deadline) where deadline <= now:
      if giveUpSuccessor(now: now) { return }
      let timeout = PlayerError(.loadTimeout, "nothing came of it within \(configuration.loadTimeout)")
      fail(sourceFailure ?? timeout, now: now)
      return
    case .outputLost(let retry, _) where retry <= now:
      loadCurrent(at: position(at: now), now: now)
      emit(.changed)
      return
    case .sourceLost(let retry) where retry <= now && intent == .playing: return reconnect(now: now)
    case .ready:
      if let end = endOfPatience, end <= now { return losePatience(now: now) }
      if let deadline = successorDeadline, deadline <= now, giveUpSuccessor(now: now) { return }
      if let since = pausedSince, canPark, since + configuration.releaseOutputAfter <= now { park(now: now) }
    default: break
    }
    guard isRunning else { return }
    if passDueEnd(now: now) { return }
    // One at a time: each change is told of by itself.
    if let start = handOver.first?.start, start <= now { passIntoNext(now: now) }
    if let due = nextSample, due <= now {
      let age = now - anchor.instant
      nextSample = age < .seconds(1) || sourceFailure != nil ? now + .seconds(1) : nil
      if watchesArrival { nextSample = now + Self.arrivalInterval }
      lastSample = now
      perform(.samplePosition)
      // An item without a title: what has come by now is all.
      if awaitsTags {
        awaitsTags = false
        emit(.changed)
      }
    }
  }

  /// Lets the output go after a long pause.
  private mutating func park(now: MonotonicTime) {
    let held = position(at: now)
    let wasAtEnd = isAtEnd
    unload()
    anchor = PositionAnchor(at: held)
    beginStretch(at: held)
    isAtEnd = wasAtEnd
    load = .parked
  }
}
