import Synchronization

/// What is known of an item so far; replaced as a whole, so that a snapshot costs one reference.
final class ItemDetails: Sendable {
  let duration: Duration?
  let metadata: MediaMetadata
  /// Another one for each change; an address would not do, it is used again.
  let revision: UInt64

  init(duration: Duration?, metadata: MediaMetadata) {
    self.duration = duration
    self.metadata = metadata
    revision = Self.revisions.add(1, ordering: .relaxed).newValue
  }

  private static let revisions = Atomic<UInt64>(0)

  static let unknown = ItemDetails(duration: nil, metadata: MediaMetadata())

  func with(duration: Duration?) -> ItemDetails {
    duration == self.duration ? self : ItemDetails(duration: duration, metadata: metadata)
  }

  func merging(_ newer: MediaMetadata) -> ItemDetails {
    var merged = metadata
    merged.merge(newer)
    return merged == metadata ? self : ItemDetails(duration: duration, metadata: merged)
  }
}
