import Synchronization

/// A reference that is set once and cleared once, from any thread.
final class AtomicReference<Value: AnyObject & Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)
  var value: Value? { storage.withLock { $0 } }
  func set(_ value: Value) { storage.withLock { $0 = value } }
  func clear() { storage.withLock { $0 = nil } }
}
