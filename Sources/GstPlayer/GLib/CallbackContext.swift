import CGst

/// An object that C callbacks get as their data.
///
/// Each registration holds a reference, ``callbackData``, and releases it when it ends: ``releaseCallbackData(_:)`` is its
/// `GDestroyNotify`. A callback borrows the object, and keeps nothing of it.
protocol CallbackContext: AnyObject {}

extension CallbackContext {
  /// A new reference for one registration.
  var callbackData: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// Adds a probe to a pad, which has this object as its data.
  func add(_ probe: GstPadProbeCallback, _ kinds: GstPadProbeType, to pad: UnsafeMutablePointer<GstPad>) {
    unsafe gst_pad_add_probe(pad, kinds, probe, callbackData, releaseCallbackData)
  }

  /// The object whose reference a callback has got; nil for none.
  static func borrow(_ data: UnsafeMutableRawPointer?) -> Self? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<Self>.fromOpaque(data).takeUnretainedValue()
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
