import CGst
import Synchronization

/// A replaceable reference that can be used from any thread.
final class AtomicReference<Value: AnyObject & Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)
  var value: Value? { storage.withLock { $0 } }

  func set(_ value: Value?) {
    let old = storage.withLock { storage in
      defer { storage = value }
      return storage
    }
    // Released without the lock.
    withExtendedLifetime(old) {}
  }
}

extension AtomicReference where Value == ObjectReference {
  /// Calls `body` with the element, which is retained during the call; returns nil if there is none.
  func with<Result>(_ body: (UnsafeMutablePointer<GstElement>) -> Result) -> Result? {
    guard let held = value else { return nil }
    return withExtendedLifetime(held) { unsafe body(held.pointer()) }
  }
}
