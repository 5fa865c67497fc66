import CGst
import Playback

/// The initialization of the GStreamer library.
enum GStreamer {
  /// Initializes GStreamer; only the first call in the process does the work.
  static func initialize() throws(PlayerError) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe gst_init_check(nil, nil, &error) != 0 else {
      throw PlayerError(
        code: .unknown, message: "GStreamer cannot start: \(unsafe GLib.take(error)?.message ?? "unknown reason")")
    }
  }

  /// Stops and releases a pipeline whose bus has a sync handler; blocks until its threads have ended.
  static func dismantle(pipelineAt address: UInt) {
    guard let pipeline = unsafe UnsafeMutablePointer<GstElement>(bitPattern: address) else { return }
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    if let bus = unsafe gst_element_get_bus(pipeline) {
      unsafe gst_bus_set_sync_handler(bus, nil, nil, nil)
      unsafe gst_object_unref(bus)
    }
    unsafe gst_object_unref(pipeline)
  }
}
