import MPRISService
import Playback
import Synchronization

/// An edit of the queue that can be reversed: the part that it changed, and the playback before.
struct QueueEdit: Sendable {
  /// The command that made the edit.
  enum Kind: String, Sendable {
    case add, remove, clear, replace, move, shuffle
  }

  let kind: Kind
  /// The number of items at the start and at the end that the edit did not change.
  let (head, tail): (Int, Int)
  /// The items between them, before the edit.
  let items: KeptItems
  /// The shuffled order before the edit; nil in list order.
  let order: [Int]?
  let shuffle: Player.ShuffleMode
  /// The current item before the edit; nil for an empty queue.
  let current: Player.Item.ID?
  let position: Duration
  let transport: Player.Transport
  let rate: Double
  /// The playlist that the queue came from; nil for none.
  let playlist: MPRISPlaylist.ID?
  /// The current item after the edit; nil for an empty queue.
  var follower: Player.Item.ID?

  /// Creates the reversal of an edit that is to change a part of the queue.
  init(_ kind: Kind, of queue: QueueState, changing part: Range<Int>) {
    self.kind = kind
    let part = part.clamped(to: queue.items.indices)
    (head, tail) = (part.lowerBound, queue.items.count - part.upperBound)
    // A copy of a part does not keep the whole list in memory.
    items = KeptItems(part == queue.items.indices ? queue.items : Array(queue.items[part]))
    (order, current) = (queue.order, queue.items.indices.contains(queue.current) ? queue.items[queue.current].id : nil)
    shuffle = queue.shuffle
    (position, transport, rate, playlist) = (queue.position, queue.transport, queue.rate, queue.playlist)
  }

  /// Whether a later edit only changes the part that this edit has changed.
  func contains(_ later: QueueEdit) -> Bool { head <= later.head && tail <= later.tail }

  /// The memory of the edit, in items.
  var weight: Int { items.count + (order?.count ?? 0) }

  /// Returns the part of a list that the edit has changed; the list is that after the edit.
  func part(of list: [Player.Item]) -> Range<Int> {
    let start = min(head, list.count)
    return start..<max(start, list.count - tail)
  }

  /// Returns the queue before the edit; the list is that after the edit.
  func restored(from list: [Player.Item]) -> QueueState {
    let part = part(of: list)
    let items = Array(list[..<part.lowerBound]) + self.items.items + Array(list[part.upperBound...])
    return QueueState(
      items: items, order: order, shuffle: shuffle, current: items.firstIndex { $0.id == current } ?? 0,
      position: position,
      transport: transport, rate: rate, playlist: playlist)
  }
}

/// The items of an edit, which can be packed.
final class KeptItems: Sendable {
  private enum Content {
    case plain([Player.Item])
    case packed(PackedItems)
  }

  private let content: Mutex<Content>
  let count: Int

  init(_ items: [Player.Item]) {
    content = Mutex(.plain(items))
    count = items.count
  }

  var items: [Player.Item] {
    switch content.withLock({ $0 }) {
    case .plain(let items): items
    case .packed(let packed): packed.items
    }
  }

  /// Whether the items are many and not packed.
  var canPack: Bool {
    guard count > 1_000, case .plain = content.withLock({ $0 }) else { return false }
    return true
  }

  /// Reduces the memory of the items; takes up to a second.
  func pack() {
    guard case .plain(let items) = content.withLock({ $0 }) else { return }
    let packed = PackedItems(items)
    content.withLock { $0 = .packed(packed) }
  }
}

/// The latest edits of the queue, for `undo` and `redo`.
///
/// An edit that is not added ends the history, because the ranges of the earlier edits are then outdated.
struct EditHistory: Sendable {
  /// The direction of a step.
  enum Step: Sendable { case undo, redo }

  /// The limits of steps in each direction and of items; the oldest edit may exceed the limit of items.
  static let (limit, itemLimit) = (100, Player.itemLimit)

  private var undone: [QueueEdit] = []
  private var done: [QueueEdit] = []
  /// The revision of the queue after the last edit or step.
  private var revision: UInt64 = 0
  /// The request that made the last edit.
  private var request: PendingOpens.ID?

  /// Adds an edit between two revisions of the queue.
  ///
  /// A request adds its items in several steps, which are one edit unless there is another one between them. The first step
  /// of the daemon's start is not an edit.
  mutating func add(
    _ edit: QueueEdit, from old: UInt64, to new: UInt64, by request: PendingOpens.ID? = nil, isStart: Bool = false
  ) {
    if old != revision { done = [] }
    undone = []
    let continues = isStart || request != nil && request == self.request
    if !continues || done.last.map({ !$0.contains(edit) }) == true { Self.append(edit, to: &done) }
    (revision, self.request) = (new, request)
  }

  private static func append(_ edit: QueueEdit, to edits: inout [QueueEdit]) {
    edits.append(edit)
    var weight = 0
    let kept = edits.reversed().prefix(limit).prefix { edit in
      defer { weight += edit.weight }
      return weight <= itemLimit
    }
    edits.removeFirst(edits.count - kept.count)
  }

  /// Returns the edit that a step reverses in the queue of a revision; nil if there is none.
  func next(_ step: Step, at revision: UInt64) -> QueueEdit? {
    guard revision == self.revision else { return nil }
    return step == .undo ? done.last : undone.last
  }

  /// Replaces the edit that a step has reversed with its own reversal.
  mutating func reversed(_ step: Step, by edit: QueueEdit, to new: UInt64) {
    switch step {
    case .undo:
      _ = done.popLast()
      Self.append(edit, to: &undone)
    case .redo:
      _ = undone.popLast()
      Self.append(edit, to: &done)
    }
    (revision, request) = (new, nil)
  }

  /// The items of all edits.
  var items: [KeptItems] { (done + undone).map(\.items) }
}
