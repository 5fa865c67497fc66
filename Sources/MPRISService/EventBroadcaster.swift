import Synchronization

/// Broadcasts events to all its open streams.
package final class EventBroadcaster: Sendable {
  private let listeners = Mutex<Set<AsyncStream<MPRISPlayerEvent>.Continuation>>([])

  package init() {}

  package func send(_ event: MPRISPlayerEvent) {
    for listener in listeners.withLock({ $0 }) { listener.yield(event) }
  }

  /// Returns the events from now on.
  package func events() -> AsyncStream<MPRISPlayerEvent> {
    let (stream, listener) = AsyncStream.makeStream(of: MPRISPlayerEvent.self)
    listeners.withLock { _ = $0.insert(listener) }
    listener.onTermination = { [weak self] _ in self?.listeners.withLock { _ = $0.remove(listener) } }
    return stream
  }
}
