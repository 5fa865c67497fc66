/// Opens the items that follow without a command while the current one plays, so that they begin with its last sample or
/// overlap with its end.
///
/// An item follows in the plan as soon as its stream is open. It becomes current when its first sample is audible.
extension PlaybackMachine {
  /// The time before the end of an item at which the next one is opened if it comes from a server, for a gapless start.
  private static let serverLead = Duration.seconds(20)

  /// Returns the item at a given distance after the current one that follows without a command; nil if there is none.
  func follower(_ places: Int = 1) -> Player.Item? { advancesByItself ? queue.following(places) : nil }

  // MARK: Which items are open

  /// Closes the successors that no longer follow, opens the next ones when that is due, and decides how the first one begins.
  mutating func updateSuccessors(now: MonotonicTime) {
    guard phase.isReady, loaded.run != .ended else { return }
    let kept = loaded.successors.indices.prefix { loaded.successors[$0].item.id == follower($0 + 1)?.id }
    if kept.count < loaded.successors.count { loaded.successors.removeSubrange(kept.count...) }
    while let next = nextSuccessor,
      loaded.successors.last?.isRead ?? (loaded.isRead || openingDue.map { $0 <= now } ?? false)
    {
      let successor = Successor(item: next, token: nextToken())
      loaded.successors.append(successor)
      // A repetition of the same item keeps its audio track.
      open(next, successor.token, audioTrack: next.id == queue.current?.id ? current.audio.chosen : nil)
    }
    updateOverlap(now: now)
    // It has ended before the one that was to follow it was removed.
    if loaded.ended != nil, loaded.successors.isEmpty, loaded.isWanted { playedToEnd(now: now) }
  }

  /// The item to open after the last open item; nil if no item is to be opened now.
  ///
  /// An item that follows in the same stream, or only after the end of the previous item, is not opened ahead.
  private var nextSuccessor: Player.Item? {
    let count = loaded.successors.count
    guard phase.isReady, !loaded.isSeeking, loaded.sourceFailure == nil, !loaded.isLive, !isStation,
      count < Successor.limit, let next = follower(count + 1), !current.rejectedSuccessors.contains(next.id)
    else { return nil }
    guard let last = loaded.successors.last else { return isJoined ? nil : next }
    // Media without a duration may be a broadcast, and further parts of the same media need no stream.
    let isWhole = last.isSettled && !last.isLive && (last.item.isLocal || last.state.details.duration != nil)
    return isWhole && !(last.item.isClip && isJoined(last.item, next, media: last.media)) ? next : nil
  }

  /// The instant at which the next item is opened, unless the current one is decoded to its end before; nil if it is open,
  /// or while the position does not advance.
  var openingDue: MonotonicTime? {
    guard timebase.isRunning, loaded.successors.isEmpty, !loaded.isRead, let next = nextSuccessor,
      let end = followedEnd
    else { return nil }
    let lead =
      crossfades(to: next)
      ? settings.crossfade.length + Self.preparation(of: next) : next.isLocal ? nil : Self.serverLead
    return lead.flatMap { timebase.anchor.outputInstant(reaching: end - $0 * loaded.rate) }
  }

  /// Handles that a stream is decoded to the end of its part.
  mutating func wasRead(_ stream: StreamToken, now: MonotonicTime) {
    if stream == token {
      // Before a seek is done, the report is one from before it.
      guard !loaded.isSeeking else { return }
      loaded.isRead = true
      // The received range then reaches the end of the item.
      if isStreaming, !loaded.isLive { announceLoadedRange(now: now) }
    } else {
      loaded.successors.update(stream) { $0.isRead = true }
    }
  }

  /// Handles that the stream of a successor is ready.
  mutating func successorSettled(_ stream: StreamToken, _ facts: StreamFacts) {
    guard loaded.successors[stream] != nil else { return }
    let facts = itemFacts(facts, of: stream)
    loaded.successors.update(stream) {
      ($0.isSettled, $0.isLive, $0.progress) = (true, facts.isLive, facts.progress)
      $0.state.details = $0.state.details.with(duration: facts.duration ?? $0.state.details.duration)
      $0.state.isSeekable = facts.isSeekable
    }
    guard let next = loaded.successors[stream], next.item.start > .zero else { return }
    if !facts.isSeekable || next.media.map({ next.item.start >= $0 }) ?? false { rejectSuccessor(stream) }
  }

  /// Closes a successor and those after it; it is opened again, and may fail, when it is current.
  mutating func rejectSuccessor(_ stream: StreamToken) {
    guard let successor = loaded.successors[stream] else { return }
    current.rejectedSuccessors.insert(successor.item.id)
    loaded.successors.remove(from: stream)
  }

  // MARK: The transition

  /// Handles that a stream is audible, at a time of its media.
  mutating func audible(_ stream: StreamToken, at time: Duration?, now: MonotonicTime) {
    guard stream != token else { return running(at: itemTime(time, of: stream), now: now) }
    guard let index = loaded.successors.firstIndex(where: { $0.token == stream }) else { return }
    let position = itemTime(time, of: stream) ?? .zero
    // The engine holds a part that was audible before the command of a start at an instant.
    if !isBeforeStart(now) {
      // The current item may have ended without a sample.
      if loaded.isWanted { loaded.run = .running }
      // Another part cancels a start in the engine, too.
      (scheduledStart, engine.start) = (nil, nil)
    }
    let late = index == 0 ? lateOverlap(now: now) : nil
    // The successors before it lack samples, so they overlap with nothing.
    for _ in 0..<index {
      loaded.successors[0].overlap = nil
      beginNext(at: .zero, now: now)
    }
    beginNext(at: position, late: late, now: now)
  }

  /// The overlap that the engine began before it received the plan without it; nil if the current item has ended.
  private func lateOverlap(now: MonotonicTime) -> Successor.Overlap? {
    guard loaded.ended == nil, timebase.isRunning, let end = followedEnd else { return nil }
    let start = position(at: now)
    return start < end ? Successor.Overlap(start: start, end: end) : nil
  }

  /// Makes the first successor the current item; the item before has ended, or fades out.
  ///
  /// `late` is the overlap in which both are audible if none is planned any more.
  private mutating func beginNext(at position: Duration, late: Successor.Overlap? = nil, now: MonotonicTime) {
    let (old, next) = (queue.current, loaded.successors.removeFirst())
    outgoingEnded()
    skipped = nil
    // A caller may still await a seek in the item that has ended.
    abandonSeeks()
    let overlap = loaded.ended == nil ? next.overlap.flatMap { $0.length > .zero ? $0 : nil } ?? late : nil
    var stream = LoadedStream(next, after: loaded, timeout: configuration.loadTimeout, now: now)
    stream.rate = rate(isSeekable: next.state.isSeekable)
    if let overlap, let old {
      stream.join = .overlap(
        CrossfadeShape(length: overlap.length / loaded.rate, curve: settings.crossfade.curve))
      var part = currentPart
      part.end = mediaTime(overlap.end)
      outgoing = OutgoingStream(
        item: old,
        // A measurement after the start of the overlap shows that it began late.
        anchor: PositionAnchor(position: max(overlap.start, timebase.anchor.position)), duration: overlap.end,
        part: part)
      let rate = loaded.rate
      // It may be the first report after a pause.
      if isRunning { outgoing?.run(from: now, rate: rate) }
    }
    loaded = stream
    skip = SkipPass()
    current = CurrentItem(next, isRepetition: old?.id == next.item.id, after: current)
    let anchor = PositionAnchor(position: position, instant: now, rate: loaded.rate)
    timebase.enterItem(with: isRunning ? anchor : PositionAnchor(position: position), at: now)
    if outgoing == nil, let old { emit(.itemDidPlayToEnd(old)) }
    queue.select(next.item.id)
    entered(next.item, after: old)
    reconcile(now: now)
  }

  // MARK: The time limit for a successor that hangs while it is opened

  /// The instant at which the awaited successor is late; nil if the current item has not ended, or if none is awaited.
  ///
  /// Data that arrives defers it, at most to twice the time.
  var successorDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isWanted, let ended = loaded.ended, !loaded.successors.isEmpty else { return nil }
    return max(ended, min(loaded.successorArrival, ended + configuration.loadTimeout)) + configuration.loadTimeout
  }
}
