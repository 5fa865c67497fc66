import Foundation
import Synchronization

/// The key-value observers of one object; all members are internal.
public final class AVKeyValueObservers: Sendable {
  private struct Watch: Sendable {
    let id: UUID
    /// Compares the property of the object with its last value, and reports a difference.
    let check: @Sendable (AnyObject) -> Void
  }

  private let watches = Mutex<[Watch]>([])

  /// Watches a property from its present value on, until the returned identity is removed.
  ///
  /// `changed` receives the object, the old and the new value of each change, on the main queue.
  func watch<Object: AnyObject, Value>(
    _ path: KeyPath<Object, Value>, of object: Object,
    _ changed: @escaping @Sendable (Object, Value, Value) -> Void
  ) -> UUID {
    nonisolated(unsafe) let path = path  // a key path is immutable
    nonisolated(unsafe) var last = unsafe object[keyPath: path]  // used on the main queue alone after this call
    let id = UUID()
    let watch = Watch(id: id) { [weak self] object in
      guard let object = object as? Object else { return }
      let (old, new) = unsafe (last, object[keyPath: path])
      guard !areEqual(old, new) else { return }
      unsafe last = new
      if self?.contains(id) == true { changed(object, old, new) }
    }
    watches.withLock { $0.append(watch) }
    return id
  }

  func remove(_ id: UUID) {
    // The closure of an observer is released outside the lock, because that may run any code.
    let removed = watches.withLock { watches in
      watches.firstIndex { $0.id == id }.map { watches.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Reports the changed properties of the object, the oldest observer first; called on the main queue.
  func notify(_ object: AnyObject) {
    for watch in watches.withLock({ $0 }) { watch.check(object) }
  }

  private func contains(_ id: UUID) -> Bool { watches.withLock { $0.contains { $0.id == id } } }
}

/// Returns whether two values of any type are known to be equal.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  // The casts unwrap optionals, too.
  if let left = left as? any Equatable { return isEqual(left, right) }
  return switch (unwrapped(left), unwrapped(right)) {
  case (nil, nil): true
  case (let left?, let right?): type(of: left) is AnyClass && left as AnyObject === right as AnyObject
  default: false
  }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { left == right as? Value }

/// Returns the value inside an optional, or any other value itself.
private func unwrapped(_ value: Any) -> Any? {
  if case Optional<Any>.some(let wrapped) = value { wrapped } else { nil }
}
