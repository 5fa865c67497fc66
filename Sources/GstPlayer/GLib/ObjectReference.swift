import CGst

/// A reference to a GStreamer object that any thread can use and release; its users know the type of the object.
@safe final class ObjectReference: Sendable {
  nonisolated(unsafe) let object: UnsafeMutableRawPointer  // never changes; a GstObject locks itself

  /// Retains an object.
  init(_ object: UnsafeMutableRawPointer) {
    unsafe gst_object_ref(object)
    unsafe self.object = object
  }

  /// Takes over a reference; nil if there is none.
  init?(taking object: UnsafeMutableRawPointer?) {
    guard let object = unsafe object else { return nil }
    unsafe self.object = object
  }

  deinit { unsafe gst_object_unref(object) }

  /// Returns a pointer of the type that a function requires.
  func pointer<Object>() -> UnsafeMutablePointer<Object> { unsafe object.assumingMemoryBound(to: Object.self) }
}
