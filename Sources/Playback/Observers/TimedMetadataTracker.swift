/// A piece of timed metadata before it is delivered.
protocol TimedMark: Equatable, Sendable {
  var start: Duration { get }
  /// The end; nil for the start of the next mark.
  var end: Duration? { get }
  var delivered: Player.TimedMetadata.Content { get }
  /// Whether this is the same mark as another one, although its end has become known.
  func isSame(as other: Self) -> Bool
}

extension TimedMark {
  var end: Duration? { nil }
  func isSame(as other: Self) -> Bool { self == other }
}

extension Chapter: TimedMark {
  var delivered: Player.TimedMetadata.Content { .chapter(self) }
  func isSame(as other: Chapter) -> Bool { (start, title) == (other.start, other.title) }
}

extension LyricsLine: TimedMark {
  var delivered: Player.TimedMetadata.Content { .lyrics(text) }
}

extension StreamTitle: TimedMark {
  var delivered: Player.TimedMetadata.Content { .streamTitle(text) }
}

extension TimedTag: TimedMark {
  var delivered: Player.TimedMetadata.Content { .id3(content) }
  func isSame(as other: TimedTag) -> Bool {
    content == other.content && (start - other.start).magnitude < Self.tolerance
  }
}

/// Tracks the timed metadata of an item for one observer: decides which mark playback has reached, and when the next is
/// due.
///
/// A pure value; it receives the playhead before and after each decision. Playback delivers every mark that it passes.
/// A jump delivers the mark that applies at its target, unless that is the last one again.
struct TimedMetadataTracker: Sendable {
  /// The media time by which marks are delivered early, up to one day.
  let advance: Duration
  private var item: Player.Item.ID?
  private var run: UInt64 = 0
  private var chapters = Track<Chapter>()
  private var lyrics = Track<LyricsLine>()
  private var titles = Track<StreamTitle>()
  private var tags = Track<TimedTag>()
  /// Whether the next playhead only sets the state, because nothing was observed before.
  private var isNew = true

  init(advance: Duration) { self.advance = min(max(.zero, advance), .seconds(86_400)) }

  /// Updates the state; returns the metadata to deliver, in order of time.
  mutating func follow(_ playhead: Playhead) -> [Player.TimedMetadata] {
    defer { isNew = false }
    guard let current = playhead.item, !playhead.isStopped else {
      self = TimedMetadataTracker(advance: advance)
      return []
    }
    if current.id != item {
      let isNew = isNew
      self = TimedMetadataTracker(advance: advance)
      (item, run, self.isNew) = (current.id, playhead.playbackRun.number, isNew)
    }
    guard !playhead.isSeeking else { return [] }
    let jump = run != playhead.playbackRun.number
    run = playhead.playbackRun.number
    let context = Context(
      item: current, position: playhead.position, ahead: playhead.position + advance, isJump: jump, isNew: isNew)
    let found =
      chapters.follow(playhead.chapters, context) + lyrics.follow(playhead.lyrics, context)
      + titles.follow(playhead.titles, context) + tags.follow(playhead.tags, context)
    return found.count < 2 ? found : found.sorted { $0.time < $1.time }
  }

  /// Returns the position at which playback next delivers a mark.
  func nextDue(_ playhead: Playhead) -> Duration? {
    let ahead = playhead.position + advance
    return [
      playhead.chapters.nextStart(after: ahead), playhead.lyrics.nextStart(after: ahead),
      playhead.titles.nextStart(after: ahead), playhead.tags.nextStart(after: ahead),
    ].compactMap { $0 }.filter { due in playhead.duration.map { due < $0 } ?? true }.min().map { $0 - advance }
  }

  /// The facts of a playhead that all kinds of marks share.
  private struct Context {
    var item: Player.Item
    var position: Duration
    /// The position up to which marks are to be delivered.
    var ahead: Duration
    var isJump: Bool
    /// Whether the mark that applies now applied before the observer was added.
    var isNew: Bool
  }

  /// The marks of one kind.
  private struct Track<Mark: TimedMark>: Sendable {
    private var marks: [Mark] = []
    /// The position up to which the marks were delivered; nil before the first playhead.
    private var reached: Duration?
    /// The mark that applies at that position.
    private var last: Mark?

    mutating func follow(_ new: [Mark], _ playhead: Context) -> [Player.TimedMetadata] {
      let isOther = new != marks
      marks = new
      let ahead = playhead.ahead
      if let last, ahead < last.start, last.start - ahead < ChapterTracker.tolerance { return [] }
      if let reached, !playhead.isJump, !isOther, reached <= ahead {
        return pass(from: reached, to: ahead, playhead.item)
      }
      let isContinuous = last != nil && !playhead.isJump
      let base = min(ahead, isContinuous ? max(reached ?? ahead, playhead.position) : playhead.position)
      let old = last
      let valid = marks.valid(at: base)
      last = valid
      let isReported = playhead.isNew || valid.map { valid in old.map { valid.isSame(as: $0) } ?? false } ?? true
      return (isReported ? [] : [valid].compactMap { $0 }).map { metadata($0, playhead.item) }
        + pass(from: base, to: ahead, playhead.item)
    }

    /// Returns the marks after a position, up to another one.
    private mutating func pass(from start: Duration, to end: Duration, _ item: Player.Item) -> [Player.TimedMetadata] {
      reached = end
      guard start < end else { return [] }
      let passed = marks[marks.started(by: start)..<marks.started(by: end)]
      guard !passed.isEmpty else { return [] }
      last = marks.valid(at: end)
      return passed.map { metadata($0, item) }
    }

    private func metadata(_ mark: Mark, _ item: Player.Item) -> Player.TimedMetadata {
      let end = mark.end ?? marks.nextStart(after: mark.start)
      return Player.TimedMetadata(
        item: item, time: mark.start, duration: end.map { $0 - mark.start }, content: mark.delivered)
    }
  }
}

extension Array where Element: TimedMark {
  /// Returns the number of marks that start at or before a position; a binary search, because they are sorted by start.
  fileprivate func started(by position: Duration) -> Int { partitioningIndex { $0.start > position } }

  /// Returns the index of the last mark that has started and not ended.
  func validIndex(at position: Duration) -> Int? {
    self[..<started(by: position)].lastIndex { $0.end.map { position < $0 } ?? true }
  }

  fileprivate func valid(at position: Duration) -> Element? { validIndex(at: position).map { self[$0] } }

  /// Returns the start of the first mark after a position.
  func nextStart(after position: Duration) -> Duration? {
    let next = started(by: position)
    return next < count ? self[next].start : nil
  }
}
