/// The end of an item, and what is done there.
extension PlaybackMachine {
  /// The item that follows the current one without a command.
  var follower: PlayerItem? { follower(1) }

  /// A looped item repeats, whatever is to be done at an end, unless that is to stop.
  var advancesByItself: Bool {
    settings.actionAtItemEnd == .advance || queue.loop == .track && settings.actionAtItemEnd != .stop
  }

  mutating func endOfStream(_ stream: StreamToken, now: MonotonicTime) {
    // Successors so short that they ended before their start was noticed: one after the other.
    while loaded.handOver[stream] != nil, inTail, let next = loaded.handOver.first, !next.isWithdrawn {
      switchToNext(now: now)
    }
    let isCurrent = stream == token || loaded.handOver[stream]?.isWithdrawn == true
    guard isCurrent, phase.isReady, loaded.seek == nil, loaded.run != .ended else { return }
    passUnnoticedEnds(now: now)
    if let failure = loaded.sourceFailure {
      fail(failure, now: now)
    } else if isStation {
      fail(PlayerError(.networkCut, "the station has ended the connection"), now: now)
    } else {
      playedToEnd(now: now)
    }
  }

  /// Takes over the time at which the media of a stream turned out to end, where its duration was not known, or was not
  /// true: a file that was cut off is shorter than it says.
  mutating func noteEnd(of stream: StreamToken, at mediaEnd: Duration?) {
    // A stream of which nothing was measured by then has no known end.
    guard let mediaEnd, mediaEnd > .zero, !loaded.isLive, !isStation, let item = item(of: stream), item.end == nil,
      let end = itemTime(mediaEnd, of: stream)
    else { return }
    let known = stream == token ? current.details.duration : loaded.handOver[stream]?.details.duration
    guard known.map({ end + Self.endTolerance < $0 }) ?? true else { return }
    if stream == token {
      current.details = current.details.with(duration: end)
      emit(.changed)
    } else {
      loaded.handOver.update(stream) { $0.details = $0.details.with(duration: end) }
    }
  }

  mutating func playedToEnd(now: MonotonicTime) {
    // Paused shortly before: what is to be done at the end is done when play goes on.
    if fade.pauseDue != nil {
      endFall(now: now)
      return emit(.changed)
    }
    guard let ended = queue.current else { return endQueue() }
    let end = endPosition(at: now)
    // A file that was cut off is shorter than it says; a stream of unknown length is known now.
    if timebase.isRunning, !loaded.isLive { current.details = current.details.with(duration: end) }
    emit(.itemDidPlayToEnd(ended))
    skip.succeed()
    finish(ended, at: end, now: now)
  }

  /// Does what the action at the end and the loop mode say about an item that has played to its end.
  private mutating func finish(_ ended: PlayerItem, at end: Duration, now: MonotonicTime) {
    if settings.actionAtItemEnd == .stop { return stopAfter(ended, now: now) }
    guard advancesByItself else { return hold(at: end, now: now) }
    guard let next = queue.following else { return endQueue() }
    skip = SkipPass()
    guard next.id == ended.id else { return move(to: next, now: now) }
    if current.isSeekable, phase.isReady, loaded.handOver.isEmpty {
      beginSeek(SeekState(target: SeekTarget(position: .zero), isSilent: true, origin: .zero))
    } else {
      loadCurrent(now: now)
    }
    entered(next, after: ended)
    emit(.changed)
  }

  /// Nothing more is heard; a later Play begins with what would have followed.
  private mutating func stopAfter(_ ended: PlayerItem, now: MonotonicTime) {
    guard let next = queue.following else { return endQueue() }
    intent = .stopped
    if next.id == ended.id {
      unload()
      emit(.changed)
    } else {
      move(to: next, now: now)
    }
  }

  /// The item has ended, and stays.
  private mutating func hold(at end: Duration, now: MonotonicTime) {
    timebase.stand(at: end)
    if settings.actionAtItemEnd == .pause { intent = .paused }
    loaded.pausedSince = now
    setWanted(.ended, now: now)
    emit(.changed)
  }

  /// Plays an item that has ended from its start.
  mutating func playAgain(now: MonotonicTime) {
    let end = position(at: now)
    if phase.isReady, current.isSeekable, loaded.handOver.isEmpty {
      loaded.pausedSince = nil
      beginSeek(SeekState(target: SeekTarget(position: .zero), origin: end))
    } else {
      loadCurrent(now: now)
      emitTimeJump(from: end, to: .zero)
    }
  }

  /// Sets what is done at the end of an item, and takes back a hand-over that this makes wrong.
  mutating func setActionAtItemEnd(_ action: Player.ActionAtItemEnd, now: MonotonicTime) {
    guard action != settings.actionAtItemEnd else { return }
    settings.actionAtItemEnd = action
    fitHandOver(now: now)
    emit(.changed)
    finishHeldItem(now: now)
  }

  /// Sets what follows the end of an item, and takes back a hand-over that this makes wrong.
  mutating func setLoop(_ loop: LoopMode, now: MonotonicTime) {
    guard loop != queue.loop else { return }
    editQueue(now: now) { $0.loop = loop }
    finishHeldItem(now: now)
  }

  /// An item that was left at its end, to go on with a seek, gets the action that is set now.
  private mutating func finishHeldItem(now: MonotonicTime) {
    guard phase.isAtEnd, intent == .playing, let ended = queue.current else { return }
    guard settings.actionAtItemEnd != .none || advancesByItself else { return }
    finish(ended, at: position(at: now), now: now)
  }
}
