extension Player {
  /// The random order of the queue.
  package enum ShuffleMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// The queue plays in list order.
    case off
    /// Each item has a random place.
    case tracks
    /// Each album has a random place, and its items follow each other in list order.
    case albums
  }
}
