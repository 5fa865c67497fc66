import CGst

/// The handler of the messages of a bus, which is called on the threads that post them and must not block.
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

  /// Gives an element a bus of its own, which lasts until its bin removes the element.
  static func insert(at element: UnsafeMutablePointer<GstElement>, _ body: @escaping Body) {
    guard let bus = unsafe cgst_bus_without_queue() else { return }
    unsafe install(on: bus, body)
    unsafe gst_element_set_bus(element, bus)
    unsafe gst_object_unref(bus)
  }
}
