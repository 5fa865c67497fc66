/// Tracks the current chapter of an item, and the position of the next change.
///
/// A pure value; it receives the playhead after each decision.
struct ChapterTracker: Sendable {
  /// The tolerance before the start of a chapter: after playback continues from there, the measured position may be
  /// slightly earlier.
  static let tolerance = Duration.milliseconds(100)

  private var item: Player.Item.ID?
  private var index: Int?

  /// Updates the current chapter; returns the event to emit if it has changed and the player has event observers.
  mutating func follow(_ playhead: Playhead, isObserved: Bool) -> Player.Event? {
    guard let current = playhead.item, !playhead.isStopped else {
      (item, index) = (nil, nil)
      return nil
    }
    // The change of the current item was already reported, and usually the new item is without chapters, so the initial
    // index is nil.
    if current.id != item { (item, index) = (current.id, nil) }
    guard !playhead.isSeeking, !isHeldBack(playhead) else { return nil }
    let new = playhead.chapters.index(at: playhead.position, of: playhead.duration)
    guard new != index else { return nil }
    index = new
    return isObserved ? .chapterChanged(current, index: new, chapter: new.map { playhead.chapters[$0] }) : nil
  }

  private func isHeldBack(_ playhead: Playhead) -> Bool {
    guard let index, playhead.chapters.indices.contains(index) else { return false }
    let start = playhead.chapters[index].start
    return playhead.position < start && start - playhead.position < Self.tolerance
  }

  /// Returns the position at which playback next enters or leaves a chapter.
  func nextDue(_ playhead: Playhead) -> Duration? {
    guard !playhead.chapters.isEmpty else { return nil }
    let index = playhead.chapters.index(at: playhead.position, of: playhead.duration)
    let end = index.flatMap { playhead.chapters[$0].end }
    let start = playhead.chapters.nextStart(after: playhead.position)
    // The end of the item is not reported as the end of a chapter.
    return [end, start].compactMap { $0 }.filter { due in playhead.duration.map { due < $0 } ?? true }.min()
  }
}

extension [Chapter] {
  /// Returns the index of the innermost chapter at a position; nil if there is none.
  ///
  /// The end of the item belongs to its last chapter.
  func index(at position: Duration, of duration: Duration?) -> Int? {
    guard !isEmpty else { return nil }
    return validIndex(at: duration.map { Swift.min(position, $0 - .nanoseconds(1)) } ?? position)
  }
}
