/// The gapless hand-over: what is offered, when it is heard, and when it has become the current item.
extension PlaybackMachine {
  /// Names what shall follow without a gap; asked from a streaming thread when the data of a stream has been read: the
  /// current item's, or that of its last successor.
  mutating func offerNext(for stream: StreamToken, now: MonotonicTime) -> NextStream? {
    let place = loaded.handOver.count + 1
    guard stream == loaded.handOver.last?.token ?? token, !loaded.handOver.isClosed, place <= HandOver.limit,
      intent != .stopped, settings.rate == 1, loaded.segment.rate == 1, loaded.seek == nil,
      let next = follower(place), !current.unfitSuccessors.contains(next.id), canBeOffered(next), mayHandOver
    else { return nil }
    let successor = nextToken()
    let end = endOfParts(from: next, at: place, media: nil)
    loaded.handOver.offer(next, successor, cut: end)
    loaded.handOver.expectedSince = now
    // The same item again is heard as it was.
    let audioTrack = next.id == queue.current?.id ? current.audio.chosen : nil
    return NextStream(uri: next.uri, stream: successor, audioTrack: audioTrack, end: end)
  }

  /// A short local file may be read to its end before it has prerolled; of a network stream too little is known by then.
  private var mayHandOver: Bool {
    if let last = loaded.handOver.last { return last.item.isLocal }
    // What is sought as soon as it has prerolled is read again from there.
    if phase.start != nil { return false }
    return phase.isReady && !isStation || queue.current?.isLocal == true
  }

  /// The item that is so many places behind the current one, without a command; nil where nothing is.
  func follower(_ places: Int) -> PlayerItem? { advancesByItself ? queue.following(places) : nil }

  /// Withdraws the successors that no longer follow, so that the stream before them plays to its last sample and ends;
  /// and ends the others where the parts of their media end now.
  mutating func fitHandOver(now: MonotonicTime) {
    let kept = loaded.handOver.kept
    if let wrong = kept.indices.first(where: { kept[$0].item.id != follower($0 + 1)?.id }) {
      // Nothing has been heard yet.
      guard phase.isReady else { return loadCurrent(at: position(at: now), now: now) }
      loaded.handOver.withdraw(kept[wrong].token)
      perform(.withdraw(kept[wrong].token))
    }
    fitEnds()
  }

  /// The next stream is at the output already; positions measured now are its own.
  var inTail: Bool { loaded.handOver.first?.hasStarted == true }

  func isHandedOver(_ stream: StreamToken) -> Bool { loaded.handOver[stream].map { !$0.isWithdrawn } ?? false }

  /// A stream that was handed over has reached the output, and is heard after `delay` more of play.
  ///
  /// `previousEnd` is the media time at which the stream before it ended.
  mutating func nextStarted(
    _ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, previousEnd: Duration? = nil, now: MonotonicTime
  ) {
    guard let index = loaded.handOver.index(of: stream), loaded.handOver.successors[index].phase == .offered else {
      return
    }
    let facts = itemFacts(facts, of: stream)
    let since = isRunning ? now : nil
    loaded.handOver.update(stream) {
      $0.details = $0.details.with(duration: facts.duration ?? $0.details.duration)
      $0.isSeekable = facts.isSeekable
      $0.phase = .started(remaining: delay, since: since)
    }
    noteEnd(of: index == 0 ? token : loaded.handOver.successors[index - 1].token, at: previousEnd)
    if index == 0, delay <= .zero { passIntoNext(now: now) }
  }

  /// The first sample of what is at the output after the current item is due.
  mutating func passIntoNext(now: MonotonicTime) {
    // A withdrawn one that had reached the output is cut off there by what is loaded now.
    if loaded.handOver.first?.isWithdrawn == true { playedToEnd(now: now) } else { switchToNext(now: now) }
  }

  mutating func switchToNext(now: MonotonicTime) {
    guard inTail, let next = loaded.handOver.takeFirst() else { return }
    let old = queue.current
    let begun = next.start ?? now
    loaded = LoadedStream(next, after: loaded, now: now)
    skip = SkipPass()
    current = CurrentItem(next, isRepetition: old?.id == next.item.id, after: current)
    let anchor = PositionAnchor(position: .zero, instant: begun, rate: 1)
    timebase.enterItem(with: isRunning ? anchor : PositionAnchor(at: .zero), at: now)
    if let old { emit(.itemDidPlayToEnd(old)) }
    queue.select(next.item.id)
    entered(next.item, after: old)
    emit(.changed)
    if let error = next.failure { fail(error, now: now) }
  }
}
