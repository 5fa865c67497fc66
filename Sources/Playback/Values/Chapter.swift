/// A named part of an item; the counterpart of an `AVTimedMetadataGroup` of chapters.
public struct Chapter: Hashable, Sendable {
  /// Where it begins, from the start of the item.
  public var start: Duration
  /// How long it is; nil when neither it nor what follows says so.
  public var duration: Duration?
  /// Its title.
  public var title: String?

  /// Where it ends; nil when ``duration`` is.
  public var end: Duration? { duration.map { start.limited + $0.limited } }

  /// Makes a chapter.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - duration: How long it is, nil when unknown.
  ///   - title: Its title.
  public init(start: Duration, duration: Duration? = nil, title: String? = nil) {
    self.start = start
    self.duration = duration
    self.title = title
  }
}

extension Chapter {
  /// The chapters in the order of their starts, those that start together in the order given, each with its end.
  ///
  /// A chapter that does not say where it ends ends where a later one starts, or with the item.
  package static func ordered(_ chapters: [Chapter], end: Duration?) -> [Chapter] {
    // The standard library's sort is stable, but does not promise it.
    var ordered = chapters.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    var (next, nextButOne) = (end, end)
    for index in ordered.indices.reversed() {
      let start = ordered[index].start
      if next != start { nextButOne = next }
      if ordered[index].duration == nil, let nextButOne, nextButOne > start {
        ordered[index].duration = nextButOne - start
      }
      next = start
    }
    return ordered
  }
}
