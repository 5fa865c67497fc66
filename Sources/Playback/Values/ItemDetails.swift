import Synchronization

/// What is known of an item so far; replaced as a whole, so that a snapshot costs one reference.
final class ItemDetails: Sendable {
  let duration: Duration?
  /// In the order of their starts, each with its end as far as that is known.
  let chapters: [Chapter]
  private let tags: CollectedTags
  /// The chapters as they stand in the item.
  private let marks: [Chapter]
  /// Another one for each change; an address would not do, it is used again.
  let revision: UInt64

  var metadata: MediaMetadata { tags.merged }

  private init(duration: Duration?, tags: CollectedTags, marks: [Chapter], revision: UInt64? = nil) {
    self.duration = duration
    self.tags = tags
    self.marks = marks
    chapters = Chapter.ordered(marks, end: duration)
    self.revision = revision ?? Self.revisions.add(1, ordering: .relaxed).newValue
  }

  private static let revisions = Atomic<UInt64>(0)

  static let unknown = ItemDetails(duration: nil, tags: CollectedTags(), marks: [])

  func with(duration: Duration?) -> ItemDetails {
    duration == self.duration ? self : ItemDetails(duration: duration, tags: tags, marks: marks)
  }

  func with(marks: [Chapter]) -> ItemDetails {
    marks == self.marks ? self : ItemDetails(duration: duration, tags: tags, marks: marks)
  }

  /// The revision stays when readers see nothing of it.
  func adding(_ newer: MediaMetadata, about scope: TagScope) -> ItemDetails {
    var tags = tags
    tags.add(newer, about: scope, isStation: duration == nil && metadata.organization != nil)
    guard tags != self.tags else { return self }
    let isSeen = tags.merged != metadata
    return ItemDetails(duration: duration, tags: tags, marks: marks, revision: isSeen ? nil : revision)
  }

  func withTagsOver() -> ItemDetails {
    var tags = tags
    tags.beginAgain()
    return ItemDetails(duration: duration, tags: tags, marks: marks, revision: revision)
  }
}
