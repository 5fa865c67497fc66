/// Items that are a part of their media: the pipeline's times are the media's, the machine's are the item's.
///
/// Where an item ends and the next one begins in the same media, play goes on and the next item becomes current in
/// passing; else the pipeline is told where to stop, exactly.
extension PlaybackMachine {
  /// What is known of the media around the items.
  struct Bounds: Equatable, Sendable {
    /// Where the present segment stops before the end of the media.
    var segmentEnd: Duration?
    /// How long the media of the current item is.
    var media: Duration?
    /// What the item was heard of before its media was opened again, and begins anew.
    var offset = Duration.zero
    /// The end was due long ago: until then a measurement is waited for, which tells whether it was reached.
    var doubt: MonotonicTime?
  }

  // MARK: Times

  private func item(of stream: StreamToken) -> PlayerItem? {
    stream == token ? queue.current : handOver[stream]?.item
  }

  /// A time of the media in its item.
  func itemTime(_ time: Duration?, of stream: StreamToken) -> Duration? {
    let start = item(of: stream)?.start ?? .zero
    let offset = stream == token ? bounds.offset : .zero
    return time.map { max(.zero, $0 - start) + offset }
  }

  /// What the pipeline says of a stream, as it is true for its item.
  mutating func itemFacts(_ facts: StreamFacts, of stream: StreamToken) -> StreamFacts {
    var facts = facts
    facts.duration = itemDuration(facts.duration, of: stream)
    facts.position = itemTime(facts.position, of: stream)
    return facts
  }

  mutating func itemDuration(_ duration: Duration?, of stream: StreamToken) -> Duration? {
    if stream == token { bounds.media = duration } else { handOver.update(stream) { $0.media = duration } }
    return item(of: stream)?.duration(ofMedia: duration) ?? duration
  }

  /// A time of the current item in its media.
  func mediaTime(_ time: Duration) -> Duration { time + (queue.current?.start ?? .zero) }

  // MARK: Ends

  /// The next item goes on where the current one ends, in the same media.
  private var isJoined: Bool {
    guard let current = queue.current, let next = follower, current.isContinued(by: next) else { return false }
    return !failed.contains(next.id) && bounds.media.map { next.start < $0 } ?? true
  }

  /// Where the pipeline is to stop; nil for the end of the media, or where play is to go on.
  var stopTime: Duration? { isJoined ? nil : queue.current?.end }

  /// Whether the current item can only be played after a seek.
  var needsPlacing: Bool { queue.current?.start ?? .zero > .zero || stopTime != nil }

  /// Why the current item has no place in its media; nil when it has.
  func misplacement(isSeekable: Bool) -> PlayerError? {
    guard let start = queue.current?.start, start > .zero else { return nil }
    if !isSeekable { return PlayerError(.unknown, "the place where it begins cannot be reached") }
    guard let media = bounds.media, start >= media else { return nil }
    return PlayerError(.corrupt, "it is to begin at \(start), and the media is only \(media) long")
  }

  /// When the current item ends where the pipeline does not.
  var openEnd: MonotonicTime? {
    guard queue.current?.end != nil, bounds.segmentEnd == nil, seek == nil, !inTail, !isAtEnd, anchor.isRunning,
      let duration = details.duration
    else { return nil }
    return bounds.doubt ?? anchor.instant(reaching: duration, from: anchor.instant)
  }

  /// Whether `next` can follow the current item without a gap, as a stream of its own.
  func canBeOffered(_ next: PlayerItem) -> Bool {
    guard let current = queue.current else { return false }
    // A stream of its own begins at its beginning; it is not told where to stop.
    guard next.start == .zero, next.end == nil || isContinuedInList(next) else { return false }
    // Of what follows later, only whole media.
    if let last = handOver.last { return !last.item.isPart && !next.isPart }
    // What must be sought first may not have a successor by then.
    guard load == .ready || !needsPlacing else { return false }
    return current.end == nil || bounds.segmentEnd != nil
  }

  /// Whether the item after the next one goes on where that one ends.
  private func isContinuedInList(_ next: PlayerItem) -> Bool {
    guard !queue.isShuffled, let index = queue.currentIndex, index + 2 < queue.items.count else { return false }
    return queue.items[index + 1] == next && next.isContinued(by: queue.items[index + 2])
  }

  /// The end of an item is due where the pipeline goes on.
  ///
  /// - Returns: Whether it was; nothing else is to be done then.
  mutating func passDueEnd(now: MonotonicTime) -> Bool {
    guard let due = openEnd, due <= now else { return false }
    if bounds.doubt == nil, due + .seconds(1) < now {
      // The process has stood; whether play has gone on is not known until it is measured.
      bounds.doubt = now + .milliseconds(200)
      perform(.samplePosition)
      return true
    }
    passEnd(now: now)
    return true
  }

  /// The media has ended, and items that are so short that their ends were not noticed have ended before.
  mutating func passUnnoticedEnds(now: MonotonicTime) {
    while isJoined, openEnd != nil, let duration = details.duration, position(at: now) + .milliseconds(250) > duration {
      passEnd(now: now)
    }
  }

  /// The end of the current item has been reached, and the pipeline goes on.
  private mutating func passEnd(now: MonotonicTime) {
    bounds.doubt = nil
    guard isJoined, let old = queue.current, let next = follower else { return playedToEnd(now: now) }
    let beyond = max(.zero, anchor.position(at: now) - (details.duration ?? .zero))
    failed.removeAll()
    direction = 1
    unfitToFollow = []
    queue.select(next.id)
    details = details.with(duration: next.duration(ofMedia: bounds.media))
    beginStretch(at: .zero)
    anchor = PositionAnchor(position: beyond, instant: now, rate: segmentRate)
    nextSample = now + .milliseconds(150)
    emit(.itemDidPlayToEnd(old))
    entered(next, after: old)
    emit(.changed)
  }
}

extension PlayerItem {
  /// Whether `next` begins where this one ends, in the same media.
  fileprivate func isContinued(by next: PlayerItem) -> Bool {
    next.id != id && next.uri == uri && end == next.start && next.end.map { $0 > next.start } ?? true
  }
}
