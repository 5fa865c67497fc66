/// What is known of an item so far; replaced as a whole, so that a snapshot costs one reference.
final class ItemDetails: Sendable {
  let duration: Duration?
  let metadata: MediaMetadata

  init(duration: Duration?, metadata: MediaMetadata) {
    self.duration = duration
    self.metadata = metadata
  }

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
