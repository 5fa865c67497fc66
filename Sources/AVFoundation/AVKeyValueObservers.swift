import Foundation
import Synchronization

/// The key-value observers of one object; all members are internal.
public final class AVKeyValueObservers: Sendable {
  private struct Watch: Sendable {
    let id: UUID
    /// The call of `addObserver`; nil for an observation by key path.
    let registration: Registration?
    /// Compares the property of the object with its last value, and reports a difference.
    let check: @Sendable (AnyObject) -> Void
  }

  /// The observer and the arguments of a call of `addObserver`.
  struct Registration: Sendable {
    let observer: ObjectIdentifier
    let keyPath: String
    /// The address of the context; 0 for none.
    let context: UInt

    /// Whether `removeObserver` with these arguments ends the observation; a context of nil is any.
    func matches(_ observer: AnyObject, _ keyPath: String, _ context: UInt?) -> Bool {
      self.observer == ObjectIdentifier(observer) && self.keyPath == keyPath
        && (context == nil || context == self.context)
    }
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
    return watch(object, for: nil, { unsafe $0[keyPath: path] }, changed)
  }

  /// Watches a value of an object, until the returned identity or the registration is removed.
  func watch<Object: AnyObject, Value>(
    _ object: Object, for registration: Registration?, _ value: @escaping @Sendable (Object) -> Value,
    _ changed: @escaping @Sendable (Object, Value, Value) -> Void
  ) -> UUID {
    nonisolated(unsafe) var last = value(object)  // used on the main queue alone after this call
    let id = UUID()
    let watch = Watch(id: id, registration: registration) { [weak self] object in
      guard let object = object as? Object else { return }
      let (old, new) = unsafe (last, value(object))
      guard !areEqual(old, new) else { return }
      unsafe last = new
      if self?.contains(id) == true { changed(object, old, new) }
    }
    watches.withLock { $0.append(watch) }
    return id
  }

  func remove(_ id: UUID) { removeLast { $0.id == id } }

  /// Ends the last observation of an observer with a key path, and a context unless it is nil.
  func remove(_ observer: AnyObject, _ keyPath: String, _ context: UInt?) {
    removeLast { $0.registration?.matches(observer, keyPath, context) == true }
  }

  private func removeLast(where isRemoved: (Watch) -> Bool) {
    // The closure of an observer is released outside the lock, because that may run any code.
    let removed = watches.withLock { watches in
      watches.lastIndex(where: isRemoved).map { watches.remove(at: $0) }
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
