/// The queue of items, their playback order, and the current item.
///
/// A pure value without C calls or a clock.
struct PlayQueue: Sendable {
  /// The maximum number of items; any beyond it are dropped.
  static let limit = 1_000_000

  private(set) var items: [Player.Item] = [] { didSet { revision &+= 1 } }
  /// The index of the current item in `items`.
  private(set) var currentIndex: Int?
  var loop = Player.LoopMode.none
  /// The playback order as indices into `items` while shuffled; nil in list order.
  private(set) var order: [Int]? { didSet { revision &+= 1 } }
  /// Whether a shuffled order keeps the items of an album together; false in list order.
  private(set) var keepsAlbums = false
  /// The index of the current item in `order`.
  private var cursor = 0
  /// A number that changes whenever the items or their order change.
  private(set) var revision: UInt64 = 0
  /// The index of each item when it was inserted or moved; later edits of other items may have shifted it.
  private var lastIndices: [Player.Item.ID: Int32] = [:]
  private var random: ShuffleGenerator

  /// Creates an empty queue that shuffles with the random numbers of a seed; nil for the system's random numbers.
  init(shuffleSeed: UInt64? = nil) { random = ShuffleGenerator(seed: shuffleSeed) }

  var current: Player.Item? { currentIndex.map { items[$0] } }
  var isEmpty: Bool { items.isEmpty }
  var isShuffled: Bool { order != nil }
  var shuffleMode: Player.ShuffleMode { order == nil ? .off : keepsAlbums ? .albums : .tracks }

  // MARK: Neighbours

  /// Returns the item that follows automatically at a given distance after the current one, according to the loop mode.
  func following(_ distance: Int = 1) -> Player.Item? { loop == .track ? current : item(at: distance) }

  /// Returns the item at a distance from the current one in playback order; nil beyond the ends of a queue without a loop.
  func item(at distance: Int) -> Player.Item? {
    guard let currentIndex else { return nil }
    let (position, isBeyond) = (order == nil ? currentIndex : cursor).addingReportingOverflow(distance)
    if isBeyond { return nil }
    guard items.indices.contains(position) || loop == .playlist else { return nil }
    let index = (position % items.count + items.count) % items.count
    return items[order?[index] ?? index]
  }

  /// The item that a Next command selects: Next leaves a single looped track, and wraps only in a looped queue.
  var next: Player.Item? { neighbour(1) }

  /// The item that a Previous command selects.
  var previous: Player.Item? { neighbour(-1) }

  /// Returns the nearest item in a direction that is not in `excluded`; each item is checked at most once.
  func neighbour(_ step: Int, excluding excluded: Set<Player.Item.ID> = []) -> Player.Item? {
    for places in 0..<items.count {
      guard let item = item(at: step * (places + 1)) else { return nil }
      if !excluded.contains(item.id) { return item }
    }
    return nil
  }

  func contains(_ id: Player.Item.ID) -> Bool { lastIndices[id] != nil }

  /// Whether an item precedes another one in the order of play; false if one of them is not in the queue.
  func plays(_ id: Player.Item.ID, before other: Player.Item.ID) -> Bool {
    guard id != other, let first = index(of: id), let second = index(of: other) else { return false }
    return order.map { $0.first { $0 == first || $0 == second } == first } ?? (first < second)
  }

  /// Returns the index of an item, searching outwards from the index that it had last.
  ///
  /// The search is as long as the item was shifted by edits of other items. An exact table would cost milliseconds for
  /// each edit of a long queue: as many hashes as items are shifted.
  func index(of id: Player.Item.ID) -> Int? {
    guard let hint = lastIndices[id] else { return nil }
    var (low, high) = (min(Int(hint), items.count) - 1, min(Int(hint), items.count))
    while low >= 0 || high < items.count {
      if high < items.count, items[high].id == id { return high }
      if low >= 0, items[low].id == id { return low }
      (low, high) = (low - 1, high + 1)
    }
    return nil
  }

  // MARK: Edits

  /// Replaces all items; the item at `start` becomes current.
  ///
  /// A valid `playOrder` continues an earlier shuffle. An order that does not contain each index exactly once is
  /// ignored. Without an order, a shuffled queue is shuffled again.
  mutating func replace(with newItems: [Player.Item], startingAt start: Int = 0, playOrder: [Int]? = nil) {
    (lastIndices, items) = ([:], [])
    items = admitted(newItems, at: 0)
    currentIndex = items.isEmpty ? nil : min(max(0, start), items.count - 1)
    if let playOrder, let currentIndex, playOrder.sorted().elementsEqual(items.indices) {
      order = playOrder
      cursor = playOrder.firstIndex(of: currentIndex) ?? 0
    } else if isShuffled {
      shuffle()
    }
  }

  /// Replaces the items around the current one, which must be among the new ones, and the order; nil for list order.
  mutating func rearrange(with newItems: [Player.Item], playOrder: [Int]?, keepsAlbums: Bool = false) {
    guard let current, newItems.contains(current) else { return }
    order = playOrder == nil ? nil : order ?? []
    self.keepsAlbums = playOrder != nil && keepsAlbums
    replace(with: newItems, playOrder: playOrder)
    select(current.id)
  }

  /// Inserts items after the given item, or at the end; the first item in an empty queue becomes current.
  ///
  /// In shuffled order, items inserted after the current or an upcoming item play directly after it, in the given
  /// order. Items inserted elsewhere get random positions among the upcoming items, which keep their order. If albums are kept
  /// together, items follow the last upcoming item of their folder, and other folders get random positions between albums.
  mutating func insert(_ newItems: [Player.Item], after id: Player.Item.ID? = nil) {
    let predecessor = id.flatMap(index(of:))
    insert(newItems, at: predecessor.map { $0 + 1 } ?? items.count, after: predecessor)
  }

  /// Inserts items before the first one; see ``insert(_:after:)`` for the shuffled order.
  mutating func insertAtStart(_ newItems: [Player.Item]) { insert(newItems, at: 0, after: nil) }

  private mutating func insert(_ newItems: [Player.Item], at: Int, after predecessor: Int?) {
    let added = admitted(newItems, at: at)
    guard !added.isEmpty else { return }
    let predecessor = predecessor.flatMap { order?.dropFirst(cursor).firstIndex(of: $0) }
    items.insert(contentsOf: added, at: at)
    if let index = currentIndex, index >= at { currentIndex = index + added.count }
    guard var order else {
      if currentIndex == nil { currentIndex = 0 }
      return
    }
    for position in order.indices where order[position] >= at { order[position] += added.count }
    let positions = at..<(at + added.count)
    if let predecessor {
      order.insert(contentsOf: positions, at: predecessor + 1)
    } else {
      var rest = order[...]
      let placed = keepsAlbums ? placesOfAlbums(positions, in: order) : randomPlaces(positions, in: order)
      order = []
      order.reserveCapacity(rest.count + positions.count)
      for (place, position) in placed {
        order += rest[..<place]
        order.append(position)
        rest = rest[place...]
      }
      order += rest
    }
    self.order = order
    if currentIndex == nil {
      currentIndex = 0
      shuffle()
    }
  }

  /// Returns a random place in an order for each new index, in the order of the places.
  private mutating func randomPlaces(_ positions: Range<Int>, in order: [Int]) -> [(place: Int, index: Int)] {
    let upcoming = currentIndex == nil ? 0 : cursor + 1
    let places = positions.map { _ in Int.random(in: upcoming...order.count, using: &random) }.sorted()
    return zip(places, positions.shuffled(using: &random)).map { ($0, $1) }
  }

  /// Returns a place in an order for each new index, in the order of the places: after the last upcoming item of its folder,
  /// or for all items of another folder a random place between albums.
  private mutating func placesOfAlbums(_ positions: Range<Int>, in order: [Int]) -> [(place: Int, index: Int)] {
    var (ends, gaps): ([Substring: Int], [Int]) = ([:], [])
    var last: Substring?
    for place in order.indices.dropFirst(currentIndex == nil ? 0 : cursor) {
      let folder = items[order[place]].folder
      if let last, last != folder {
        ends[last] = place
        gaps.append(place)
      }
      last = folder
    }
    if let last { ends[last] = order.count }
    gaps.append(order.count)
    let albums = AlbumGroups(Array(items[positions])).indices.map { album in
      let album = album.map { positions.lowerBound + $0 }
      let end = album.first.flatMap { ends[items[$0].folder] }
      return (place: end ?? gaps.randomElement(using: &random) ?? order.count, isNew: end == nil, indices: album)
    }
    // At one place, the rest of the album before it comes first, and the new albums in random order.
    let (continued, new) = (albums.filter { !$0.isNew }, albums.filter(\.isNew).shuffled(using: &random))
    let sorted = (continued + new).enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    return sorted.flatMap { album in album.element.indices.map { (album.element.place, $0) } }
  }

  /// Returns the items that are new and that the queue has room for, and stores their indices from `start` on.
  private mutating func admitted(_ newItems: [Player.Item], at start: Int) -> [Player.Item] {
    let room = Self.limit - items.count
    lastIndices.reserveCapacity(lastIndices.count + min(room, newItems.count))
    var index = start
    return newItems.filter { item in
      guard index - start < room, lastIndices[item.id] == nil else { return false }
      lastIndices[item.id] = Int32(index)
      index += 1
      return true
    }
  }

  /// Moves an item to another index in list order; the current item and a shuffled order do not change.
  ///
  /// An index beyond the last one moves the item to the end.
  mutating func move(_ id: Player.Item.ID, to position: Int) {
    guard let source = index(of: id) else { return }
    let target = min(max(0, position), items.count - 1)
    guard target != source else { return }
    func moved(_ index: Int) -> Int {
      if index == source { return target }
      if source < index, index <= target { return index - 1 }
      return target <= index && index < source ? index + 1 : index
    }
    let item = items.remove(at: source)
    items.insert(item, at: target)
    lastIndices[id] = Int32(target)
    order = order?.map(moved)
    currentIndex = currentIndex.map(moved)
  }

  /// Removes items; if the current one is among them, the next remaining item becomes current, or else the one before.
  mutating func remove(_ removed: Set<Player.Item.ID>) {
    let indices = removed.compactMap(index(of:)).sorted()
    guard !indices.isEmpty else { return }
    let isCurrentRemoved = current.map { removed.contains($0.id) } ?? false
    let successor =
      isCurrentRemoved ? neighbour(1, excluding: removed) ?? neighbour(-1, excluding: removed) : current
    order = order?.compactMap { index in
      let removedBefore = indices.partitioningIndex { $0 >= index }
      return indices[removedBefore...].first == index ? nil : index - removedBefore
    }
    for index in indices { lastIndices[items[index].id] = nil }
    items.removeSubranges(RangeSet(indices, within: items))
    currentIndex = nil
    if let successor { select(successor.id) }
  }

  /// Makes an item current, if the queue contains it.
  mutating func select(_ id: Player.Item.ID) {
    guard let index = index(of: id) else { return }
    currentIndex = index
    if let order { cursor = order.firstIndex(of: index) ?? 0 }
  }

  /// Shuffles the queue with the current item first, or returns to list order.
  ///
  /// If the mode does not change, the order does not change either. A queue that keeps albums together is shuffled.
  mutating func setShuffled(_ shuffled: Bool) {
    guard shuffled != isShuffled else { return }
    setShuffleMode(shuffled ? .tracks : .off)
  }

  /// Shuffles the queue with the current item or its album first, or returns to list order.
  ///
  /// If the mode does not change, the order does not change either. `names` are the albums of the items whose tags are
  /// known; for items that are inserted later, folders are albums.
  mutating func setShuffleMode(_ mode: Player.ShuffleMode, names: [Player.Item.ID: AlbumGroups.Name] = [:]) {
    guard mode != shuffleMode else { return }
    keepsAlbums = mode == .albums
    if mode == .off { order = nil } else { shuffle(names) }
  }

  private mutating func shuffle(_ names: [Player.Item.ID: AlbumGroups.Name] = [:]) {
    cursor = 0
    guard let currentIndex else { return order = Array(items.indices) }
    if keepsAlbums {
      let albums = AlbumGroups(items, names).indices
      // Their numbers: the optimiser compiles a swap of arrays in one of two ways, by chance. `make reproduce` compares the programs.
      var places = albums.indices.shuffled(using: &random)
      if let first = places.firstIndex(where: { albums[$0].contains(currentIndex) }) { places.swapAt(0, first) }
      let order = places.flatMap { albums[$0] }
      self.order = order
      cursor = order.firstIndex(of: currentIndex) ?? 0
    } else {
      var rest = Array(items.indices)
      rest.remove(at: currentIndex)
      order = [currentIndex] + rest.shuffled(using: &random)
    }
  }
}

/// The recorded queue.
extension PlayQueue {
  /// Returns the queue without URIs; the list and the order of `last` are shared if they are the same.
  func recorded(after last: RecordedQueue?) -> RecordedQueue {
    let same = last.flatMap { $0.revision == revision ? $0 : nil }
    return RecordedQueue(
      list: same?.list ?? ItemList(recording: items), order: same?.order ?? order?.map { Int32(clamping: $0) },
      keepsAlbums: keepsAlbums, currentIndex: currentIndex, loop: loop, revision: revision, random: random)
  }

  /// Creates a recorded queue with stand-ins for the items; indices that it does not have are corrected.
  init(replaying recorded: RecordedQueue) {
    random = recorded.random
    // An empty queue stays shuffled.
    if recorded.order != nil { order = [] }
    keepsAlbums = recorded.order != nil && recorded.keepsAlbums
    replace(
      with: recorded.list.items, startingAt: recorded.currentIndex ?? 0, playOrder: recorded.order?.map { Int($0) })
    loop = recorded.loop
    revision = recorded.revision
  }
}

/// A queue without the URIs of its items.
struct RecordedQueue: Codable, Sendable {
  var list: ItemList
  var order: [Int32]?
  var keepsAlbums: Bool
  var currentIndex: Int?
  var loop: Player.LoopMode
  var revision: UInt64
  var random: ShuffleGenerator

  /// An upper limit of the size in bytes.
  var weight: Int { list.weight + (order?.count ?? 0) * MemoryLayout<Int32>.stride }
}
