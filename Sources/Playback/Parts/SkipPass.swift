/// One pass over the queue to find a playable item, in one direction.
///
/// Invariants: an item fails once in a pass, so a pass ends after at most as many failures as there are items. Each
/// command that selects an item begins another pass.
struct SkipPass: Codable, Equatable, Sendable {
  /// Whether the pass goes backward; it turns around at the start of the queue.
  private var isBackward: Bool
  /// The items that failed in this pass.
  private(set) var failed: Set<Player.Item.ID> = []

  init(isBackward: Bool = false) { self.isBackward = isBackward }

  /// Records that an item failed.
  mutating func fail(_ item: Player.Item.ID) { failed.insert(item) }

  /// Records that an item has played, so a new pass begins in the same direction.
  mutating func succeed() { failed = [] }

  /// Returns the item to try next; nil if every item has failed.
  func next(in queue: PlayQueue) -> Player.Item? {
    (isBackward ? queue.neighbour(-1, excluding: failed) : nil) ?? queue.neighbour(1, excluding: failed)
  }
}
