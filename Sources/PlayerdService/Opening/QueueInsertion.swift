import Playback

/// Inserts one request's items into the queue, batch by batch.
struct QueueInsertion {
  private let loader: QueueLoader
  private let operation: OpenQueue.Operation
  /// The number of inserted items.
  private(set) var count = 0
  /// The item before the first inserted one; nil if the items replaced the queue or started an empty one.
  private(set) var predecessor: Player.Item?
  private var last: Player.Item.ID?

  init(_ operation: OpenQueue.Operation, for loader: QueueLoader) {
    self.operation = operation
    self.loader = loader
  }

  var hasBegun: Bool { count > 0 }

  private var request: OpenRequest { operation.request }
  private var coordinator: PlaybackCoordinator { loader.coordinator }
  private var player: Player { coordinator.player }

  /// Whether items were omitted because the queue had no room for them.
  private(set) var isFull = false

  /// Inserts items that the queue has room for, unless the request has been cancelled.
  ///
  /// If the first items of the request take over, the one at the index `place` becomes current; nil for the usual one.
  mutating func add(_ found: [Player.Item], startingAt place: Int? = nil) {
    let replaces = !hasBegun && request.placement == .replace
    let room = loader.itemLimit - (replaces ? 0 : player.snapshot.itemCount)
    let items = Array(found.prefix(max(0, room)))
    if items.count < found.count { isFull = true }
    guard let first = items.first else { return }
    let isInserted = coordinator.insert(
      operation.id, replaces && player.snapshot.itemCount > 0 ? .replace : .add, of: loader.playlist(),
      isStart: request.isStart && !hasBegun, changing: part
    ) { intent in
      if hasBegun {
        player.insert(contentsOf: items, after: last)
        // All earlier items have already failed.
        if let intent { start(first.id, intent) }
      } else {
        let place = place.flatMap { items.indices.contains($0) ? $0 : nil }
        begin(with: items, first: first, startingAt: place, intent ?? .playing)
      }
    }
    guard isInserted else { return }
    count += items.count
    // Appended items go to the end; inserted items stay together.
    switch request.placement {
    case .next:
      last = items.last?.id
      if predecessor != nil { coordinator.insertedNext(last) }
    case .now: last = items.last?.id
    case .add: if request.position != .end { last = items.last?.id }
    case .replace, .append: break
    }
  }

  /// Returns the part of the queue that the next items replace.
  private func part(of queue: QueueState) -> Range<Int> {
    let end = queue.items.count
    func place(after item: Player.Item.ID?) -> Range<Int> {
      // The items of a request are near the end of a long queue.
      let place = item.flatMap { item in queue.items.lastIndex { $0.id == item } }.map { $0 + 1 } ?? end
      return place..<place
    }
    if hasBegun { return place(after: last) }
    return switch (request.placement, request.position) {
    case (.replace, _): 0..<end
    case (.next, _): place(after: coordinator.predecessorOfNext?.id)
    case (.now, _): place(after: player.snapshot.currentItem?.id)
    case (.add, .start): 0..<0
    case (.add, .after(let item)): place(after: item)
    case (.append, _), (.add, .end): end..<end
    }
  }

  /// Removes items that have failed before the first playable one.
  mutating func remove(_ failed: Set<Player.Item.ID>) {
    coordinator.remove(failed: failed, by: operation.id, of: loader.playlist())
    count -= failed.count
  }

  private mutating func begin(
    with items: [Player.Item], first: Player.Item, startingAt place: Int?, _ intent: PendingOpens.Intent
  ) {
    let current = player.snapshot.currentItem
    request.apply(to: player)
    switch request.placement {
    case .append where current != nil:
      predecessor = player.items.last
      player.append(contentsOf: items)
    case .next where current != nil:
      predecessor = coordinator.predecessorOfNext
      player.insert(contentsOf: items, after: predecessor?.id)
    case .now:
      player.insert(contentsOf: items, after: current?.id)
      start(place.map { items[$0].id } ?? first.id, intent)
    case .add:
      switch request.position {
      case .start: player.prepend(contentsOf: items)
      case .end: player.append(contentsOf: items)
      case .after(let item): player.insert(contentsOf: items, after: item)
      }
      if request.becomesCurrent { start(place.map { items[$0].id } ?? first.id, intent) }
    case .replace, .append, .next:
      if request.placement == .replace { loader.replaces(request.uris) }
      if request.rate == nil, let rate = loader.newRate() { player.rate = rate }
      let mode = request.start == nil ? player.snapshot.shuffleMode : .off
      if request.start != nil { coordinator.setsStart(of: first.id) }
      if let place {
        player.replaceQueue(with: items, startingAt: place)
      } else {
        let start = mode == .off ? 0 : loader.startIndex(items.indices)
        player.replaceQueue(with: items, startingAt: mode == .albums ? items.startOfAlbum(at: start) : start)
      }
      switch intent {
      case .playing: player.play()
      case .paused:
        player.pause(fading: false)
        player.load()
      }
      if let start = request.start { player.seek(to: start) }
    }
  }

  /// Makes an item current, playing or paused.
  private func start(_ item: Player.Item.ID, _ intent: PendingOpens.Intent) {
    player.play(item: item)
    if intent == .paused { player.pause(fading: false) }
  }
}
