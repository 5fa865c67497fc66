/// The gapless hand-over: what is offered, when it is heard, and when it has become the current item.
extension PlaybackMachine {
  /// Names what shall follow without a gap; asked from a streaming thread when the data of a stream has been read: the
  /// current item's, or that of its last successor.
  mutating func offerNext(for stream: StreamToken) -> HandOver.Offer? {
    guard stream == handOver.last?.token ?? token, !handOver.hasFailed, handOver.count < HandOver.limit,
      intent != .stopped, rate == 1, segmentRate == 1, seek == nil,
      let next = followers(handOver.count + 1).last, !unfitToFollow.contains(next.id), canBeOffered(next), mayHandOver
    else { return nil }
    let successor = nextToken()
    handOver.offer(next, successor)
    // The same item again is heard as it was.
    let audioTrack = next.id == queue.current?.id ? audio.chosen : nil
    return HandOver.Offer(uri: next.uri, stream: successor, audioTrack: audioTrack)
  }

  /// A short local file may be read to its end before it has prerolled; of a network stream too little is known by then.
  private var mayHandOver: Bool {
    if let last = handOver.last { return last.item.isLocal }
    // What is sought as soon as it has prerolled is read again from there.
    if load != .ready, start != nil { return false }
    return load == .ready && !isStation || queue.current?.isLocal == true
  }

  /// The items that follow the current one without a command, in order; none unless there are as many as asked for.
  private func followers(_ count: Int) -> [PlayerItem] {
    var place = queue
    var items: [PlayerItem] = []
    while items.count < count {
      if let last = items.last { place.select(last.id) }
      guard advancesByItself, let next = place.following else { return [] }
      items.append(next)
    }
    return items
  }

  /// Opens the current item again at its place when others are to follow it than were handed over.
  mutating func withdrawHandOver(now: MonotonicTime) {
    guard handOver.successors.map(\.item.id) != followers(handOver.count).map(\.id) else { return }
    loadCurrent(at: position(at: now), now: now)
  }

  /// The next stream is at the output already; positions measured now are its own.
  var inTail: Bool { handOver.first?.hasStarted == true }

  func isHandedOver(_ stream: StreamToken) -> Bool {
    handOver.index(of: stream).map { handOver.successors[$0].phase != .failed } ?? false
  }

  /// A stream that was handed over has reached the output, and is heard after `delay` more of play.
  mutating func nextStarted(_ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, now: MonotonicTime) {
    guard let index = handOver.index(of: stream), handOver.successors[index].phase == .offered else { return }
    let facts = itemFacts(facts, of: stream)
    let since = isRunning ? now : nil
    handOver.update(stream) {
      $0.details = $0.details.with(duration: facts.duration ?? $0.details.duration)
      $0.isSeekable = facts.isSeekable
      $0.phase = .started(remaining: delay, since: since)
    }
    if index == 0, delay <= .zero { switchToNext(now: now) }
  }

  mutating func switchToNext(now: MonotonicTime) {
    guard inTail, let next = handOver.takeFirst() else { return }
    let old = queue.current
    let begun = next.start ?? now
    token = next.token
    bounds = Bounds(media: next.media)
    failed.removeAll()
    unfitToFollow = []
    itemStatus = .readyToPlay
    isSeekable = next.isSeekable
    let isRepetition = old?.id == next.item.id
    // A repetition keeps the tags: the media is the same.
    details = isRepetition ? details.with(duration: next.details.duration ?? details.duration) : next.details
    audio = next.audio.keeping(isRepetition ? audio.chosen : nil)
    awaitsTags = !isRepetition && details.metadata.title == nil
    beginStretch(at: .zero)
    anchor = isRunning ? PositionAnchor(position: .zero, instant: begun, rate: 1) : PositionAnchor(at: .zero)
    nextSample = isRunning ? now + .milliseconds(150) : nil
    if let old { emit(.itemDidPlayToEnd(old)) }
    queue.select(next.item.id)
    entered(next.item, after: old)
    emit(.changed)
    if let error = next.failure { fail(error, now: now) }
  }
}
