import CGst

/// A plug-in that the audio of some media requires and that is not installed.
///
/// <https://gstreamer.freedesktop.org/documentation/pbutils/missing-plugins.html>
struct MissingPlugin {
  /// The name for users, such as `Dolby TrueHD decoder`.
  let name: String
  let isDecoder: Bool

  /// Reads a message without taking its reference; nil for other messages.
  init?(_ message: UnsafeMutablePointer<GstMessage>) {
    guard unsafe gst_is_missing_plugin_message(message) != 0, let structure = unsafe gst_message_get_structure(message)
    else { return nil }
    isDecoder = unsafe GLib.borrow(gst_structure_get_string(structure, "type")) == "decoder"
    name = unsafe GLib.take(gst_missing_plugin_message_get_description(message)) ?? "a plug-in"
  }
}
