/// One pass over the queue to find a playable item, in one direction.
///
/// Invariants: an item fails once in a pass, so a pass ends after at most as many failures as there are items. Each
/// command that selects an item begins another pass.
struct SkipPass: Codable, Equatable, Sendable {
  enum Direction: Codable, Equatable, Sendable { case forward, backward }

  private(set) var direction = Direction.forward
  /// The items that failed in this pass.
  private(set) var failed: Set<Player.Item.ID> = []

  init(_ direction: Direction = .forward) { self.direction = direction }

  mutating func fail(_ item: Player.Item.ID) { failed.insert(item) }

  /// Records that an item has played: later failures begin another pass in the same direction.
  mutating func succeed() { failed.removeAll() }

  /// Returns the item to try next; nil if every item has failed.
  ///
  /// A backward pass turns around at the start of the queue.
  func next(in queue: PlayQueue) -> Player.Item? {
    switch direction {
    case .forward: queue.neighbour(1, excluding: failed)
    case .backward: queue.neighbour(-1, excluding: failed) ?? queue.neighbour(1, excluding: failed)
    }
  }
}
