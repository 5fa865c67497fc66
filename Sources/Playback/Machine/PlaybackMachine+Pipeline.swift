/// Handles the events of the current item's stream, and the wake-ups of timers.
///
/// Each event carries the token of its stream; events of a closed stream are dropped.
extension PlaybackMachine {
  /// Handles that a stream is ready, or that its seek is done.
  mutating func settled(_ stream: StreamToken, _ facts: StreamFacts, now: MonotonicTime) {
    guard stream == token else { return successorSettled(stream, facts) }
    if loaded.isEstimated, loaded.isSeeking { loaded.offset = .zero }
    loaded.isEstimated = facts.isEstimated
    let isBeforeStart = facts.position.map { $0 < queue.current?.start ?? .zero } ?? false
    var facts = itemFacts(facts, of: stream)
    // A tolerant seek must not play the media before the clip.
    if isBeforeStart { facts.position = nil }
    loaded.buffer.progress = facts.progress
    let before = (bufferingPercent, hasEnough)
    assessBuffer(now: now)
    if phase.isLoading {
      prerolled(facts, now: now)
    } else if loaded.isSeeking {
      seekDone(at: facts.position, now: now)
    } else if before != (bufferingPercent, hasEnough) {
      bufferChanged(now: now)
    }
  }

  private mutating func prerolled(_ facts: StreamFacts, now: MonotonicTime) {
    phase.becomeReady()
    let start = loaded.start.take()
    output.recover()
    current.status = .readyToPlay
    loaded.isLive = facts.isLive
    current.isSeekable = facts.isSeekable
    loaded.rate = rate(isSeekable: facts.isSeekable)
    current.details = current.details.with(duration: current.duration(claimed: facts.duration))
    keepCorrection(of: facts.duration)
    if intent == .paused { loaded.pausedSince = now }
    if let start, !current.isSeekable { emitTimeJump(from: start.position, to: loaded.offset) }
    if let startPositionError {
      finishSeek(start?.ticket, false)
      return fail(startPositionError, now: now)
    }
    holdStart(now: now)
    let target = min(start?.position ?? .zero, current.details.duration ?? .seconds(Int64.max / 4))
    if !current.isSeekable {
      finishSeek(start?.ticket, false)
      // A start position that the item does not support was shown until now.
      if start == nil { timebase.stand(at: loaded.offset) } else { timebase.jump(to: loaded.offset) }
    } else if target == loaded.opened {
      finishSeek(start?.ticket, true)
      timebase.stand(at: target + loaded.offset)
    } else {
      // A command has changed the start since the stream was opened.
      let target = SeekTarget(position: target, ticket: start?.ticket)
      beginSeek(SeekState(target: target, isSilent: true, origin: target.position), now: now)
    }
    reconcile(now: now)
    if let cut = loaded.sourceFailure {
      loaded.sourceFailure = nil
      cutOff(cut, now: now)
    }
  }

  private mutating func seekDone(at measured: Duration?, now: MonotonicTime) {
    guard var done = loaded.seek else { return }
    if let next = done.next {
      finishSeek(done.target.ticket, true)
      return seekFurther(SeekState(target: next, isSilent: done.isSilent, origin: done.origin), now: now)
    }
    var landed = done.target.position
    if !done.target.tolerance.isExact {
      // The stream may only support other positions than the requested one; the requested tolerance still applies.
      guard let measured, done.target.tolerance.allows(measured, for: landed) else {
        done.target.tolerance = .zero
        return seekFurther(done, now: now)
      }
      landed = measured
      timebase.jump(to: landed)
    }
    finishSeek(done.target.ticket, true)
    (loaded.seek, loaded.doneSeek, loaded.foundEnd) = (nil, done, nil)
    timebase.stand(at: landed)
    if isRunning, hasEnough { run(from: landed, now: now) }
    if !done.isSilent { emitTimeJump(from: done.origin, to: landed) }
    reconcile(now: now)
  }

  /// Sends another seek after one that is done; without a source to read from, opens the item again at its target.
  private mutating func seekFurther(_ next: SeekState, now: MonotonicTime) {
    guard loaded.sourceFailure != nil else { return beginSeek(next, now: now) }
    loaded.seek = nil
    loadCurrent(at: next.target.position, ticket: next.target.ticket, now: now)
    if !next.isSilent { emitTimeJump(from: next.origin, to: next.target.position) }
  }

  /// Handles a seek that the engine refused.
  mutating func seekRefused(_ stream: StreamToken, position measured: Duration?, now: MonotonicTime) {
    guard stream == token, let refused = loaded.seek ?? loaded.doneSeek else { return }
    // The report that ended the seek belonged to an earlier pause.
    let isLate = loaded.seek == nil
    let shown = position(at: now)
    loaded.doneSeek = nil
    let measured = itemTime(measured, of: stream)
    scheduledStart?.reset()
    abandonSeeks()
    if !isLate, let end = loaded.foundEnd {
      timebase.jump(to: itemTime(end))
      return ended(stream, at: end, now: now)
    }
    if let measured, let duration = current.details.duration, measured + Self.endTolerance >= duration {
      // An item at its end does not continue, so it is opened again. The duration may be a little too long.
      if !refused.isSilent, !isLate { emitTimeJump(from: refused.origin, to: refused.shown) }
      loadCurrent(at: refused.shown, now: now)
      return
    }
    if isLate, refused.isSilent {
      // The next start corrects the position, and reports a jump.
      if isRunning { run(from: measured ?? shown, now: now) }
      // A start at an instant waits in another way.
      reconcile(now: now)
      return
    }
    timebase.jump(to: measured ?? refused.origin)
    if isLate { emitTimeJump(from: shown, to: measured ?? refused.origin) }
    if loaded.isWanted, !isLate || isRunning {
      loaded.run = .running
      // A refused seek has emptied no buffer.
      loaded.buffer.isRefilling = false
      run(from: measured ?? refused.origin, now: now)
    }
    reconcile(now: now)
  }

  /// Handles that the current item is audible, at a measured position; nil if it is unknown.
  mutating func running(at measured: Duration?, now: MonotonicTime) {
    guard phase.isReady, loaded.isWanted, !isBeforeStart(now) else { return }
    loaded.run = .running
    scheduledStart = nil
    // The engine has carried it out.
    engine.start = nil
    current.hasStartedAgain = false
    loaded.standstill.begin(at: now)
    loaded.buffer.surplus = .zero
    // Otherwise the report is older than the seek.
    guard !loaded.isSeeking else { return }
    run(from: measured ?? position(at: now), now: now)
    current.reconnection?.succeed(at: now)
    if current.isStalled, let item = queue.current {
      current.isStalled = false
      emit(.playbackResumed(item, at: position(at: now)))
    }
  }

  private mutating func run(from measured: Duration, now: MonotonicTime) {
    let shown = position(at: now)
    // The resumption after a stall is reported with its position, which may be a little earlier.
    if current.isStalled, !PositionAnchor.isJump(from: shown, to: measured) { timebase.stand(at: measured) }
    let isJump = timebase.run(
      from: measured, rate: loaded.rate, at: now, duration: current.details.duration)
    let rate = loaded.rate
    outgoing?.run(from: now, rate: rate)
    if isJump { emitTimeJump(from: shown, to: position(at: now)) }
  }

  /// Handles a measurement of the position of a running stream.
  mutating func sampled(
    _ stream: StreamToken, position media: Duration, _ progress: StreamProgress, now: MonotonicTime
  ) {
    guard stream == token, isRunning, !loaded.isSeeking, loaded.ended == nil,
      timebase.isRunning || loaded.buffer.isStarved
    else { return }
    correctEstimate(at: media)
    let measured = itemTime(media)
    if watchesArrival, noteArrival(media, now: now) { return }
    timebase.measured = now
    loaded.endDoubt = nil
    if let failure = loaded.sourceFailure {
      // A position that no longer advances shows the end.
      if timebase.noteMeasured(media) == true { return fail(failure, now: now) }
      correctPosition(to: measured, now: now)
      timebase.nextSample = now + Timebase.sampleInterval
      return
    }
    correctDuration(reached: measured)
    correctPosition(to: measured, now: now)
    // An output that has stood unnoticed has not reached a part that began by the clock; then its position is unknown.
    let early = mediaTime(.zero) - media
    if early > .zero { timebase.sampleBy(now + max(Timebase.sampleInterval, early / loaded.rate)) }
    if followStandstill(at: measured, progress, now: now) { return }
    followBuffer(at: max(measured, position(at: now)), now: now)
  }

  private mutating func correctPosition(to measured: Duration, now: MonotonicTime) {
    let shown = position(at: now)
    // At its duration an item only waits for its end or its successor.
    let isAtEnd = current.details.duration.map { shown >= $0 && measured + Self.endTolerance >= $0 } ?? false
    guard !isAtEnd, let isJump = timebase.correct(to: measured, at: now, duration: current.details.duration) else {
      return
    }
    // The output fell behind because it played nothing for some time; the difference is large enough to be noticed.
    if isJump { emitTimeJump(from: shown, to: position(at: now)) }
  }

  /// Whether a reader of the position should request a measurement, because the last one is old and clocks drift apart.
  func wantsSample(now: MonotonicTime) -> Bool { isRunning && timebase.wantsReaderSample(at: now) }

  /// Defers the time-out of a local file that is read on: a parser without an index reads all of a large file for a seek.
  ///
  /// A load may take twice its time at most.
  mutating func readsOn(_ stream: StreamToken, now: MonotonicTime) {
    guard stream == token, queue.current?.isLocal == true, phase.isLoading || loaded.isSeeking else { return }
    let deadline = now + configuration.loadTimeout
    loaded.deadline = phase.isLoading ? min(deadline, loaded.latestDeadline) : deadline
  }

  /// The instant at which the seek in progress times out.
  ///
  /// A stream that plays may take the time of a server that sends nothing; one that is paused may take any time. A file that
  /// is read on defers the deadline, and so does a process that starts.
  var seekDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isSeeking, !isEngineStarting else { return nil }
    if queue.current?.isLocal == true { return loaded.deadline }
    return intent == .playing ? max(loaded.deadline, loaded.buffer.arrival + settings.networkTimeout) : nil
  }

  private mutating func seekTimedOut(now: MonotonicTime) {
    guard queue.current?.isLocal == true else { return networkTimedOut(now: now) }
    fail(PlayerError(code: .loadTimeout, message: "timed out seeking after \(configuration.loadTimeout)"), now: now)
  }

  // MARK: Stream updates

  mutating func durationChanged(_ stream: StreamToken, _ media: Duration?, now: MonotonicTime) {
    if stream == token, isTooShort(media, now: now) { return }
    guard let duration = media.flatMap({ itemDuration($0, of: stream) }) else { return }
    changeItem(of: stream) { $0.details = $0.details.with(duration: $0.duration(claimed: duration)) }
    if stream == token { keepCorrection(of: duration) }
  }

  mutating func externalVolumeChanged(volume newVolume: Double, isMuted newMuted: Bool) {
    let volume = settings.volume
    guard abs(newVolume - volume) > 0.005 * max(volume, 0.01) || newMuted != settings.isMuted else { return }
    settings.volume = min(newVolume, settings.maximumVolume)
    settings.isMuted = newMuted
    // The output has these values.
    (engine.settings.volume, engine.settings.isMuted) = (newVolume, newMuted)
  }

  // MARK: Time

  /// Performs the actions that are due at an instant given by `nextWake`.
  mutating func wake(now: MonotonicTime) {
    passFade(now: now)
    passFading(now: now)
    passStart(now: now)
    passLoadedRange(now: now)
    switch phase.state {
    case .loading where !isEngineStarting && loaded.deadline <= now:
      let timeout = PlayerError(code: .loadTimeout, message: "timed out loading after \(configuration.loadTimeout)")
      fail(loaded.sourceFailure ?? timeout, now: now)
      return
    case .outputLost(let retry) where retry <= now:
      loadCurrent(at: position(at: now), now: now)
      return
    case .sourceLost(let retry) where retry <= now && intent == .playing: return reconnect(now: now)
    case .ready:
      if let end = networkDeadline, end <= now { return networkTimedOut(now: now) }
      if let end = seekDeadline, end <= now { return seekTimedOut(now: now) }
      if let deadline = successorDeadline, deadline <= now, let next = loaded.successors.first {
        return rejectSuccessor(next.token)
      }
      if let due = releaseTime, due <= now { unload(to: .released(isAtEnd: phase.isAtEnd), at: position(at: now)) }
    default: break
    }
    guard isRunning else { return }
    if passDueEnd(now: now) || passStandstill(now: now) { return }
    if let due = durationCheck, due <= now { checkDuration() }
    if let due = timebase.nextSample, due <= now {
      let ending = loaded.sourceFailure == nil ? nil : Timebase.sampleInterval
      timebase.takeSample(at: now, then: watchesArrival ? Self.arrivalInterval : ending)
      perform(.samplePosition(of: token))
      // The item is without a title; the tags received by now are complete.
      if current.awaitsTags {
        current.awaitsTags = false
      }
    }
  }
}
