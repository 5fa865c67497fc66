import CGst

extension GstSegment {
  /// Returns the segment of a segment event.
  static func of(_ event: UnsafeMutablePointer<GstEvent>) -> GstSegment? {
    var segment: UnsafePointer<GstSegment>?
    unsafe gst_event_parse_segment(event, &segment)
    return unsafe segment?.pointee
  }

  /// Returns the segment of a probe that was called for a segment event; nil for other data.
  static func passing(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstSegment? {
    unsafe cgst_probe_event_of(info, GST_EVENT_SEGMENT).flatMap { unsafe of($0) }
  }

  /// Returns the segment of the buffers that pass a pad at present; nil before the first segment event.
  static func present(at pad: UnsafeMutablePointer<GstPad>) -> GstSegment? {
    unsafe GLib.with(takingMini: gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)) { unsafe of($0) } ?? nil
  }
}
