/// Items that are a part of their media: the pipeline's times are the media's, the machine's are the item's.
///
/// Where an item ends and the next one begins in the same media, play goes on and the next item becomes current in
/// passing. The pipeline stops exactly at the end of the last of such joined parts: its segment ends there, or, where an
/// edit has changed which one is the last, the output ends the stream.
extension PlaybackMachine {
  // MARK: Times

  func item(of stream: StreamToken) -> PlayerItem? {
    stream == token ? queue.current : loaded.handOver[stream]?.item
  }

  /// A time of the media in its item.
  func itemTime(_ time: Duration?, of stream: StreamToken) -> Duration? {
    let start = item(of: stream)?.start ?? .zero
    let offset = stream == token ? loaded.offset : .zero
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
    if stream == token { loaded.media = duration } else { loaded.handOver.update(stream) { $0.media = duration } }
    return item(of: stream)?.duration(ofMedia: duration) ?? duration
  }

  /// A time of the current item in its media.
  func mediaTime(_ time: Duration) -> Duration { time + (queue.current?.start ?? .zero) }

  // MARK: Ends

  /// Whether the next item goes on where the current one ends, in the same media.
  private var isJoined: Bool {
    guard let item = queue.current, let next = follower else { return false }
    return isJoined(item, next, media: loaded.media)
  }

  private func isJoined(_ item: PlayerItem, _ next: PlayerItem, media: Duration?) -> Bool {
    item.isContinued(by: next) && !skip.failed.contains(next.id) && media.map { next.start < $0 } ?? true
  }

  /// The media time at which the last part of a row of joined ones ends; nil for the end of the media.
  ///
  /// `first` is the first part of the row, `place` the number of places that it is behind the current item, and `media` the
  /// duration of the media; nil while unknown.
  func endOfParts(from first: PlayerItem, at place: Int, media: Duration?) -> Duration? {
    var (last, place) = (first, place + 1)
    while last.end != nil, let next = follower(place), isJoined(last, next, media: media) {
      (last, place) = (next, place + 1)
    }
    return last.end
  }

  /// The media time at which the pipeline is to stop; nil for the end of the media.
  var stopTime: Duration? { queue.current.flatMap { endOfParts(from: $0, at: 0, media: loaded.media) } }

  /// Has the output end each stream where its last part ends now, as far as an edit has changed that.
  mutating func fitEnds() {
    guard phase.isReady else { return }
    // What a segment leaves out is not there to be played.
    let cut = stopTime.flatMap { stop in loaded.segment.end.map { stop < $0 } ?? true ? stop : nil }
    if cut != loaded.segment.cut {
      loaded.segment.cut = cut
      perform(.endStream(token, at: cut))
    }
    for (index, successor) in loaded.handOver.kept.enumerated() {
      let end = endOfParts(from: successor.item, at: index + 1, media: successor.media)
      guard end != successor.cut else { continue }
      loaded.handOver.update(successor.token) { $0.cut = end }
      perform(.endStream(successor.token, at: end))
    }
  }

  /// Samples beyond the end of a stream have reached the output: the clock ends it.
  mutating func endMissed(_ stream: StreamToken) {
    if stream == token { loaded.segment.cut = nil } else { loaded.handOver.update(stream) { $0.cut = nil } }
  }

  /// Whether the current item can only be played after a seek.
  var needsPlacing: Bool { queue.current?.start ?? .zero > .zero || stopTime != nil }

  /// Why the current item has no place in its media; nil when it has.
  var misplacement: PlayerError? {
    guard let start = queue.current?.start, start > .zero else { return nil }
    if !current.isSeekable { return PlayerError(.unknown, "the place where it begins cannot be reached") }
    guard let media = loaded.media, start >= media else { return nil }
    return PlayerError(.corrupt, "it is to begin at \(start), and the media is only \(media) long")
  }

  /// When the current item ends where the pipeline does not.
  var openEnd: MonotonicTime? {
    guard let end = queue.current?.end, loaded.segment.stop.map({ end < $0 }) ?? true, loaded.seek == nil, !inTail,
      loaded.run != .ended,
      timebase.isRunning, let duration = current.details.duration
    else { return nil }
    return loaded.endDoubt ?? timebase.anchor.instant(reaching: duration, from: timebase.anchor.instant)
  }

  /// Whether `next` can follow the current item without a gap, as a stream of its own.
  func canBeOffered(_ next: PlayerItem) -> Bool {
    guard let item = queue.current else { return false }
    // A stream of its own begins at its beginning, and nothing follows without a gap where the output ends it.
    guard next.start == .zero, next.end == nil || follower(2).map(next.isContinued) == true else { return false }
    // Of what follows later, only whole media.
    if let last = loaded.handOver.last { return !last.item.isPart && !next.isPart }
    // What must be sought first may not have a successor by then.
    guard phase.isReady || !needsPlacing else { return false }
    // Where the output ends the stream, nothing may come behind it.
    return loaded.segment.cut == nil && (item.end == nil || loaded.segment.end != nil)
  }

  /// The end of an item is due where the pipeline goes on.
  ///
  /// - Returns: Whether it was; nothing else is to be done then.
  mutating func passDueEnd(now: MonotonicTime) -> Bool {
    guard let due = openEnd, due <= now else { return false }
    if loaded.endDoubt == nil, due + .seconds(1) < now {
      // The process has stood; whether play has gone on is not known until it is measured.
      loaded.endDoubt = now + .milliseconds(200)
      perform(.samplePosition)
      return true
    }
    passEnd(now: now)
    return true
  }

  /// The media has ended, and items that are so short that their ends were not noticed have ended before.
  mutating func passUnnoticedEnds(now: MonotonicTime) {
    while isJoined, openEnd != nil, let duration = current.details.duration,
      position(at: now) + Self.endTolerance > duration
    {
      passEnd(now: now)
    }
  }

  /// The end of the current item has been reached, and the pipeline goes on.
  private mutating func passEnd(now: MonotonicTime) {
    loaded.endDoubt = nil
    guard isJoined, let old = queue.current, let next = follower else { return playedToEnd(now: now) }
    let beyond = max(.zero, timebase.anchor.position(at: now) - (current.details.duration ?? .zero))
    skip = SkipPass()
    current.unfitSuccessors = []
    queue.select(next.id)
    current.details = current.details.with(duration: next.duration(ofMedia: loaded.media))
    timebase.enterItem(with: PositionAnchor(position: beyond, instant: now, rate: loaded.segment.rate), at: now)
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
