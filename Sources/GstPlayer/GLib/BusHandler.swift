import CGst

/// Handles the messages of a bus on the threads that post them, so it must not block.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbus.html#GstBusSyncHandler>
@safe struct BusHandler {
  /// Handles a message; returns the bus that it is posted to instead, or nil to release it.
  typealias Body = @Sendable (UnsafeMutablePointer<GstMessage>) -> UnsafeMutablePointer<GstBus>?

  private let body: Body

  /// Installs a handler on a bus without a reader; the bus retains `body`.
  static func install(on bus: UnsafeMutablePointer<GstBus>, _ body: @escaping Body) {
    let call: GstBusSyncHandler = { _, message, data in
      guard let message = unsafe message, let handler = unsafe CallbackValue<BusHandler>.value(in: data) else {
        return GST_BUS_PASS
      }
      // The closure may hold the only reference to the other bus.
      defer { withExtendedLifetime(handler) {} }
      if let other = unsafe handler.body(message) {
        unsafe gst_bus_post(other, message)
      } else {
        unsafe gst_message_unref(message)
      }
      return GST_BUS_DROP
    }
    unsafe gst_bus_set_sync_handler(bus, call, CallbackValue.data(BusHandler(body: body)), releaseCallbackData)
  }

  /// Inserts a bus between an element and its bin, until the bin removes the element; `body` also receives the bus of the
  /// bin for its elements.
  ///
  /// A bin that is used again, such as a decodebin of uridecodebin, is added with the same elements. The new bus then
  /// replaces the one of the previous use. The bus needs no descriptors, because it does not have a queue.
  static func insert(
    at element: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutablePointer<GstBin>,
    _ body:
      @escaping @Sendable (
        _ message: UnsafeMutablePointer<GstMessage>, _ outer: UnsafeMutablePointer<GstBus>
      ) -> UnsafeMutablePointer<GstBus>?
  ) {
    guard let outer = unsafe bin.pointee.child_bus.map({ unsafe ObjectReference($0) }), let bus = unsafe cgst_bus_new()
    else { return }
    unsafe install(on: bus) { unsafe body($0, outer.pointer()) }
    unsafe gst_element_set_bus(element, bus)
    unsafe gst_object_unref(bus)
  }
}
