import CGst

/// The bus of a network source: errors go to the player, all other messages to the bin around the source.
///
/// In GStreamer 1.22 an error that reaches a bin during a state change or a flushing seek aborts the change in that bin
/// and in every bin above it. The output prerolls, but the received data is never played. When a source ends early, the
/// data before its end is valid; the downstream elements report an error if it is not enough.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin>
@safe final class SourceBus: CallbackContext, Sendable {
  fileprivate let context: PipelineContext
  /// The bus of the bin, with one reference; GstBus is thread-safe.
  private nonisolated(unsafe) let outer: UnsafeMutablePointer<GstBus>  // never changes; GstBus locks itself

  private init(_ context: PipelineContext, outer: UnsafeMutablePointer<GstBus>) {
    self.context = context
    unsafe self.outer = outer
  }

  deinit { unsafe gst_object_unref(outer) }

  /// Inserts a bus between a source and the bin that it was just added to; removing the source releases the bus.
  static func insert(at source: UnsafeMutablePointer<GstElement>, _ context: PipelineContext) {
    guard let outer = unsafe gst_element_get_bus(source), let bus = unsafe gst_bus_new() else { return }
    let inner = unsafe SourceBus(context, outer: outer)
    unsafe gst_bus_set_sync_handler(bus, sortMessage, inner.callbackData, releaseCallbackData)
    unsafe gst_element_set_bus(source, bus)
    unsafe gst_object_unref(bus)
  }

  /// Forwards a message; takes ownership of the reference.
  fileprivate func pass(_ message: UnsafeMutablePointer<GstMessage>) {
    if unsafe cgst_message_type(message) == GST_MESSAGE_ERROR {
      unsafe handleMessage(message, context)
    } else {
      unsafe gst_bus_post(outer, message)
    }
  }
}

/// Handles a message, on the thread that posts it.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbus.html#GstBusSyncHandler>
private func sortMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
  guard let message = unsafe message, let owner = unsafe SourceBus.borrow(data) else { return GST_BUS_PASS }
  unsafe owner.pass(message)
  return GST_BUS_DROP
}
