import CGst

/// An object that C callbacks receive as their user data.
///
/// Each registration owns a reference, ``callbackData``, and releases it at its end with ``releaseCallbackData(_:)`` as
/// `GDestroyNotify`. A callback borrows the object, and must not keep a reference.
protocol CallbackContext: AnyObject {}

extension CallbackContext {
  /// A new reference for one registration.
  var callbackData: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// Adds a probe to a pad with this object as its user data.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
  func add(_ probe: GstPadProbeCallback, _ kinds: GstPadProbeType, to pad: UnsafeMutablePointer<GstPad>) {
    unsafe gst_pad_add_probe(pad, kinds, probe, callbackData, releaseCallbackData)
  }

  /// Returns the object from a callback's user data; nil if the data is NULL.
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
