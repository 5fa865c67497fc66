import CGst

/// The bus of PulseAudio's sink, without its errors about titles.
///
/// A title cannot be set while the sink opens its stream, and the sink of GStreamer 1.22 posts an error then. The bins around
/// the sink note that their change of state has failed, and never report the preroll: the item would time out.
/// ``StreamTitle`` shows the title again when the output is ready.
///
/// It can go when the sink posts a warning instead.
///
/// <https://gstreamer.freedesktop.org/documentation/pulseaudio/pulsesink.html>
enum TitleBus {
  /// Inserts a bus at a sink that was just added to a bin.
  static func insert(at sink: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutablePointer<GstBin>) {
    unsafe BusHandler.insert(at: sink, in: bin) { message, outer in
      unsafe Failure(message)?.message.hasPrefix("pa_stream_set_name() failed") == true ? nil : outer
    }
  }
}
