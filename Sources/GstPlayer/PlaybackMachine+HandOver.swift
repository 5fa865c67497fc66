/// The gapless hand-over: what is offered, when it is heard, and when it has become the current item.
extension PlaybackMachine {
  /// Names what shall follow without a gap; asked from a streaming thread when the current item's data has been read.
  mutating func offerNext(for stream: StreamToken) -> (uri: String, stream: StreamToken)? {
    guard stream == token, handOver == .none, intent != .stopped, rate == 1, segmentRate == 1, seek == nil,
      let next = follower, !unfitToFollow.contains(next.id), canBeOffered(next),
      mayHandOver
    else { return nil }
    let successor = nextToken()
    handOver = .offered(next, successor)
    nextDetails = .unknown
    nextFailure = nil
    return (next.uri, successor)
  }

  /// A short local file may be read to its end before it has prerolled; of a network stream too little is known by then.
  private var mayHandOver: Bool { load == .ready && !isStation || queue.current?.isLocal == true }

  /// The next stream has reached the output, and is heard after `delay` more of play.
  mutating func nextStarted(_ stream: StreamToken, in delay: Duration, _ facts: StreamFacts, now: MonotonicTime) {
    guard case .offered(let item, stream) = handOver else { return }
    let facts = itemFacts(facts, of: stream)
    nextDetails = nextDetails.with(duration: facts.duration)
    nextFacts = facts
    handOver = .started(item, stream, remaining: delay, since: isRunning ? now : nil)
    if delay <= .zero { switchToNext(now: now) }
  }

  mutating func switchToNext(now: MonotonicTime) {
    guard case .started(let item, let stream, let remaining, let since) = handOver else { return }
    let old = queue.current
    let end = details.duration ?? position(at: now)
    let begun = since.map { $0 + remaining } ?? now
    token = stream
    bounds = Bounds(media: bounds.nextMedia)
    handOver = .none
    failed.removeAll()
    unfitToFollow = []
    itemStatus = .readyToPlay
    isSeekable = nextFacts.isSeekable
    details = nextDetails
    nextDetails = .unknown
    awaitsTags = details.metadata.title == nil
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
}
