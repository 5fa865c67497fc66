import CGst

/// Streams that a server offers in variants of several bit rates: HTTP Live Streaming, DASH.
enum AdaptiveStream {
  /// The highest bit rate, in kbit/s, of the variant that is played; without one, the lowest is played.
  private static let bitRate: Int64 = 1500

  /// Makes an element play one variant for the whole stream; the element is a `playbin` or a `uridecodebin`.
  ///
  /// Without a known connection speed, the demuxer measures the speed, and switches to another variant after a segment.
  /// During the switch, playbin of GStreamer 1.22 answers neither duration nor seeking queries, refuses seeks, and may
  /// fail.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/playback/uridecodebin.html#uridecodebin:connection-speed>
  static func fixVariant(of element: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.set(element, "connection-speed", to: bitRate)
  }
}
