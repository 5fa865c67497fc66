import CGst
import Synchronization

/// An object that C callbacks receive as their user data.
///
/// Each registration owns a reference, ``callbackData``, and releases it at its end with ``releaseCallbackData(_:)`` as
/// `GDestroyNotify`. A callback borrows the object, and must not keep a reference.
protocol CallbackContext: AnyObject {}

extension CallbackContext {
  /// A new reference for one registration.
  var callbackData: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// Returns the object from a callback's user data; nil if the data is NULL.
  static func borrow(_ data: UnsafeMutableRawPointer?) -> Self? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<Self>.fromOpaque(data).takeUnretainedValue()
  }
}

/// A value that C callbacks receive as their user data, such as a closure.
///
/// A closure that is called for each buffer is in a structure, because a generic type wraps it once more at each access.
final class CallbackValue<Value>: CallbackContext {
  private let value: Value
  /// Orders the creation before the calls on other threads for the thread sanitizer, which does not see GLib's locks.
  private let isComplete = Atomic(false)

  private init(_ value: Value) { self.value = value }

  /// Returns the user data of one registration, which owns the value.
  static func data(_ value: Value) -> UnsafeMutableRawPointer {
    let context = CallbackValue(value)
    context.isComplete.store(true, ordering: .releasing)
    return unsafe context.callbackData
  }

  /// Returns the value in a callback's user data; nil if the data is NULL.
  static func value(in data: UnsafeMutableRawPointer?) -> Value? {
    guard let context = unsafe borrow(data), context.isComplete.load(ordering: .acquiring) else { return nil }
    return context.value
  }
}

/// Releases the reference of a registration.
///
/// <https://docs.gtk.org/glib/callback.DestroyNotify.html>
func releaseCallbackData(_ data: UnsafeMutableRawPointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// Releases the reference of a signal's closure.
///
/// <https://docs.gtk.org/gobject/callback.ClosureNotify.html>
func releaseClosureData(_ data: UnsafeMutableRawPointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  unsafe releaseCallbackData(data)
}
