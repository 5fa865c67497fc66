public import Foundation

/// A key of the dictionary that ``AVKeyValueObserver/observeValue(forKeyPath:of:change:context:)`` receives.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The name of the key.
  public let rawValue: String

  /// Creates a key from a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The kind of the change, an `NSNumber` with a value of ``NSKeyValueChange``.
  public static let kindKey = Self(rawValue: "kind")
  /// The new value, with the option `new`.
  public static let newKey = Self(rawValue: "new")
  /// The old value, with the option `old`.
  public static let oldKey = Self(rawValue: "old")
  /// The changed indexes of a collection; it does not occur here.
  public static let indexesKey = Self(rawValue: "indexes")
  /// `true`, an `NSNumber`, in a call before the change.
  public static let notificationIsPriorKey = Self(rawValue: "notificationIsPrior")
}

/// An object that observes properties by their names in Objective-C.
///
/// On Apple's systems, every `NSObject` has the method of this class. Linux does not have Objective-C, so a class that observes by
/// name inherits from this class instead of `NSObject`. For both systems, give it the same name on Apple's:
///
/// ```swift
/// #if canImport(Darwin)
///   typealias AVKeyValueObserver = NSObject
/// #endif
/// ```
open class AVKeyValueObserver: NSObject {
  /// Creates an observer.
  public override init() { super.init() }

  /// Called on the main queue when an observed property has changed; does nothing unless it is overridden.
  ///
  /// - Parameters:
  ///   - keyPath: The name with which the property is observed.
  ///   - object: The observed object.
  ///   - change: The values. Numbers and enumerations are `NSNumber`, times `NSValue`, and nil is `NSNull`.
  ///   - context: The pointer with which the property is observed.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}

extension AVKeyValueObserving {
  /// Calls the observer on the main queue whenever the property of a name has changed.
  ///
  /// Neither object is retained; an observation ends when its observer is released. A name that the class does not have is
  /// logged, and never changes.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - keyPath: The name in Objective-C, such as `status`, `playbackBufferEmpty` or, for a player, `currentItem.status`.
  ///   - options: The values to report, and additional calls, as for ``observe(_:options:changeHandler:)``.
  ///   - context: A pointer that the observer receives.
  public nonisolated func addObserver(
    _ observer: AVKeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    guard let property = ObservedProperty.named(keyPath, of: self) else {
      return NSLog("%@", "\(type(of: self)) has no observable property with the name '\(keyPath)'")
    }
    let call = ObserverCall(observer, keyPath, UInt(bitPattern: context))
    let observers = keyValueObservers
    _ = observers.watch(self, for: call.registration, property.value) { object, old, new in
      var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: NSKeyValueChange.setting.rawValue)]
      if options.contains(.old) { change[.oldKey] = old }
      if options.contains(.prior) {
        call(object, change.merging([.notificationIsPriorKey: NSNumber(value: true)]) { $1 })
      }
      if options.contains(.new) { change[.newKey] = new }
      call(object, change)
    }
    guard options.contains(.initial) else { return }
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: NSKeyValueChange.setting.rawValue)]
    if options.contains(.new) { change[.newKey] = property.value(self) }
    call(self, change)
  }

  /// Ends the last observation of an observer with a name; another one is ignored.
  public nonisolated func removeObserver(_ observer: AVKeyValueObserver, forKeyPath keyPath: String) {
    keyValueObservers.remove(observer, keyPath, nil)
  }

  /// Ends the last observation of an observer with a name and a context; another one is ignored.
  public nonisolated func removeObserver(
    _ observer: AVKeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    keyValueObservers.remove(observer, keyPath, UInt(bitPattern: context))
  }
}

/// Calls an observer with the arguments of its registration.
private struct ObserverCall: @unchecked Sendable {  // guard: used on the main queue, or in `addObserver`
  private weak let observer: AVKeyValueObserver?
  let registration: AVKeyValueObservers.Registration

  init(_ observer: AVKeyValueObserver, _ keyPath: String, _ context: UInt) {
    self.observer = observer
    registration = AVKeyValueObservers.Registration(
      observer: ObjectIdentifier(observer), keyPath: keyPath, context: context)
  }

  func callAsFunction(_ object: any AVKeyValueObserving, _ change: [NSKeyValueChangeKey: Any]) {
    unsafe observer?.observeValue(
      forKeyPath: registration.keyPath, of: object, change: change,
      context: UnsafeMutableRawPointer(bitPattern: registration.context))
  }
}
