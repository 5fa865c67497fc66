import CGst

/// The bus of an element that pulls its media on its own thread, such as `id3demux`, `wavparse`, `qtdemux` and `musepackdec`.
///
/// Errors of this thread bypass the `decodebin` or `parsebin` around the element; all other messages go to the bin.
///
/// While such a bin of GStreamer 1.22 starts an element, it drops the element's errors, to try another element if the
/// state change fails. If the thread of the element is faster than the state change, its errors are dropped as well:
/// the item times out, or fails with a consequence instead of the cause.
///
/// It can go when decodebin and parsebin drop only the errors of the thread that starts an element.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/decodebin.html>
enum SelfDrivenBus {
  /// Inserts a bus at an element that was just added to a bin, on the thread that starts the element.
  static func insert(at element: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutablePointer<GstBin>) {
    guard let parent = unsafe cgst_element(bin), let name = unsafe GLib.borrow(cgst_factory_name(parent)),
      ["decodebin", "parsebin"].contains(name), let above = unsafe ObjectReference(taking: gst_element_get_bus(parent))
    else { return }
    let starter = GLib.currentThread
    unsafe BusHandler.insert(at: element, in: bin) { message, outer in
      let isOwn = unsafe message.pointee.type == GST_MESSAGE_ERROR && GLib.currentThread != starter
      return unsafe isOwn ? above.pointer() : outer
    }
  }
}
