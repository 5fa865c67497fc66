import GstPlayer

/// One request on its way into the queue, batch by batch.
struct Insertion {
  let player: Player
  let request: OpenRequest
  let progress: OpenProgress
  let turn: OpenTurn
  private(set) var hasBegun = false
  private var last: PlayerItem.ID?

  init(player: Player, request: OpenRequest, progress: OpenProgress, turn: OpenTurn) {
    self.player = player
    self.request = request
    self.progress = progress
    self.turn = turn
  }

  var isFull: Bool { hasBegun && player.snapshot.itemCount >= Player.itemLimit }

  mutating func add(_ items: [PlayerItem]) {
    guard let first = items.first, turn.begin() else { return }
    if hasBegun {
      player.insert(items, after: last)
      // All that came before has failed already: go on with these.
      if progress.takeRunDry(), !request.startsPaused { player.play(first.id) }
    } else {
      begin(with: items, first: first)
      hasBegun = true
    }
    // What is appended stays at the end; what was put somewhere keeps together.
    switch request.placement {
    case .next, .now: last = items.last?.id
    case .add: if request.place != .end { last = items.last?.id }
    case .replace, .append: break
    }
  }

  private func begin(with items: [PlayerItem], first: PlayerItem) {
    let before = player.snapshot
    switch request.placement {
    case .append where before.currentItem != nil:
      player.insert(items)
    case .next where before.currentItem != nil:
      player.insert(items, after: before.currentItem?.id)
    case .now:
      player.insert(items, after: before.currentItem?.id)
      player.play(first.id)
    case .add:
      switch request.place {
      case .start: player.insertAtStart(items)
      case .end: player.insert(items)
      case .after(let item): player.insert(items, after: item)
      }
      if request.goesThere { player.play(first.id) }
    case .replace, .append, .next:
      player.replaceQueue(with: items)
      if request.startsPaused { player.prepare() } else { player.play() }
      if let start = request.start { player.seek(to: start) }
    }
  }
}
