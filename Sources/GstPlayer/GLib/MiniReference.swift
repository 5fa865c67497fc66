import CGst

/// A reference to a mini object of GStreamer, such as an event, that any thread can use and release.
@safe final class MiniReference: Sendable {
  nonisolated(unsafe) let object: UnsafeMutableRawPointer  // never changes; shared mini objects are not written

  /// Retains an object.
  init(_ object: UnsafeMutableRawPointer) {
    unsafe cgst_mini_object_ref(object)
    unsafe self.object = object
  }

  deinit { unsafe cgst_mini_object_unref(object) }
}
