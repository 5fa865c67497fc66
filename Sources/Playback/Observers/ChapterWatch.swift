/// Follows play through the chapters of an item: which one it is in, and where the next change is.
///
/// A value; it is shown the course after each decision.
struct ChapterWatch: Sendable {
  /// Play that goes on from the start of a chapter may be measured a little before it.
  static let tolerance = Duration.milliseconds(100)

  private var item: PlayerItem.ID?
  private var index: Int?

  /// What is to be told now, if play is in another chapter than at the last look, and somebody is there to hear it.
  mutating func follow(_ course: Course, isHeard: Bool) -> PlayerEvent? {
    guard let current = course.item, !course.isStopped else {
      (item, index) = (nil, nil)
      return nil
    }
    // That another item is current has been told, and that it has no chapter is the rule.
    if current.id != item { (item, index) = (current.id, nil) }
    guard !course.isSeeking, !isHeldBack(course) else { return nil }
    let new = course.chapters.index(at: course.position, of: course.duration)
    guard new != index else { return nil }
    index = new
    return isHeard ? .chapterChanged(current, index: new, new.map { course.chapters[$0] }) : nil
  }

  private func isHeldBack(_ course: Course) -> Bool {
    guard let index, course.chapters.indices.contains(index) else { return false }
    let start = course.chapters[index].start
    return course.position < start && start - course.position < Self.tolerance
  }

  /// Where play enters or leaves a chapter next.
  func nextDue(_ course: Course) -> Duration? {
    let index = course.chapters.index(at: course.position, of: course.duration)
    let end = index.flatMap { course.chapters[$0].end }
    let start = course.chapters.start(after: course.position)
    // The end of the item is the end of no chapter.
    return [end, start].compactMap { $0 }.filter { due in course.duration.map { due < $0 } ?? true }.min()
  }
}

extension [Chapter] {
  /// The chapter that a position lies in, the innermost of several; nil when it lies in none.
  ///
  /// The end of the item belongs to its last chapter.
  func index(at position: Duration, of duration: Duration?) -> Int? {
    guard !isEmpty else { return nil }
    let place = duration.map { Swift.min(position, $0 - .nanoseconds(1)) } ?? position
    return self[..<count(startingBy: place)].lastIndex { $0.end.map { place < $0 } ?? true }
  }

  /// Where the first chapter after a position begins.
  fileprivate func start(after position: Duration) -> Duration? {
    let next = count(startingBy: position)
    return next < count ? self[next].start : nil
  }

  /// How many chapters start at or before a position; by halving, as they are in the order of their starts.
  private func count(startingBy position: Duration) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
