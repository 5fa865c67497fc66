/// A named part of an item; the counterpart of an `AVTimedMetadataGroup` of chapters.
public struct Chapter: Codable, Hashable, Sendable {
  /// The start position in the item.
  public var start: Duration
  /// The duration; nil if this chapter and the later ones do not determine it.
  public var duration: Duration?
  /// The title.
  public var title: String?

  /// The end position; nil if ``duration`` is nil.
  public var end: Duration? { duration.map { start.limited + $0.limited } }

  /// Creates a chapter.
  ///
  /// - Parameters:
  ///   - start: The start position in the item.
  ///   - duration: The duration, nil if unknown.
  ///   - title: The title.
  public init(start: Duration, duration: Duration? = nil, title: String? = nil) {
    self.start = start
    self.duration = duration
    self.title = title
  }
}

extension Chapter {
  /// The maximum number of chapters of an item; each client gets all of them with each change of the item.
  package static let limit = 10_000
  /// The number of chapters that are read from media: one more than the limit shows that there are too many.
  package static let readLimit = limit + 1
  /// The maximum size of a title, in bytes.
  private static let titleLimit = 1 << 10

  var hasLongTitle: Bool { (title?.utf8.count ?? 0) > Self.titleLimit }

  /// Returns the chapters sorted by start, each with its end; chapters with the same start keep their order.
  ///
  /// A chapter without an end ends at the start of a later one, or with the item. Chapters beyond the limit are dropped.
  package static func ordered(_ chapters: [Chapter], end: Duration?) -> [Chapter] {
    var ordered = chapters.prefix(limit).sorted { $0.start < $1.start }
    var (next, nextButOne) = (end, end)
    for index in ordered.indices.reversed() {
      let start = ordered[index].start
      if next != start { nextButOne = next }
      if ordered[index].duration == nil, let nextButOne, nextButOne > start {
        ordered[index].duration = nextButOne - start
      }
      next = start
      if ordered[index].hasLongTitle, let title = ordered[index].title {
        var length = 0
        let kept = title.unicodeScalars.prefix { scalar in
          length += UTF8.width(scalar)
          return length <= titleLimit
        }
        ordered[index].title = String(kept)
      }
    }
    return ordered
  }
}
