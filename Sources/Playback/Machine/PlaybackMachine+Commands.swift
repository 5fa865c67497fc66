/// What the user asks for.
///
/// Each command is applied at once; the pipeline follows.
extension PlaybackMachine {
  mutating func play(now: MonotonicTime) {
    guard intent != .playing || isAtEnd, !queue.isEmpty else { return }
    takeDefaultRate(now: now)
    startPlaying(now: now)
  }

  mutating func startPlaying(now: MonotonicTime) {
    guard intent != .playing || isAtEnd, !queue.isEmpty else { return }
    let wasStopped = intent == .stopped
    intent = .playing
    pausedSince = nil
    buffer.arrival = now
    buffer.isStarved = false
    if fade.end != nil {
      comeUp()
    } else if wasStopped {
      failed.removeAll()
      direction = 1
      openAgain()
      loadCurrent(now: now)
    } else if isAtEnd {
      playAgain(now: now)
    } else if load == .parked {
      loadCurrent(at: position(at: now), now: now)
    } else if case .sourceLost = load {
      reconnect(now: now)
    } else {
      reconcile(now: now)
    }
    emit(.changed)
  }

  mutating func prepare(now: MonotonicTime) {
    guard intent == .stopped, !queue.isEmpty else { return }
    intent = .paused
    failed.removeAll()
    direction = 1
    openAgain()
    loadCurrent(now: now)
    emit(.changed)
  }

  mutating func pause(fading: Bool = true, now: MonotonicTime) {
    guard intent == .playing || !fading && fade.end != nil else { return }
    intent = .paused
    if fading, canFade {
      fade.end = takeDown(now: now)
    } else if fade.end != nil {
      endFall(now: now)
    } else {
      freeze(at: now)
      buffer.isEnoughUnlessEmpty = false
      if load == .ready { pausedSince = now }
      reconcile(now: now)
    }
    emit(.changed)
  }

  mutating func stop(now: MonotonicTime) {
    guard intent != .stopped else { return }
    let fades = wantsRunning && canFade
    if fades { fade.unloading = fade.end ?? takeDown(now: now) }
    intent = .stopped
    failed.removeAll()
    unload(fading: fades)
    emit(.changed)
  }

  mutating func next(now: MonotonicTime) {
    guard let item = queue.next else { return }
    failed.removeAll()
    direction = 1
    move(to: item, now: now)
  }

  mutating func previous(now: MonotonicTime) {
    guard let item = queue.previous else { return }
    failed.removeAll()
    direction = -1
    move(to: item, now: now)
  }

  /// Makes an item of the queue current and plays it.
  mutating func play(_ id: PlayerItem.ID, now: MonotonicTime) {
    guard let index = queue.index(of: id) else { return }
    failed.removeAll()
    direction = 1
    intent = .playing
    move(to: queue.items[index], now: now)
  }

  /// A seek within the current item, clamped to it; what cannot be sought is left alone and told so.
  mutating func seek(
    to target: Duration, within tolerance: Player.SeekTolerance = .zero, ticket: SeekTicket?, now: MonotonicTime
  ) {
    endFall(now: now)
    // What is still being opened may turn out to be seekable: it is decided when that is known.
    let isLoading = if case .loading = load { true } else { false }
    guard intent != .stopped, !queue.isEmpty, isSeekable || isLoading else {
      if let ticket { finishSeek(ticket, false) }
      return
    }
    let upper = max(.zero, details.duration ?? .nanoseconds(Int64.max))
    let target = min(max(.zero, target), upper)
    let origin = position(at: now)
    switch load {
    case .none, .sourceLost:
      if let ticket { finishSeek(ticket, false) }
    case .loading:
      if let old = start?.ticket { finishSeek(old, false) }
      start = SeekState.Target(position: target, ticket: ticket)
      beginStretch(at: target)
      emitTimeJump(from: origin, to: target)
    case .parked where intent == .playing:
      // Parked at its end, and to be played on from anywhere else.
      loadCurrent(at: target, ticket: ticket, now: now)
      emitTimeJump(from: origin, to: target)
    case .parked, .outputLost:
      isAtEnd = false
      anchor = PositionAnchor(at: target)
      beginStretch(at: target)
      if let ticket { finishSeek(ticket, true) }
      emitTimeJump(from: origin, to: target)
    case .ready:
      if handOver != .none || sourceFailure != nil {
        // A seek now would land in the next item, or find no source to read from: open this one again.
        loadCurrent(at: target, ticket: ticket, now: now)
        emitTimeJump(from: origin, to: target)
      } else if var pending = seek {
        for old in [pending.ticket, pending.next?.ticket] {
          if let old { finishSeek(old, false) }
        }
        pending.ticket = nil
        pending.next = SeekState.Target(position: target, ticket: ticket, tolerance: tolerance)
        pending.isSilent = false
        seek = pending
      } else {
        beginSeek(SeekState(target: target, ticket: ticket, tolerance: tolerance, origin: origin))
      }
    }
  }

  /// Answers every waiting seek with false; what the pipeline has begun is carried out, and nothing after it.
  mutating func cancelPendingSeeks() {
    let isPending = seek?.next != nil
    for ticket in [seek?.ticket, seek?.next?.ticket, start?.ticket] {
      if let ticket { finishSeek(ticket, false) }
    }
    seek?.ticket = nil
    seek?.next = nil
    start?.ticket = nil
    if isPending { emit(.changed) }
  }

  mutating func beginSeek(_ newSeek: SeekState) {
    seek = newSeek
    // Nothing is known of what is held there.
    buffer.progress = StreamProgress()
    buffer.surplus = .zero
    seek?.previousRate = segmentRate
    seek?.previousEnd = bounds.segmentEnd
    seek?.previousCut = bounds.cut
    bounds.doubt = nil
    bounds.cut = nil
    isRunning = false
    isAtEnd = false
    nextSample = nil
    if intent == .playing { pausedSince = nil }
    segmentRate = rate
    anchor = PositionAnchor(at: newSeek.target)
    beginStretch(at: newSeek.target)
    bounds.segmentEnd = stopTime
    perform(
      .seek(to: mediaTime(newSeek.target), rate: rate, exactly: newSeek.tolerance.isExact, until: bounds.segmentEnd))
  }

  mutating func setVolume(_ newVolume: Double) {
    guard newVolume != volume else { return }
    volume = newVolume
    perform(.setVolume(newVolume))
    emit(.changed)
  }

  mutating func setMuted(_ muted: Bool) {
    guard muted != isMuted else { return }
    isMuted = muted
    perform(.setMuted(muted))
    emit(.changed)
  }

  // MARK: The queue

  /// Applies an edit that leaves the current item in its place, and takes back a hand-over that it has made wrong.
  mutating func editQueue(now: MonotonicTime, _ edit: (inout PlayQueue) -> Void) {
    edit(&queue)
    queueWasEdited(now: now)
  }

  private mutating func queueWasEdited(now: MonotonicTime) {
    fitHandOver(now: now)
    emit(.changed)
  }

  /// Replaces the queue; what plays or is paused goes on with the new current item.
  mutating func replaceQueue(
    with items: [PlayerItem], startingAt start: Int, playOrder: [Int]? = nil, now: MonotonicTime
  ) {
    guard !items.isEmpty || !queue.isEmpty else { return }
    let old = queue.current
    queue.replace(with: items, startingAt: start, playOrder: playOrder)
    currentWasReplaced(old, now: now)
  }

  mutating func insert(_ items: [PlayerItem], after id: PlayerItem.ID?, now: MonotonicTime) {
    insert(now: now) { $0.insert(items, after: id) }
  }

  mutating func insertAtStart(_ items: [PlayerItem], now: MonotonicTime) {
    insert(now: now) { $0.insertAtStart(items) }
  }

  private mutating func insert(now: MonotonicTime, _ insertion: (inout PlayQueue) -> Void) {
    let (wasEmpty, revision) = (queue.isEmpty, queue.revision)
    insertion(&queue)
    guard queue.revision != revision else { return }
    queueWasEdited(now: now)
    if wasEmpty {
      forgetItem()
      if let current = queue.current { entered(current, after: nil) }
    }
  }

  /// Moves an item in list order.
  mutating func move(_ id: PlayerItem.ID, to place: Int, now: MonotonicTime) {
    let revision = queue.revision
    queue.move(id, to: place)
    if queue.revision != revision { queueWasEdited(now: now) }
  }

  /// Removes items; when the current one is among them and nothing follows, playback stops.
  mutating func remove(_ ids: Set<PlayerItem.ID>, now: MonotonicTime) {
    guard ids.contains(where: queue.contains) else { return }
    guard let old = queue.current, ids.contains(old.id) else {
      return editQueue(now: now) { $0.remove(ids) }
    }
    let hasFollower = queue.neighbour(1, excluding: ids) != nil
    queue.remove(ids)
    if !hasFollower { intent = .stopped }
    currentWasReplaced(old, now: now)
  }

  private mutating func currentWasReplaced(_ old: PlayerItem?, now: MonotonicTime) {
    failed.removeAll()
    direction = 1
    forgetItem()
    if queue.isEmpty { intent = .stopped }
    loadCurrent(now: now)
    entered(queue.current, after: old)
    emit(.changed)
  }
}
