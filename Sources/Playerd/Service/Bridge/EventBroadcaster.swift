import MPRISService
import Synchronization

/// A broadcaster of the events that do not come from the player itself, to all event streams of the bridge.
final class EventBroadcaster: Sendable {
  private let listeners = Mutex<Set<AsyncStream<MPRISPlayerEvent>.Continuation>>([])

  func send(_ event: MPRISPlayerEvent) {
    for listener in listeners.withLock({ $0 }) { listener.yield(event) }
  }

  /// Returns the events from now on.
  func events() -> AsyncStream<MPRISPlayerEvent> {
    let (stream, listener) = AsyncStream.makeStream(of: MPRISPlayerEvent.self)
    listeners.withLock { _ = $0.insert(listener) }
    listener.onTermination = { [weak self] _ in self?.listeners.withLock { _ = $0.remove(listener) } }
    return stream
  }
}
