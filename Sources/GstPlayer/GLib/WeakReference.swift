import CGst

/// A reference to a GObject that does not keep it alive; it can be read on any thread.
///
/// <https://docs.gtk.org/gobject/struct.WeakRef.html>
@safe final class WeakReference: Sendable {
  private nonisolated(unsafe) let reference: UnsafeMutablePointer<GWeakRef>  // never changes; GLib locks the content

  init(_ object: UnsafeMutableRawPointer) {
    unsafe reference = .allocate(capacity: 1)
    unsafe g_weak_ref_init(reference, object)
  }

  deinit {
    unsafe g_weak_ref_clear(reference)
    unsafe reference.deallocate()
  }

  /// The object; nil once it has been disposed of.
  var object: ObjectReference? { unsafe ObjectReference(taking: g_weak_ref_get(reference)) }
}
