import CGst

/// The parser of a stream of frames: an element that is derived from `GstBaseParse`.
///
/// <https://gstreamer.freedesktop.org/documentation/base/gstbaseparse.html>
enum Parser {
  /// The parsers whose frames have times; the others count the frames.
  private static let withTimes: Set = ["flacparse", "wavpackparse"]

  /// Whether an element is such a parser.
  static func isParser(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    let type = unsafe g_type_from_name("GstBaseParse")
    let instance = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
    return unsafe type != 0 && g_type_check_instance_is_a(instance, type) != 0
  }

  /// Whether the frames of a parser have times.
  static func hasTimes(_ parser: UnsafeMutablePointer<GstElement>) -> Bool {
    unsafe GLib.borrow(cgst_factory_name(parser)).map(withTimes.contains) ?? false
  }

  /// Returns the end of the last frame that was parsed since the last seek, on the streaming thread of a parser's sink
  /// pad; nil if there is none.
  static func parsed(at pad: UnsafeMutablePointer<GstPad>) -> Duration? {
    let time = unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { unsafe cgst_parsed_time($0) }
    return time.flatMap { $0 > 0 ? Duration(gst: $0) : nil }
  }

  /// Returns the size and the duration of the media at the sink pad of a parser; nil if one of them is unknown.
  static func end(at pad: UnsafeMutablePointer<GstPad>) -> ByteMap.Point? {
    var (size, time): (gint64, gint64) = (-1, -1)
    guard unsafe gst_pad_peer_query_duration(pad, GST_FORMAT_BYTES, &size) != 0, size > 0 else { return nil }
    unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { parser in
      _ = unsafe GLib.withPad("src", of: parser) { unsafe gst_pad_query_duration($0, GST_FORMAT_TIME, &time) }
    }
    return time > 0 ? ByteMap.Point(offset: Int64(size), time: .nanoseconds(time)) : nil
  }
}
