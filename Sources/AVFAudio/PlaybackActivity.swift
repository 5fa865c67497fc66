import Synchronization

/// The players of a program that play.
package final class PlaybackActivity: Sendable {
  private struct State {
    /// The function that pauses each player that plays.
    var players: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var hasPlayed = false
    var observers: [Observer] = []
  }

  private struct Observer {
    let changed: @Sendable () -> Void
  }

  /// The players of this process.
  package static let shared = PlaybackActivity()

  private let state = Mutex(State())

  package init() {}

  /// Whether a player plays.
  package var isPlaying: Bool { state.withLock { !$0.players.isEmpty } }

  /// Whether a player has played so far.
  package var hasPlayed: Bool { state.withLock { $0.hasPlayed } }

  /// Records whether a player plays; `interrupt` pauses it.
  package func set(_ player: ObjectIdentifier, plays: Bool, interrupt: @escaping @Sendable () -> Void = {}) {
    let observers = state.withLock { state in
      let wasPlaying = !state.players.isEmpty
      state.players[player] = plays ? interrupt : nil
      if plays { state.hasPlayed = true }
      return wasPlaying == state.players.isEmpty ? state.observers : []
    }
    for observer in observers { observer.changed() }
  }

  /// Pauses the players that play; returns whether there was one.
  package func interrupt() -> Bool {
    let players = state.withLock { Array($0.players.values) }
    for interrupt in players { interrupt() }
    return !players.isEmpty
  }

  /// Adds an observer of ``isPlaying`` for the rest of the process; it is called on any thread.
  package func observe(_ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(Observer(changed: changed)) }
  }
}
