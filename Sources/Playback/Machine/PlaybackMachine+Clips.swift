/// Plays items that are a part (clip) of their media: the pipeline uses media times, and the machine uses item times.
///
/// If the next item begins where the current one ends in the same media, playback continues and the next item becomes
/// current without a new stream. The pipeline stops exactly at the end of the last of these joined parts. Its segment
/// ends there; if an edit has changed which part is the last, the output ends the stream.
extension PlaybackMachine {
  // MARK: Times

  func item(of stream: StreamToken) -> Player.Item? {
    if stream == token { return queue.current }
    if let successor = crossfade.incoming?.successor, successor.token == stream { return successor.item }
    return loaded.gaplessQueue[stream]?.item
  }

  /// Converts a media time to a time of the item.
  func itemTime(_ time: Duration?, of stream: StreamToken) -> Duration? {
    guard let time else { return nil }
    return stream == token ? itemTime(time) : max(.zero, time - (item(of: stream)?.start ?? .zero))
  }

  /// Converts a media time to a time of the current item.
  func itemTime(_ time: Duration) -> Duration { max(.zero, time - (queue.current?.start ?? .zero)) + loaded.offset }

  /// Converts the facts that the pipeline reports of a stream to those of its item.
  mutating func itemFacts(_ facts: StreamFacts, of stream: StreamToken) -> StreamFacts {
    var facts = facts
    facts.duration = itemDuration(facts.duration, of: stream)
    facts.position = itemTime(facts.position, of: stream)
    return facts
  }

  mutating func itemDuration(_ duration: Duration?, of stream: StreamToken) -> Duration? {
    if stream == token { loaded.media = duration } else { changeSuccessor(stream) { $0.media = duration } }
    return item(of: stream)?.duration(ofMedia: duration) ?? duration
  }

  // MARK: Ends

  /// Whether the next item continues where the current one ends, in the same media.
  private var isJoined: Bool {
    guard let item = queue.current, let next = follower() else { return false }
    return isJoined(item, next, media: loaded.media)
  }

  private func isJoined(_ item: Player.Item, _ next: Player.Item, media: Duration?) -> Bool {
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

  /// The media time at which the pipeline stops; nil for the end of the media.
  var stopTime: Duration? { queue.current.flatMap { endOfClips(from: $0, at: 0, media: loaded.media) } }

  /// Makes the output end each stream at the end of its last part, if an edit has changed that end.
  mutating func updateStreamEnds() {
    guard phase.isReady else { return }
    // The output cannot cut beyond the end of a segment, because that data is not played.
    let cut = stopTime.flatMap { stop in loaded.segment.end.map { stop < $0 } ?? true ? stop : nil }
    if cut != loaded.segment.cut {
      loaded.segment.cut = cut
      perform(.endStream(token, at: cut))
    }
    let incoming = crossfade.incoming.map(\.successor)
    for (index, successor) in (incoming.map { [$0] } ?? loaded.gaplessQueue.kept).enumerated() {
      let end = endOfClips(from: successor.item, at: index + 1, media: successor.media)
      guard end != successor.cut else { continue }
      changeSuccessor(successor.token) { $0.cut = end }
      perform(.endStream(successor.token, at: end))
    }
  }

  /// Whether the current item needs a seek before it can be played.
  var needsInitialSeek: Bool { queue.current?.start ?? .zero > .zero || stopTime != nil }

  /// The error if the media does not contain the item's start position; nil if it does.
  var startPositionError: PlayerError? {
    guard let start = queue.current?.start, start > .zero else { return nil }
    if !current.isSeekable {
      return PlayerError(code: .unknown, message: "cannot seek to the start position of the item")
    }
    guard let media = loaded.media, start >= media else { return nil }
    return PlayerError(code: .corrupt, message: "start position \(start) is beyond the duration \(media) of the media")
  }

  /// The instant at which the current item ends while the pipeline continues.
  var clipEndInstant: MonotonicTime? {
    guard let end = queue.current?.end, loaded.segment.stop.map({ end < $0 }) ?? true, !loaded.isSeeking,
      !isSuccessorAtOutput, loaded.run != .ended, timebase.isRunning, let duration = current.details.duration
    else { return nil }
    return loaded.endDoubt ?? timebase.anchor.outputInstant(reaching: duration)
  }

  /// Whether `next` can follow the current item gaplessly, as a separate stream.
  func canBeOffered(_ next: Player.Item) -> Bool {
    guard let item = queue.current else { return false }
    // A separate stream starts at the beginning of its media, and no item follows gaplessly where the output ends it.
    guard next.start == .zero, next.end == nil || follower(2).map(next.isContinued) == true else { return false }
    // Later successors must be whole media.
    if let last = loaded.gaplessQueue.last { return !last.item.isClip && !next.isClip }
    // While it loads, an item that needs a seek first gets no successor.
    guard phase.isReady || !needsInitialSeek else { return false }
    // If the output ends the stream, no stream may follow it.
    return loaded.segment.cut == nil && (item.end == nil || loaded.segment.end != nil)
  }

  /// Handles a due end of an item at which the pipeline continues.
  ///
  /// - Returns: Whether an end was due; if so, nothing else remains to be done.
  mutating func passDueEnd(now: MonotonicTime) -> Bool {
    guard let due = clipEndInstant, due <= now else { return false }
    if loaded.endDoubt == nil, timebase.measured < due, due + .seconds(1) < now {
      // The process did not run for some time; only a measurement after the end can show whether playback continued.
      loaded.endDoubt = now + .milliseconds(200)
      perform(.samplePosition)
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

  /// Passes the end of the current item while the pipeline continues.
  private mutating func passClipEnd(now: MonotonicTime) {
    loaded.endDoubt = nil
    guard isJoined, let old = queue.current, let next = follower() else { return playedToEnd(now: now) }
    let beyond = max(.zero, timebase.anchor.outputPosition(at: now) - (current.details.duration ?? .zero))
    loaded.check = nil
    skip = SkipPass()
    current.rejectedSuccessors = []
    queue.select(next.id)
    current.details = current.details.with(duration: next.duration(ofMedia: loaded.media))
    timebase.enterItem(with: PositionAnchor(position: beyond, instant: now, rate: loaded.segment.rate), at: now)
    emit(.itemDidPlayToEnd(old))
    entered(next, after: old)
    emit(.changed)
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
