import Synchronization

/// The players of a program that play.
package final class PlaybackActivity: Sendable {
  private struct State {
    /// The players that are not paused.
    var players: [ObjectIdentifier: Player] = [:]
    var hasPlayed = false
    var observers: [Observer] = []

    var isPlaying: Bool { players.values.contains { $0.plays } }
  }

  private struct Player {
    /// Whether it has an item to play.
    let plays: Bool
    let pause: @Sendable () -> Void
  }

  private struct Observer {
    let changed: @Sendable () -> Void
  }

  /// The players of this process.
  package static let shared = PlaybackActivity()

  private let state = Mutex(State())

  package init() {}

  /// Whether a player plays; one that waits for an item, or stands at the end of one, does not.
  package var isPlaying: Bool { state.withLock { $0.isPlaying } }

  /// Whether a player was asked to play so far.
  package var hasPlayed: Bool { state.withLock { $0.hasPlayed } }

  /// Records a request to play; the player may fail at once.
  package func request() { change { $0.hasPlayed = true } }

  /// Records that a player is not paused, and whether it plays; `pause` pauses it.
  package func add(_ player: ObjectIdentifier, plays: Bool, pause: @escaping @Sendable () -> Void) {
    change { state in
      state.players[player] = Player(plays: plays, pause: pause)
      if plays { state.hasPlayed = true }
    }
  }

  /// Records that a player is paused, or is released.
  package func remove(_ player: ObjectIdentifier) { change { $0.players[player] = nil } }

  private func change(_ body: (inout State) -> Void) {
    let observers = state.withLock { state in
      let before = (state.isPlaying, state.hasPlayed)
      body(&state)
      return before == (state.isPlaying, state.hasPlayed) ? [] : state.observers
    }
    for observer in observers { observer.changed() }
  }

  /// Pauses the players that are not paused; returns whether one of them played.
  package func interrupt() -> Bool {
    let (players, isPlaying) = state.withLock { (Array($0.players.values), $0.isPlaying) }
    for player in players { player.pause() }
    return isPlaying
  }

  /// Adds an observer of ``isPlaying`` and ``hasPlayed`` for the rest of the process; it is called on any thread.
  package func observe(_ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(Observer(changed: changed)) }
  }
}
