import CGst

/// The settings for streams with variants of several bit rates: HTTP Live Streaming, DASH.
///
/// playbin of GStreamer 1.22 answers no queries, rejects seeks, and may fail or hang while it switches between two
/// variants. With two variants and one seek, it failed 30 times of 30, with one variant never.
///
/// It can go when playbin plays through a switch between variants, and seeks during one.
enum AdaptiveStream {
  /// The bit rate limit of the played variant, in kbit/s; if no variant is below it, the lowest one is played.
  private static let bitRate: Int64 = 1500

  /// Makes an element play one variant for the whole stream; the element is a `playbin` or a `uridecodebin`.
  ///
  /// Without a known connection speed, the demuxer measures the speed and switches to another variant after a segment.
  /// During the switch, playbin of GStreamer 1.22 does not answer duration and seeking queries, rejects seeks, and may
  /// fail.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/playback/uridecodebin.html#uridecodebin:connection-speed>
  static func fixVariant(of element: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.set(element, "connection-speed", to: bitRate)
  }
}
