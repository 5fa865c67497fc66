import GstPlayer

/// One request on its way into the queue, batch by batch.
struct Insertion {
  let coordinator: PlaybackCoordinator
  let operation: OpenQueue.Operation
  /// Called just before the queue is replaced by items from these URIs.
  let replaces: @Sendable ([String]) -> Void
  private(set) var hasBegun = false
  private var last: PlayerItem.ID?

  init(
    _ operation: OpenQueue.Operation, into coordinator: PlaybackCoordinator,
    replaces: @escaping @Sendable ([String]) -> Void
  ) {
    self.coordinator = coordinator
    self.operation = operation
    self.replaces = replaces
  }

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
    hasBegun = true
    // What is appended stays at the end; what was put somewhere keeps together.
    switch request.placement {
    case .next, .now: last = items.last?.id
    case .add: if request.place != .end { last = items.last?.id }
    case .replace, .append: break
    }
  }

  private func begin(with items: [PlayerItem], first: PlayerItem, _ intent: PendingOpens.Intent) {
    let current = player.snapshot.currentItem
    switch request.placement {
    case .append where current != nil:
      player.insert(items)
    case .next where current != nil:
      player.insert(items, after: current?.id)
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
      player.replaceQueue(with: items)
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
