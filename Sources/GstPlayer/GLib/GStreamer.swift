import CGst
import Playback

/// The library as a whole.
enum GStreamer {
  /// Starts GStreamer, once for the process; later calls find it started.
  static func initialize() throws(PlayerError) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe gst_init_check(nil, nil, &error) != 0 else {
      throw PlayerError(.unknown, "GStreamer cannot start: \(unsafe GLib.take(error)?.message ?? "unknown reason")")
    }
  }
}
