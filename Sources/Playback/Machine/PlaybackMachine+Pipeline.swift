/// What the pipeline tells.
///
/// Each message carries the stream it belongs to; one of a stream that is gone is dropped.
extension PlaybackMachine {
  /// A preroll or a flushing seek is done: ASYNC_DONE, or NO_PREROLL for a live source.
  mutating func settled(_ stream: StreamToken, _ facts: StreamFacts, now: MonotonicTime) {
    guard stream == token else { return }
    let facts = itemFacts(facts, of: stream)
    loaded.buffer.progress = facts.progress
    let before = bufferingPercent
    assessBuffer(now: now)
    if phase.isLoading {
      prerolled(facts, now: now)
    } else if loaded.seek != nil {
      seekDone(at: facts.position, now: now)
    } else if bufferingPercent != before {
      bufferChanged(now: now)
    }
  }

  private mutating func prerolled(_ facts: StreamFacts, now: MonotonicTime) {
    let start = phase.becomeReady()
    output.recover()
    current.status = .readyToPlay
    loaded.isLive = facts.isLive
    // With a successor handed over already, the pipeline answers for that one.
    current.isSeekable = facts.isSeekable || !loaded.handOver.isEmpty && queue.current?.isLocal == true
    current.details = current.details.with(duration: facts.duration ?? current.details.duration)
    if intent == .paused { loaded.pausedSince = now }
    if let start, !current.isSeekable { emitTimeJump(from: start.position, to: .zero) }
    if let misplacement {
      finishSeek(start?.ticket, false)
      return fail(misplacement, now: now)
    }
    if current.isSeekable, start != nil || settings.rate != 1 || needsPlacing {
      let position = min(start?.position ?? .zero, current.details.duration ?? .seconds(Int64.max / 4))
      let target = SeekTarget(position: position, ticket: start?.ticket)
      beginSeek(SeekState(target: target, isSilent: true, origin: position))
    } else {
      finishSeek(start?.ticket, false)
      timebase.stand(at: loaded.offset)
    }
    reconcile(now: now)
    emit(.changed)
    if let cut = loaded.sourceFailure {
      loaded.sourceFailure = nil
      cutOff(cut, now: now)
    }
  }

  private mutating func seekDone(at measured: Duration?, now: MonotonicTime) {
    guard var done = loaded.seek else { return }
    if let next = done.next {
      finishSeek(done.target.ticket, true)
      return beginSeek(SeekState(target: next, isSilent: done.isSilent, origin: done.origin))
    }
    var landed = done.target.position
    if !done.target.tolerance.isExact {
      // Where the stream can be entered is its own business; what was asked for is ours.
      guard let measured, done.target.tolerance.allows(measured, for: landed) else {
        done.target.tolerance = .zero
        return beginSeek(done)
      }
      landed = measured
      timebase.jump(to: landed)
    }
    finishSeek(done.target.ticket, true)
    loaded.seek = nil
    timebase.stand(at: landed)
    if isRunning { run(from: landed, now: now) }
    if !done.isSilent { emitTimeJump(from: done.origin, to: landed) }
    reconcile(now: now)
    emit(.changed)
  }

  /// The pipeline would not seek.
  mutating func seekRefused(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, let refused = loaded.seek else { return }
    let measured = itemTime(measured, of: stream)
    for ticket in refused.tickets { finishSeek(ticket, false) }
    loaded.seek = nil
    loaded.segment = refused.previous
    fitEnds()
    if refused.isSilent, needsPlacing {
      return fail(PlayerError(.unknown, "the place where it begins cannot be reached"), now: now)
    }
    timebase.jump(to: measured ?? refused.origin)
    if loaded.isWanted {
      loaded.run = .running
      run(from: measured ?? refused.origin, now: now)
    }
    reconcile(now: now)
    emit(.changed)
  }

  /// The pipeline runs; `measured` is the position it gave at that moment.
  mutating func running(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    // In the tail of an item the output names its successor already.
    guard stream == token || inTail && isHandedOver(stream), loaded.isWanted else { return }
    loaded.run = .running
    current.hasStartedAgain = false
    loaded.handOver.expectedSince = now
    loaded.buffer.surplus = .zero
    guard loaded.seek == nil else { return }
    let measured = itemTime(measured, of: stream)
    run(from: inTail ? position(at: now) : measured ?? position(at: now), now: now)
    current.reconnection?.succeed(at: now)
    if current.isStalled, let item = queue.current {
      current.isStalled = false
      emit(.playbackResumed(item, at: position(at: now)))
    }
    emit(.changed)
  }

  private mutating func run(from position: Duration, now: MonotonicTime) {
    timebase.run(from: position, rate: loaded.segment.rate, at: now)
    loaded.handOver.run(from: now)
  }

  /// A measurement of the position of a running stream.
  mutating func sampled(_ stream: StreamToken, position measured: Duration, now: MonotonicTime) {
    guard stream == token, isRunning, loaded.seek == nil, !inTail, timebase.isRunning || loaded.buffer.isStarved,
      let measured = itemTime(measured, of: stream)
    else { return }
    if watchesArrival, noteArrival(measured, now: now) { return }
    timebase.noteSample(at: now)
    loaded.endDoubt = nil
    if followBuffer(at: max(measured, position(at: now)), now: now) { return }
    if let failure = loaded.sourceFailure {
      // The position that no longer advances tells the end.
      if timebase.noteMeasured(measured) == true { return fail(failure, now: now) }
      return timebase.sample(at: now + Timebase.sampleInterval)
    }
    guard let shown = timebase.correct(to: measured, at: now) else { return }
    // The output fell behind, starved for a while: too far for nobody to notice.
    if PositionAnchor.isJump(from: shown, to: measured) { emitTimeJump(from: shown, to: measured) }
    emit(.changed)
  }

  /// Somebody reads the position and the last measurement is old: a new one is wanted, so that clocks that drift apart
  /// are noticed.
  func wantsSample(now: MonotonicTime) -> Bool { isRunning && timebase.wantsReaderSample(at: now) }

  mutating func sampleForReader(now: MonotonicTime) {
    timebase.takeReaderSample(at: now)
    perform(.samplePosition)
  }

  // MARK: News of the streams

  mutating func durationChanged(_ stream: StreamToken, _ duration: Duration?) {
    guard let duration = duration.map({ itemDuration($0, of: stream) }) else { return }
    if isHandedOver(stream) {
      loaded.handOver.update(stream) { $0.details = $0.details.with(duration: duration) }
    } else if stream == token, loaded.handOver.isEmpty, current.details.duration != duration {
      current.details = current.details.with(duration: duration)
      emit(.changed)
    }
  }

  mutating func volumeChangedOutside(volume newVolume: Double, isMuted newMuted: Bool) {
    let volume = settings.volume
    guard abs(newVolume - volume) > 0.005 * max(volume, 0.01) || newMuted != settings.isMuted else { return }
    settings.volume = newVolume
    settings.isMuted = newMuted
    emit(.changed)
  }

  // MARK: Time

  /// An instant that `nextWake` named has come.
  mutating func wake(now: MonotonicTime) {
    passFade(now: now)
    switch phase {
    case .loading(_, let loading) where loading.deadline <= now:
      if giveUpSuccessor(now: now) { return }
      let timeout = PlayerError(.loadTimeout, "nothing came of it within \(configuration.loadTimeout)")
      fail(loaded.sourceFailure ?? timeout, now: now)
      return
    case .outputLost(let retry) where retry <= now:
      loadCurrent(at: position(at: now), now: now)
      emit(.changed)
      return
    case .sourceLost(let retry) where retry <= now && intent == .playing: return reconnect(now: now)
    case .ready:
      if let end = endOfPatience, end <= now { return losePatience(now: now) }
      if let deadline = successorDeadline, deadline <= now, giveUpSuccessor(now: now) { return }
      if let due = releaseTime, due <= now { release(now: now) }
    default: break
    }
    guard isRunning else { return }
    if passDueEnd(now: now) { return }
    // One at a time: each change is told of by itself.
    if let start = loaded.handOver.first?.start, start <= now { passIntoNext(now: now) }
    if let due = timebase.nextSample, due <= now {
      let ending = loaded.sourceFailure == nil ? nil : Timebase.sampleInterval
      timebase.takeSample(at: now, then: watchesArrival ? Self.arrivalInterval : ending)
      perform(.samplePosition)
      // An item without a title: what has come by now is all.
      if current.awaitsTags {
        current.awaitsTags = false
        emit(.changed)
      }
    }
  }

  /// Releases the output after a long pause.
  private mutating func release(now: MonotonicTime) {
    unload(to: .released(isAtEnd: phase.isAtEnd), at: position(at: now))
  }
}
