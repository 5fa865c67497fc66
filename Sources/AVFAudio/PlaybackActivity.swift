import Synchronization

/// The players of a program that play.
package final class PlaybackActivity: Sendable {
  private struct State {
    var players: Set<ObjectIdentifier> = []
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

  /// Records whether a player plays.
  package func set(_ player: ObjectIdentifier, plays: Bool) {
    let observers = state.withLock { state in
      let wasPlaying = !state.players.isEmpty
      if plays { state.players.insert(player) } else { state.players.remove(player) }
      return wasPlaying == state.players.isEmpty ? state.observers : []
    }
    for observer in observers { observer.changed() }
  }

  /// Adds an observer of ``isPlaying`` for the rest of the process; it is called on any thread.
  package func observe(_ changed: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(Observer(changed: changed)) }
  }
}
