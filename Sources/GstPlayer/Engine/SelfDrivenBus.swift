import CGst

/// The bus of an element that pulls its media on its own thread.
///
/// Errors of this thread bypass the `decodebin` around the element; all other messages go to the `decodebin`.
///
/// While decodebin of GStreamer 1.22 starts an element, it drops the element's errors, to try another element if the
/// state change fails. If the thread of the element is faster than the state change, its errors are dropped as well:
/// the item times out, or fails with a consequence instead of the cause.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/decodebin.html>
@safe final class SelfDrivenBus: CallbackContext, Sendable {
  /// The bus of the decodebin for its children, and the bus of the bin around the decodebin; each with one reference.
  private nonisolated(unsafe) let inner: UnsafeMutablePointer<GstBus>  // never changes; GstBus locks itself
  private nonisolated(unsafe) let outer: UnsafeMutablePointer<GstBus>  // never changes; GstBus locks itself
  /// The thread that starts the element.
  private let starter = GLib.currentThread

  private init(taking inner: UnsafeMutablePointer<GstBus>, _ outer: UnsafeMutablePointer<GstBus>) {
    unsafe self.inner = inner
    unsafe self.outer = outer
  }

  deinit {
    unsafe gst_object_unref(inner)
    unsafe gst_object_unref(outer)
  }

  /// Inserts a bus at an element that was just added to a bin, on the thread that starts the element.
  static func insert(at element: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(bin)) == "decodebin", let inner = unsafe gst_element_get_bus(element)
    else { return }
    guard let outer = unsafe gst_element_get_bus(bin) else { return unsafe gst_object_unref(inner) }
    let owner = unsafe SelfDrivenBus(taking: inner, outer)
    guard let bus = unsafe gst_bus_new() else { return }
    unsafe gst_bus_set_sync_handler(bus, sortMessage, owner.callbackData, releaseCallbackData)
    unsafe gst_element_set_bus(element, bus)
    unsafe gst_object_unref(bus)
  }

  /// Forwards a message; takes ownership of the reference.
  fileprivate func pass(_ message: UnsafeMutablePointer<GstMessage>) {
    let isOwn = unsafe cgst_message_type(message) == GST_MESSAGE_ERROR && GLib.currentThread != starter
    unsafe gst_bus_post(isOwn ? outer : inner, message)
  }
}

/// Handles a message, on the thread that posts it.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbus.html#GstBusSyncHandler>
private func sortMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let owner = unsafe SelfDrivenBus.borrow(data) else { return GST_BUS_PASS }
  unsafe owner.pass(message)
  return GST_BUS_DROP
}
