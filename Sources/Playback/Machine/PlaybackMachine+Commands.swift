/// The user commands.
///
/// Each command is applied to the state at once; the engine follows.
extension PlaybackMachine {
  mutating func play(now: MonotonicTime) {
    cancelScheduledStart(now: now)
    resume(now: now)
  }

  /// Plays at the default rate.
  mutating func resume(now: MonotonicTime) {
    guard intent != .playing || phase.isAtEnd, !queue.isEmpty else { return }
    if let rate = settings.defaultRate { setRate(rate, now: now) }
    startPlaying(now: now)
  }

  mutating func startPlaying(now: MonotonicTime) {
    guard intent != .playing || phase.isAtEnd, !queue.isEmpty else { return }
    let wasStopped = intent == .stopped
    intent = .playing
    if phase.isLoaded {
      loaded.pausedSince = nil
      loaded.buffer.arrival = now
      loaded.buffer.isStarved = false
    }
    if fade.pauseDue != nil {
      resetFade(.in)
    } else if wasStopped {
      skip = SkipPass()
      openAgain()
      loadCurrent(now: now)
    } else if phase.isAtEnd {
      playAgain(from: position(at: now), now: now)
    } else if phase.isReleased {
      loadCurrent(at: position(at: now), now: now)
    } else if phase.isSourceLost {
      reconnect(now: now)
    } else {
      reconcile(now: now)
    }
  }

  mutating func prepare(now: MonotonicTime) {
    guard intent == .stopped, !queue.isEmpty else { return }
    intent = .paused
    skip = SkipPass()
    openAgain()
    loadCurrent(now: now)
  }

  mutating func pause(fading: Bool, now: MonotonicTime) {
    guard intent == .playing || !fading && fade.pauseDue != nil else { return }
    intent = .paused
    if fading, canFade {
      fade.pauseDue = fadeOut(now: now)
    } else {
      pausePipeline(now: now)
    }
    cancelScheduledStart(now: now)
  }

  mutating func stop(now: MonotonicTime) {
    guard intent != .stopped else { return }
    skipped = nil
    if canFade { fade.unloadDue = fade.pauseDue ?? fadeOut(now: now) }
    intent = .stopped
    unload()
  }

  /// Makes the item that a command selects current, if there is one.
  mutating func select(_ item: Player.Item?, isBackward: Bool = false, now: MonotonicTime) {
    guard let item else { return }
    skip = SkipPass(isBackward: isBackward)
    fadeAtSkip(now: now)
    move(to: item, now: now)
  }

  /// Makes an item of the queue current and plays it.
  mutating func play(_ id: Player.Item.ID, now: MonotonicTime) {
    guard let index = queue.index(of: id) else { return }
    intent = .playing
    select(queue.items[index], now: now)
  }

  /// Seeks within the current item, and clamps the target to it; if the item is not seekable, the ticket finishes with
  /// false.
  mutating func seek(
    to target: Duration, within tolerance: Player.SeekTolerance, ticket: SeekTicket, now: MonotonicTime
  ) {
    finishFadeOut(now: now)
    // An item that is still being opened may turn out to be seekable, which is decided when that is known.
    guard intent != .stopped, !queue.isEmpty, current.isSeekable || phase.isLoading else {
      return finishSeek(ticket, false)
    }
    scheduledStart = nil
    let upper = max(.zero, current.details.duration ?? .nanoseconds(Int64.max))
    let target = min(max(.zero, target), upper)
    let origin = loaded.seek?.origin ?? position(at: now)
    switch phase.state {
    case .none, .sourceLost: finishSeek(ticket, false)
    case .loading:
      finishSeek(loaded.start?.ticket, false)
      loaded.start = SeekTarget(position: target, ticket: ticket)
      timebase.jump(to: target)
      emitTimeJump(from: origin, to: target)
    case .released where intent == .playing || queue.current?.isLocal != true:
      // The item is at its end. Playback is to continue at another position, or the item comes from a server, which may
      // not provide it later.
      loadCurrent(at: target, ticket: ticket, now: now)
      emitTimeJump(from: origin, to: target)
    case .released, .outputLost:
      if phase.isReleased { phase = .released(isAtEnd: false) }
      timebase.jump(to: target)
      finishSeek(ticket, true)
      emitTimeJump(from: origin, to: target)
    case .ready:
      let target = SeekTarget(position: target, ticket: ticket, tolerance: tolerance)
      if loaded.sourceFailure != nil {
        // Without a source to read from, the current item is opened again.
        loadCurrent(at: target.position, ticket: ticket, now: now)
        emitTimeJump(from: origin, to: target.position)
      } else if var pending = loaded.seek {
        for old in loaded.tickets { finishSeek(old, false) }
        pending.target.ticket = nil
        pending.next = target
        pending.isSilent = false
        loaded.seek = pending
      } else {
        beginSeek(SeekState(target: target, origin: origin), now: now)
      }
    }
  }

  /// Finishes every pending seek with false; the seek that the engine has begun is carried out, but no later one.
  mutating func cancelPendingSeeks() {
    guard phase.isLoaded else { return }
    for ticket in loaded.tickets { finishSeek(ticket, false) }
    loaded.seek?.target.ticket = nil
    loaded.seek?.next = nil
    loaded.start?.ticket = nil
  }

  /// Sends a seek to the engine.
  ///
  /// `continuesRun` is true if playback has just reached the target, so that observers see no jump.
  mutating func beginSeek(_ newSeek: SeekState, continuesRun: Bool = false, now: MonotonicTime) {
    outgoingEnded()
    // The data at the target is audible at the full level.
    if loaded.isWanted { skipped = nil }
    var stream = loaded
    (stream.seek, stream.doneSeek) = (newSeek, nil)
    (stream.successors, stream.isRead, stream.ended) = ([], false, nil)
    // What sounded beside it has ended.
    if skipped == nil { stream.join = .gapless }
    // The amount of data buffered at the target is unknown.
    stream.buffer.flush()
    stream.standstill = Standstill()
    stream.deadline = now + configuration.loadTimeout
    stream.endDoubt = nil
    stream.foundEnd = nil
    stream.check = nil
    stream.run = stream.isWanted ? .starting : .held
    if intent == .playing { stream.pausedSince = nil }
    loaded = stream
    let target = newSeek.target
    if !continuesRun { timebase.jump(to: target.position) }
    perform(.seek(token, to: target.position + (queue.current?.start ?? .zero), exactly: target.tolerance.isExact))
    // A start at an instant is requested again.
    engine.start = nil
  }

  /// Sets the rate; 1 is normal.
  ///
  /// The caller has checked the range.
  mutating func setRate(_ newRate: Double, now: MonotonicTime) {
    guard newRate != settings.rate else { return }
    settings.rate = newRate
    if phase.isReady, current.isSeekable { applyRate(now: now) }
  }

  /// The speed at which an item plays.
  func rate(isSeekable: Bool) -> Double { isSeekable ? settings.rate : 1 }

  /// Lets the current item play at the rate of the settings from now on.
  private mutating func applyRate(now: MonotonicTime) {
    guard settings.rate != loaded.rate else { return }
    finishFadeOut(now: now)
    let shown = position(at: now)
    loaded.rate = settings.rate
    decideOverlapsAgain()
    timebase.beginRun(at: shown)
    guard timebase.isRunning else { return }
    timebase.run(from: shown, rate: loaded.rate, at: now, duration: current.details.duration)
    let rate = loaded.rate
    outgoing?.run(from: now, rate: rate)
  }

  /// Continues playback at a position, usually the current one, and replaces the data on its way to the output.
  mutating func seekAgain(to position: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if loaded.sourceFailure != nil {
      // A seek lacks a source to read from.
      loadAgain(at: position, now: now)
    } else if let seek = loaded.seek {
      // Seeks to the same position again after the current seek.
      if seek.next == nil {
        loaded.seek?.next = SeekTarget(position: seek.target.position, ticket: seek.target.ticket)
        loaded.seek?.target.ticket = nil
      }
    } else {
      beginSeek(SeekState(target: SeekTarget(position: position), isSilent: isSilent, origin: position), now: now)
    }
  }

  // MARK: The queue

  /// Applies an edit that keeps the current item; the first item in an empty queue becomes current.
  mutating func editQueue(now: MonotonicTime, _ edit: (inout PlayQueue) -> Void) {
    let wasEmpty = queue.isEmpty
    edit(&queue)
    if wasEmpty, let first = queue.current {
      forgetItem()
      entered(first, after: nil)
    }
  }

  /// Replaces the queue; the new current item plays or is paused like the one before.
  mutating func replaceQueue(
    with items: [Player.Item], startingAt start: Int, playOrder: [Int]? = nil, now: MonotonicTime
  ) {
    guard !items.isEmpty || !queue.isEmpty else { return }
    let old = queue.current
    queue.replace(with: items, startingAt: start, playOrder: playOrder)
    currentWasReplaced(old, now: now)
  }

  /// Removes items; if the current one is among them and no item follows, playback stops.
  mutating func remove(_ ids: Set<Player.Item.ID>, now: MonotonicTime) {
    guard ids.contains(where: queue.contains) else { return }
    guard let old = queue.current, ids.contains(old.id) else {
      return editQueue(now: now) { $0.remove(ids) }
    }
    let hasFollower = queue.neighbour(1, excluding: ids) != nil
    queue.remove(ids)
    if !hasFollower { intent = .stopped }
    currentWasReplaced(old, now: now)
  }

  private mutating func currentWasReplaced(_ old: Player.Item?, now: MonotonicTime) {
    skip = SkipPass()
    forgetItem()
    if queue.isEmpty { intent = .stopped }
    loadCurrent(now: now)
    entered(queue.current, after: old)
  }
}
