import CGst

/// The bus of a network source: errors go to the player, all other messages to the bin around the source.
///
/// In GStreamer 1.22 an error that reaches a bin during a state change or a flushing seek aborts the change in that bin
/// and in every bin above it. The output prerolls, but the received data is never played. When a source ends early, the
/// data before its end is valid; the downstream elements report an error if it is not enough.
///
/// It can go when an error of a source does not abort state changes and seeks in the bins around it.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin>
enum SourceBus {
  /// Inserts a bus between a source and the bin that it was just added to; `report` receives its errors.
  static func insert(
    at source: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutablePointer<GstBin>,
    _ report: @escaping @Sendable (UnsafeMutablePointer<GstMessage>) -> Void
  ) {
    unsafe BusHandler.insert(at: source, in: bin) { message, outer in
      guard unsafe message.pointee.type == GST_MESSAGE_ERROR else { return unsafe outer }
      unsafe report(message)
      return nil
    }
  }
}
