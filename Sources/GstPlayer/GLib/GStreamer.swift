import CGst
import Playback

/// The initialization of the GStreamer library.
enum GStreamer {
  /// Starts GStreamer once in the process; later calls have no effect.
  static func initialize() throws(PlayerError) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe gst_init_check(nil, nil, &error) != 0 else {
      throw PlayerError(
        code: .unknown, message: "GStreamer cannot start: \(unsafe GLib.take(error)?.message ?? "unknown reason")")
    }
  }
}
