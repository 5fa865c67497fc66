import GstPlayer

/// One request on its way into the queue, batch by batch.
struct Insertion {
  let coordinator: PlaybackCoordinator
  let operation: OpenQueue.Operation
  /// The speed of a new queue whose request names none; nil for that of the queue before.
  private let newRate: @Sendable () -> Double?
  /// Called just before the queue is replaced by items from these URIs.
  let replaces: @Sendable ([String]) -> Void
  /// How many items were inserted.
  private(set) var count = 0
  /// The item that the first one follows; nil when the items replaced the queue or began an empty one.
  private(set) var predecessor: PlayerItem?
  private var last: PlayerItem.ID?

  init(
    _ operation: OpenQueue.Operation, into coordinator: PlaybackCoordinator,
    newRate: @escaping @Sendable () -> Double?, replaces: @escaping @Sendable ([String]) -> Void
  ) {
    self.coordinator = coordinator
    self.operation = operation
    self.newRate = newRate
    self.replaces = replaces
  }

  var hasBegun: Bool { count > 0 }

  private var request: OpenRequest { operation.request }
  private var player: Player { coordinator.player }

  var isFull: Bool { hasBegun && player.snapshot.itemCount >= Player.itemLimit }

  /// Inserts items, unless the request was cancelled.
  mutating func add(_ items: [PlayerItem]) {
    guard let first = items.first else { return }
    let isInserted = coordinator.insert(operation.id) { intent in
      if hasBegun {
        player.insert(items, after: last)
        // All items before these have failed already.
        if let intent { start(first.id, intent) }
      } else {
        begin(with: items, first: first, intent ?? .playing)
      }
    }
    guard isInserted else { return }
    count += items.count
    // What is appended stays at the end; what was put somewhere keeps together.
    switch request.placement {
    case .next:
      last = items.last?.id
      if predecessor != nil { coordinator.insertedNext(last) }
    case .now: last = items.last?.id
    case .add: if request.place != .end { last = items.last?.id }
    case .replace, .append: break
    }
  }

  private mutating func begin(with items: [PlayerItem], first: PlayerItem, _ intent: PendingOpens.Intent) {
    let current = player.snapshot.currentItem
    switch request.placement {
    case .append where current != nil:
      predecessor = player.items.last
      player.insert(items)
    case .next where current != nil:
      predecessor = coordinator.predecessorOfNext
      player.insert(items, after: predecessor?.id)
    case .now:
      player.insert(items, after: current?.id)
      start(first.id, intent)
    case .add:
      switch request.place {
      case .start: player.insertAtStart(items)
      case .end: player.insert(items)
      case .after(let item): player.insert(items, after: item)
      }
      if request.goesThere { start(first.id, intent) }
    case .replace, .append, .next:
      if request.placement == .replace { replaces(request.uris) }
      if request.rate == nil, let rate = newRate() { player.setRate(rate) }
      let isRandom = player.snapshot.isShuffled && request.start == nil
      player.replaceQueue(with: items, startingAt: isRandom ? Int.random(in: items.indices) : 0)
      switch intent {
      case .playing: player.play()
      case .paused:
        player.pauseAtOnce()
        player.prepare()
      }
      if let start = request.start { player.seek(to: start) }
    }
  }

  /// Makes an item current, playing or paused.
  private func start(_ item: PlayerItem.ID, _ intent: PendingOpens.Intent) {
    player.play(item)
    if intent == .paused { player.pauseAtOnce() }
  }
}
