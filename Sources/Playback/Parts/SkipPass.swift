/// One pass over the queue in search of an item that plays, in one direction.
///
/// Invariants: an item fails once in a pass, so that a pass ends after as many failures as there are items. Each command
/// that selects an item begins another pass.
struct SkipPass: Equatable, Sendable {
  enum Direction: Equatable, Sendable { case forward, backward }

  private(set) var direction = Direction.forward
  /// The items that failed in this pass.
  private(set) var failed: Set<PlayerItem.ID> = []

  init(_ direction: Direction = .forward) { self.direction = direction }

  mutating func fail(_ item: PlayerItem.ID) { failed.insert(item) }

  /// An item has played: whatever fails from now on begins another pass in the same direction.
  mutating func succeed() { failed.removeAll() }

  /// The item that is tried next; nil when each has failed.
  ///
  /// A pass backward turns around at the start of the queue.
  func next(in queue: PlayQueue) -> PlayerItem? {
    switch direction {
    case .forward: queue.neighbour(1, excluding: failed)
    case .backward: queue.neighbour(-1, excluding: failed) ?? queue.neighbour(1, excluding: failed)
    }
  }
}
