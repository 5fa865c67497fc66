import CGst
import Synchronization

/// A value that C callbacks receive as their user data, such as a closure.
///
/// A closure that is called for each buffer is in a structure, because a generic type wraps it once more at each access.
final class CallbackValue<Value> {
  private let value: Value
  /// Orders the creation before the calls on other threads for the thread sanitizer, which does not see GLib's locks.
  private let isComplete = Atomic(false)

  private init(_ value: Value) { self.value = value }

  /// Returns the user data of one registration, which releases it at its end with ``releaseCallbackData(_:)`` as
  /// `GDestroyNotify`.
  static func data(_ value: Value) -> UnsafeMutableRawPointer {
    let context = CallbackValue(value)
    context.isComplete.store(true, ordering: .releasing)
    return unsafe Unmanaged.passRetained(context).toOpaque()
  }

  /// Returns the value in a callback's user data; nil if the data is NULL.
  static func value(in data: UnsafeMutableRawPointer?) -> Value? {
    guard let data = unsafe data else { return nil }
    let context = unsafe Unmanaged<CallbackValue>.fromOpaque(data).takeUnretainedValue()
    return context.isComplete.load(ordering: .acquiring) ? context.value : nil
  }
}

/// Releases the user data of a registration.
///
/// <https://docs.gtk.org/glib/callback.DestroyNotify.html>
func releaseCallbackData(_ data: UnsafeMutableRawPointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// Releases the user data of a signal's closure.
///
/// <https://docs.gtk.org/gobject/callback.ClosureNotify.html>
func releaseClosureData(_ data: UnsafeMutableRawPointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  unsafe releaseCallbackData(data)
}
