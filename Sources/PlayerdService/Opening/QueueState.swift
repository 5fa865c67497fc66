import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdStorage

/// A queue that can be restored, with its order, its current track and its position.
struct QueueState: Sendable {
  var items: [Player.Item]
  /// The shuffled order as indices into the items; nil in list order.
  var order: [Int]?
  var shuffle: Player.ShuffleMode
  /// The index of the current item; 0 for an empty queue.
  var current: Int
  var position: Duration
  var transport: Player.Transport
  var rate: Double
  /// The playlist that the queue comes from; nil for none.
  var playlist: MPRISPlaylist.ID?
}

extension QueueState {
  /// Copies the queue of a player, with the playlist that it comes from, if any.
  ///
  /// It is not an initializer: Swift 6.3 releases the player of a failable one once too often if it reads it in a loop.
  static func copy(of player: Player, from playlist: MPRISPlaylist.ID?) -> QueueState {
    while true {
      let (state, items, order) = (player.snapshot, player.items, player.playOrder)
      // An edit between the reads repeats them.
      guard player.snapshot.queueRevision == state.queueRevision else { continue }
      return QueueState(
        items: items, order: order, shuffle: state.shuffleMode, current: state.currentIndex ?? 0,
        position: state.position,
        transport: state.transport, rate: state.rate, playlist: playlist)
    }
  }

  /// Creates the queue of a session, which plays only if a restore of the session would play it.
  init?(_ session: SavedSession, _ resume: ResumeChoice) {
    guard !session.queue.isEmpty else { return nil }
    (items, order, current, rate) = (session.items, session.order, session.place.current, session.rate)
    shuffle = session.shuffle
    position = .microseconds(Int64(session.place.position * 1e6))
    transport =
      switch session.place.state {
      case .stopped: .stopped
      case .paused: .paused
      case .playing: resume == .playing ? .playing : .paused
      }
  }

  /// Returns the queue without some items.
  ///
  /// Without its current item, the queue continues with the next one, from its start.
  func without(_ rejected: Set<Player.Item.ID>) -> QueueState {
    guard !rejected.isEmpty else { return self }
    let allowed = AllowedItems(indices: items.indices.filter { !rejected.contains(items[$0].id) })
    var state = self
    state.items = allowed.indices.map { items[$0] }
    state.order = order.map(allowed.order)
    state.current = allowed.current(current)
    if allowed.place(of: current) == nil { state.position = .zero }
    return state
  }

  /// Replaces the queue of a player; its other items, and its requests, are left to the caller.
  func restore(into player: Player) {
    // Otherwise the restored track would be audible until it is paused.
    switch transport {
    case .stopped: player.stop()
    case .paused: player.pause(fading: false)
    case .playing: break
    }
    player.setShuffleMode(shuffle)
    player.rate = rate
    player.replaceQueue(with: items, startingAt: current, playOrder: order)
    switch transport {
    case .stopped: return
    case .paused: player.load()
    case .playing: player.play()
    }
    if position > .zero { player.seek(to: position) }
  }
}
