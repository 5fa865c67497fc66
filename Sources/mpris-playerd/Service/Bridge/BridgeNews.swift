import MPRISService
import Synchronization

/// News that do not come from the player itself, for everyone who listens to the bridge.
final class BridgeNews: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<MediaPlayerEvent>.Continuation] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  func send(_ event: MediaPlayerEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  func add(_ listener: AsyncStream<MediaPlayerEvent>.Continuation) -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      state.listeners[state.lastNumber] = listener
      return state.lastNumber
    }
  }

  func remove(_ number: UInt64) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
}
