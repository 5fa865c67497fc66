/// Plays items that are a part (clip) of their media: the engine uses media times, and the machine uses item times.
///
/// If the next item begins where the current one ends in the same media, playback continues and the next item becomes
/// current without a new stream. The stream's part of the plan ends exactly at the end of the last of these items.
extension PlaybackMachine {
  // MARK: Times

  func item(of stream: StreamToken) -> Player.Item? {
    if stream == token { return queue.current }
    return loaded.successors[stream]?.item
  }

  /// Converts a media time to a time of the item.
  func itemTime(_ time: Duration?, of stream: StreamToken) -> Duration? {
    guard let time else { return nil }
    return stream == token ? itemTime(time) : max(.zero, time - (item(of: stream)?.start ?? .zero))
  }

  /// Converts a media time to a time of the current item.
  func itemTime(_ time: Duration) -> Duration { max(.zero, time - (queue.current?.start ?? .zero)) + loaded.offset }

  /// Converts a time of the current item to a media time.
  func mediaTime(_ position: Duration) -> Duration { position - loaded.offset + (queue.current?.start ?? .zero) }

  /// Converts the facts that the engine reports of a stream to those of its item.
  mutating func itemFacts(_ facts: StreamFacts, of stream: StreamToken) -> StreamFacts {
    var facts = facts
    facts.duration = itemDuration(facts.duration, of: stream)
    facts.position = itemTime(facts.position, of: stream)
    return facts
  }

  mutating func itemDuration(_ duration: Duration?, of stream: StreamToken) -> Duration? {
    if stream == token { loaded.media = duration } else { loaded.successors.update(stream) { $0.media = duration } }
    return item(of: stream)?.duration(ofMedia: duration) ?? duration
  }

  // MARK: Ends

  /// Whether the next item continues where the current one ends, in the same media.
  var isJoined: Bool {
    guard let item = queue.current, let next = follower() else { return false }
    return isJoined(item, next, media: loaded.media)
  }

  func isJoined(_ item: Player.Item, _ next: Player.Item, media: Duration?) -> Bool {
    item.isContinued(by: next) && !skip.failed.contains(next.id) && media.map { next.start < $0 } ?? true
  }

  /// Returns the media time at which the last of several joined parts ends; nil for the end of the media.
  ///
  /// `first` is the first of these clips, and `index` is its distance from the current item. `media` is the duration of
  /// the media; nil while unknown.
  func endOfClips(from first: Player.Item, at index: Int, media: Duration?) -> Duration? {
    var (last, index) = (first, index + 1)
    while last.end != nil, let next = follower(index), isJoined(last, next, media: media) {
      (last, index) = (next, index + 1)
    }
    return last.end
  }

  /// The media time at which the current stream stops; nil for the end of the media.
  var stopTime: Duration? { queue.current.flatMap { endOfClips(from: $0, at: 0, media: loaded.media) } }

  /// The error if the media does not contain the item's start position; nil if it does.
  var startPositionError: PlayerError? {
    guard let start = queue.current?.start, start > .zero else { return nil }
    if !current.isSeekable {
      return PlayerError(code: .unknown, message: "cannot seek to the start position of the item")
    }
    guard let media = loaded.media, start >= media else { return nil }
    return PlayerError(code: .corrupt, message: "start position \(start) is beyond the duration \(media) of the media")
  }

  /// The instant at which the current item ends while its stream continues.
  var clipEndInstant: MonotonicTime? {
    guard isJoined, !loaded.isSeeking, loaded.run != .ended, timebase.isRunning, let duration = current.details.duration
    else { return nil }
    return loaded.endDoubt ?? timebase.anchor.outputInstant(reaching: duration)
  }

  /// Handles a due end of an item at which its stream continues.
  ///
  /// - Returns: Whether an end was due; if so, nothing else remains to be done.
  mutating func passDueEnd(now: MonotonicTime) -> Bool {
    guard let due = clipEndInstant, due <= now else { return false }
    if loaded.endDoubt == nil, timebase.measured < due, due + .seconds(1) < now {
      // The process did not run for some time; only a measurement after the end can show whether playback continued.
      loaded.endDoubt = now + .milliseconds(200)
      perform(.samplePosition(of: token))
      return true
    }
    passClipEnd(now: now)
    return true
  }

  /// Passes the ends of joined items too short to be noticed before the media ended.
  mutating func passUnnoticedEnds(now: MonotonicTime) {
    while isJoined, clipEndInstant != nil, let duration = current.details.duration, endPosition(at: now) >= duration {
      passClipEnd(now: now)
    }
  }

  /// Passes the end of the current item while its stream continues.
  private mutating func passClipEnd(now: MonotonicTime) {
    loaded.endDoubt = nil
    guard isJoined, let old = queue.current, let next = follower() else { return playedToEnd(now: now) }
    let beyond = max(.zero, timebase.anchor.outputPosition(at: now) - (current.details.duration ?? .zero))
    loaded.check = nil
    skip = SkipPass()
    current.rejectedSuccessors = []
    queue.select(next.id)
    current.details = current.details.with(duration: next.duration(ofMedia: loaded.media))
    timebase.enterItem(with: PositionAnchor(position: beyond, instant: now, rate: loaded.rate), at: now)
    emit(.itemDidPlayToEnd(old))
    entered(next, after: old)
  }
}

extension Player.Item {
  /// Whether the item ends within its media, as far as the duration of that is known.
  func isWithin(media: Duration?) -> Bool {
    guard let end, let media else { return true }
    return end <= media
  }

  /// Whether `next` begins where this item ends, in the same media.
  fileprivate func isContinued(by next: Player.Item) -> Bool {
    next.id != id && next.uri == uri && next.httpHeaders == httpHeaders && end == next.start
      && next.end.map { $0 > next.start } ?? true
  }
}
