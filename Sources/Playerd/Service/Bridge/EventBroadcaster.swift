import MPRISService
import Synchronization

/// A broadcaster of the events that do not come from the player itself, to all event streams of the bridge.
final class EventBroadcaster: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<MPRISPlayerEvent>.Continuation] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  func send(_ event: MPRISPlayerEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  func add(_ listener: AsyncStream<MPRISPlayerEvent>.Continuation) -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      state.listeners[state.lastNumber] = listener
      return state.lastNumber
    }
  }

  func remove(_ number: UInt64) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
}
