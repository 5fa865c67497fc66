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
    let property = WatchedProperty(path, of: object)
    let id = UUID()
    let watch = Watch(id: id) { [weak self] object in
      guard let object = object as? Object, let (old, new) = property.change(of: object) else { return }
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

/// The last reported value of a property.
private final class WatchedProperty<Object: AnyObject, Value>: @unchecked Sendable {  // `lock` guards `last`
  // A key path is immutable.
  private let path: KeyPath<Object, Value>
  private let lock = NSLock()
  private var last: Value

  init(_ path: KeyPath<Object, Value>, of object: Object) {
    self.path = path
    last = object[keyPath: path]
  }

  /// Returns the last and the present value if they differ, and stores the present one.
  func change(of object: Object) -> (old: Value, new: Value)? {
    let new = object[keyPath: path]
    lock.lock()
    defer { lock.unlock() }
    guard !areEqual(last, new) else { return nil }
    defer { last = new }
    return (last, new)
  }
}

/// Returns whether two values of any type are known to be equal.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  // The cast unwraps an optional, too.
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
  if let optional = value as? any AnyOptional { optional.anyWrapped } else { value }
}

private protocol AnyOptional {
  var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var anyWrapped: Any? { map { $0 } }
}
