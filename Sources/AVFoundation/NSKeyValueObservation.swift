public import Foundation

/// The values that a key-value observation reports, and its additional calls.
///
/// Foundation on Linux does not have key-value observation. These types have the names and members of Apple's Foundation.
public struct NSKeyValueObservingOptions: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Reports the new value.
  public static let new = Self(rawValue: 1)
  /// Reports the old value.
  public static let old = Self(rawValue: 2)
  /// Calls the handler once before `observe` returns.
  public static let initial = Self(rawValue: 4)
  /// Calls the handler also before each change, with ``NSKeyValueObservedChange/isPrior``.
  public static let prior = Self(rawValue: 8)
}

/// The kind of a change; always ``setting`` here.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property was set.
  case setting = 1
  /// Objects were inserted into a collection.
  case insertion = 2
  /// Objects were removed from a collection.
  case removal = 3
  /// Objects were replaced in a collection.
  case replacement = 4
}

/// A change of an observed property.
public struct NSKeyValueObservedChange<Value> {
  /// The type of ``kind``.
  public typealias Kind = NSKeyValueChange

  /// The kind of the change.
  public let kind: Kind = .setting
  /// The new value, with the option `new`; nil in a call before the change.
  public let newValue: Value?
  /// The old value, with the option `old`; nil in the initial call.
  public let oldValue: Value?
  /// The changed indexes of a collection; always nil here.
  public let indexes: IndexSet? = nil
  /// Whether the call is made before the change.
  public let isPrior: Bool
}

/// A key-value observation, which ends when it is invalidated or released.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let observers: AVKeyValueObservers
  private let id: UUID

  init(_ observers: AVKeyValueObservers, _ id: UUID) {
    self.observers = observers
    self.id = id
  }

  deinit { invalidate() }

  /// Ends the observation; no new call of the handler begins afterwards.
  public func invalidate() { observers.remove(id) }
}

/// An object whose properties can be observed by key path, as with key-value observation.
public protocol AVKeyValueObserving: AnyObject, SendableMetatype {
  /// The observers of the object.
  nonisolated var keyValueObservers: AVKeyValueObservers { get }
}

extension AVKeyValueObserving {
  /// Calls `changeHandler` on the main queue whenever the property of the key path has changed.
  ///
  /// A change of an equal value is not reported. With `initial`, the first call is made on the caller's thread before
  /// this method returns. If the property changes several times before the main queue is free, one change is reported.
  ///
  /// - Returns: The observation; it ends when its last reference is released.
  @preconcurrency
  public nonisolated func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let id = keyValueObservers.watch(keyPath, of: self) { object, old, new in
      let reportedOld = options.contains(.old) ? old : nil
      let reportedNew = options.contains(.new) ? new : nil
      if options.contains(.prior) {
        changeHandler(object, NSKeyValueObservedChange(newValue: nil, oldValue: reportedOld, isPrior: true))
      }
      changeHandler(object, NSKeyValueObservedChange(newValue: reportedNew, oldValue: reportedOld, isPrior: false))
    }
    let observation = NSKeyValueObservation(keyValueObservers, id)
    if options.contains(.initial) {
      let value = options.contains(.new) ? self[keyPath: keyPath] : nil
      changeHandler(self, NSKeyValueObservedChange(newValue: value, oldValue: nil, isPrior: false))
    }
    return observation
  }
}
