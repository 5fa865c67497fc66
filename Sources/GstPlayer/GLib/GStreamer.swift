import CGst
import Playback

/// Initializes the GStreamer library.
enum GStreamer {
  /// Initializes GStreamer; only the first call in the process does the work.
  static func initialize() throws(PlayerError) {
    // At a crash while it loads a plug-in, GStreamer would end the program with the status 255.
    gst_segtrap_set_enabled(0)
    var error: UnsafeMutablePointer<GError>?
    guard unsafe gst_init_check(nil, nil, &error) != 0 else {
      throw PlayerError(
        code: .unknown, message: "GStreamer cannot start: \(unsafe GLib.take(error)?.message ?? "unknown reason")")
    }
  }

  /// Ranks mpg123 above libav for MP3 if both are installed, because mpg123 uses a fraction of the memory.
  static func preferLightDecoders() {
    guard let feature = unsafe gst_registry_lookup_feature(gst_registry_get(), "mpg123audiodec") else { return }
    unsafe gst_plugin_feature_set_rank(feature, guint(GST_RANK_PRIMARY.rawValue) + 64)
    unsafe gst_object_unref(UnsafeMutableRawPointer(feature))
  }

  /// Stops a pipeline, and removes the handler of its bus; blocks until its threads have ended.
  static func dismantle(_ pipeline: ObjectReference) {
    unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_NULL)
    let bus = unsafe ObjectReference(taking: gst_element_get_bus(pipeline.pointer()))
    if let bus { unsafe gst_bus_set_sync_handler(bus.pointer(), nil, nil, nil) }
  }
}
