import MPRISService
import Playback

/// A queue with its order, its current track and its position, which can be restored.
struct QueueState: Sendable {
  var items: [Player.Item]
  /// The shuffled order as indices into the items; nil in list order.
  var order: [Int]?
  var current: Int
  var position: Duration
  var transport: Player.Transport
  var rate: Double
  /// The playlist that the queue comes from; nil for none.
  var playlist: MPRISPlaylist.ID?
}

extension QueueState {
  /// Copies the queue of a player; nil if it is empty.
  init?(_ player: Player, _ playlist: MPRISPlaylist.ID?) {
    var state: Player.Snapshot
    // An edit between the reads repeats them.
    repeat {
      state = player.snapshot
      (items, order) = (player.items, player.playOrder)
    } while player.snapshot.queueRevision != state.queueRevision
    guard let current = state.currentIndex else { return nil }
    (self.current, position, transport, rate) = (current, state.position, state.transport, state.rate)
    self.playlist = playlist
  }

  /// Creates the queue of a session, which plays only if a restore of the session would play it.
  init?(_ session: SavedSession, _ resume: SessionRestorer.Resume) {
    guard !session.queue.isEmpty else { return nil }
    (items, order, current, rate) = (session.items, session.order, session.place.current, session.rate)
    position = .microseconds(Int64(session.place.position * 1e6))
    transport =
      switch session.place.state {
      case .stopped: .stopped
      case .paused: .paused
      case .playing: resume == .playing ? .playing : .paused
      }
  }

  /// Replaces the queue of a player; its other items, and its requests, are left to the caller.
  func restore(into player: Player) {
    // Otherwise the restored track would be audible until it is paused.
    switch transport {
    case .stopped: player.stop()
    case .paused: player.pause(fading: false)
    case .playing: break
    }
    player.isShuffled = order != nil
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
