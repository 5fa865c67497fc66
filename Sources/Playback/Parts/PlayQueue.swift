/// The queue: items in their order, the order they play in, and the current one.
///
/// A value; no C, no clock.
struct PlayQueue: Sendable {
  /// The longest queue; what is beyond is refused.
  static let limit = 1_000_000

  private(set) var items: [PlayerItem] = [] { didSet { revision &+= 1 } }
  /// Index of the current item in `items`.
  private(set) var currentIndex: Int?
  var loop = LoopMode.none
  /// The play order as indices into `items` while shuffled; nil in list order.
  private(set) var order: [Int]? { didSet { revision &+= 1 } }
  /// Where the current item stands in `order`.
  private var cursor = 0
  /// Another number whenever the items or their order are others.
  private(set) var revision: UInt64 = 0
  /// The identities in `items`: an item stands in a queue once.
  private var ids: Set<PlayerItem.ID> = []

  var current: PlayerItem? { currentIndex.map { items[$0] } }
  var isEmpty: Bool { items.isEmpty }
  var isShuffled: Bool { order != nil }

  // MARK: Neighbours

  /// What follows the current item by itself, with the loop mode honoured.
  var following: PlayerItem? { following(1) }

  /// The item that is so many places behind the current one in play order, with the loop mode honoured.
  func following(_ places: Int) -> PlayerItem? {
    guard loop != .track, let currentIndex else { return current }
    let place = (order == nil ? currentIndex : cursor) + places
    guard place < items.count || loop == .playlist else { return nil }
    let index = place % items.count
    return items[order?[index] ?? index]
  }

  /// What a Next command goes to: a single looped track is left, and only the playlist loop wraps.
  var next: PlayerItem? { neighbour(1) }

  /// What a Previous command goes to.
  var previous: PlayerItem? { neighbour(-1) }

  /// The nearest item in a direction that is not in `excluded`; each item is looked at once at the most.
  func neighbour(_ step: Int, excluding excluded: Set<PlayerItem.ID> = []) -> PlayerItem? {
    guard let currentIndex else { return nil }
    let count = items.count
    var place = order == nil ? currentIndex : cursor
    for _ in 0..<count {
      place += step
      if place < 0 || place >= count {
        guard loop == .playlist else { return nil }
        place = place < 0 ? count - 1 : 0
      }
      let item = items[order?[place] ?? place]
      if !excluded.contains(item.id) { return item }
    }
    return nil
  }

  func contains(_ id: PlayerItem.ID) -> Bool { ids.contains(id) }

  func index(of id: PlayerItem.ID) -> Int? {
    if let current, current.id == id { return currentIndex }
    return items.firstIndex { $0.id == id }
  }

  // MARK: Edits

  /// Replaces everything; the item at `start` becomes current.
  ///
  /// A play order goes on with a shuffle from before; one that does not name each item once is left out, and none leaves
  /// shuffle as it is.
  mutating func replace(with newItems: [PlayerItem], startingAt start: Int = 0, playOrder: [Int]? = nil) {
    ids.removeAll()
    items = newItems.prefix(Self.limit).filter { ids.insert($0.id).inserted }
    currentIndex = items.isEmpty ? nil : min(max(0, start), items.count - 1)
    if let playOrder, let currentIndex, playOrder.sorted().elementsEqual(items.indices) {
      order = playOrder
      cursor = playOrder.firstIndex(of: currentIndex) ?? 0
    } else if isShuffled {
      shuffle()
    }
  }

  /// Inserts after the item named, or at the end; the first item ever becomes current.
  ///
  /// In shuffled order, what is inserted after the current item, or after one that is still to come, plays right after
  /// that, in the order given; what is inserted elsewhere plays at random places among what is still to come.
  mutating func insert(_ newItems: [PlayerItem], after id: PlayerItem.ID? = nil) {
    let predecessor = id.flatMap(index(of:))
    insert(newItems, at: predecessor.map { $0 + 1 } ?? items.count, after: predecessor)
  }

  /// Inserts before the first item; see ``insert(_:after:)`` for the shuffled order.
  mutating func insertAtStart(_ newItems: [PlayerItem]) { insert(newItems, at: 0, after: nil) }

  private mutating func insert(_ newItems: [PlayerItem], at: Int, after predecessor: Int?) {
    let added = newItems.prefix(max(0, Self.limit - items.count)).filter { ids.insert($0.id).inserted }
    guard !added.isEmpty else { return }
    let predecessor = predecessor.flatMap { order?.dropFirst(cursor).firstIndex(of: $0) }
    items.insert(contentsOf: added, at: at)
    if let index = currentIndex, index >= at { currentIndex = index + added.count }
    guard var order else {
      if currentIndex == nil { currentIndex = 0 }
      return
    }
    for place in order.indices where order[place] >= at { order[place] += added.count }
    let places = at..<(at + added.count)
    if let predecessor {
      order.insert(contentsOf: places, at: predecessor + 1)
    } else {
      let kept = currentIndex == nil ? 0 : cursor + 1
      order = order.prefix(kept) + (Array(order.dropFirst(kept)) + places).shuffled()
    }
    self.order = order
    if currentIndex == nil {
      currentIndex = 0
      shuffle()
    }
  }

  /// Moves an item to another place in list order; the current item and a shuffled order stay as they are.
  ///
  /// A place beyond the last is the last.
  mutating func move(_ id: PlayerItem.ID, to place: Int) {
    guard contains(id), let source = index(of: id) else { return }
    let target = min(max(0, place), items.count - 1)
    guard target != source else { return }
    func moved(_ index: Int) -> Int {
      if index == source { return target }
      if source < index, index <= target { return index - 1 }
      return target <= index && index < source ? index + 1 : index
    }
    let item = items.remove(at: source)
    items.insert(item, at: target)
    order = order?.map(moved)
    currentIndex = currentIndex.map(moved)
  }

  /// Removes items; when the current one is among them, the next that stays becomes current, else the last before it.
  mutating func remove(_ removed: Set<PlayerItem.ID>) {
    let removed = removed.intersection(ids)
    guard !removed.isEmpty else { return }
    let isCurrentRemoved = current.map { removed.contains($0.id) } ?? false
    let successor =
      isCurrentRemoved ? neighbour(1, excluding: removed) ?? neighbour(-1, excluding: removed) : current
    var count = 0
    // The new index of each item that stays.
    let places = items.map { item -> Int? in
      guard !removed.contains(item.id) else { return nil }
      defer { count += 1 }
      return count
    }
    ids.subtract(removed)
    items.removeAll { removed.contains($0.id) }
    order = order?.compactMap { places[$0] }
    currentIndex = nil
    if let successor { select(successor.id) }
  }

  mutating func removeAll() { replace(with: []) }

  /// Makes an item current.
  ///
  /// - Returns: Whether there is such an item.
  @discardableResult
  mutating func select(_ id: PlayerItem.ID) -> Bool {
    guard let index = index(of: id) else { return false }
    currentIndex = index
    if let order { cursor = order.firstIndex(of: index) ?? 0 }
    return true
  }

  /// Shuffles, the current item first, or returns to list order.
  ///
  /// Setting what is set already keeps the order.
  mutating func setShuffled(_ shuffled: Bool) {
    guard shuffled != isShuffled else { return }
    if shuffled { shuffle() } else { order = nil }
  }

  private mutating func shuffle() {
    var rest = Array(items.indices)
    cursor = 0
    guard let currentIndex else { return order = rest }
    rest.remove(at: currentIndex)
    order = [currentIndex] + rest.shuffled()
  }
}
