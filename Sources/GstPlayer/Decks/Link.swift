import Synchronization

/// A weak reference to an object, for closures that the object retains itself.
final class Link<Object: AnyObject & Sendable>: Sendable {
  private struct Target: Sendable { weak var object: Object? }

  private let target = Mutex(Target())

  /// The object; nil before it is set, and after its end.
  var object: Object? {
    get { target.withLock { $0.object } }
    set { target.withLock { $0.object = newValue } }
  }
}
