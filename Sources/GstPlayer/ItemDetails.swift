import Synchronization

/// What is known of an item so far; replaced as a whole, so that a snapshot costs one reference.
final class ItemDetails: Sendable {
  let duration: Duration?
  let metadata: MediaMetadata
  /// In the order of their starts, each with its end as far as that is known.
  let chapters: [Chapter]
  /// The chapters as they stand in the item.
  private let marks: [Chapter]
  /// Another one for each change; an address would not do, it is used again.
  let revision: UInt64

  private init(duration: Duration?, metadata: MediaMetadata, marks: [Chapter]) {
    self.duration = duration
    self.metadata = metadata
    self.marks = marks
    chapters = Chapter.ordered(marks, end: duration)
    revision = Self.revisions.add(1, ordering: .relaxed).newValue
  }

  private static let revisions = Atomic<UInt64>(0)

  static let unknown = ItemDetails(duration: nil, metadata: MediaMetadata(), marks: [])

  func with(duration: Duration?) -> ItemDetails {
    duration == self.duration ? self : ItemDetails(duration: duration, metadata: metadata, marks: marks)
  }

  func with(marks: [Chapter]) -> ItemDetails {
    marks == self.marks ? self : ItemDetails(duration: duration, metadata: metadata, marks: marks)
  }

  func merging(_ newer: MediaMetadata) -> ItemDetails {
    var merged = metadata
    merged.merge(newer)
    return merged == metadata ? self : ItemDetails(duration: duration, metadata: merged, marks: marks)
  }
}
