import CGst

/// Checks whether the duration of a local stream of frames, such as an MP3, is reliable.
///
/// The parser of GStreamer 1.22 has the duration from a Xing or VBRI header, which may be wrong: in a file of several
/// joined files, it is the duration of the first. Without a header, and for AAC and AC-3, the parser estimates the
/// duration from its first frames. After a seek across the tag between two joined files, it skips the last two frames
/// before the tag.
///
/// It can go when the parsers mark a duration that they have estimated or not compared with the size of the file.
enum ClaimedDuration {
  /// Calls `began` before the parser of such a stream claims a duration, and `checked` before its first frame passes, with
  /// whether the duration is reliable; for other elements, nothing is called.
  static func check(
    _ parser: UnsafeMutablePointer<GstElement>, began: @escaping @Sendable () -> Void,
    checked: @escaping @Sendable (_ isReliable: Bool) -> Void
  ) {
    guard unsafe Parser.isParser(parser), unsafe !Parser.hasTimes(parser) else { return }
    unsafe PadProbe.add(to: "src", of: parser, PadProbe.data) { pad, info in
      guard unsafe isPulled(pad) else { return GST_PAD_PROBE_REMOVE }
      // The format precedes the duration in the first frame.
      guard unsafe cgst_probe_buffer(info) != nil else {
        if unsafe cgst_probe_event_of(info, GST_EVENT_CAPS) != nil { began() }
        return GST_PAD_PROBE_OK
      }
      unsafe checked(isReliable(at: pad))
      return GST_PAD_PROBE_REMOVE
    }
  }

  /// Whether the parser of a pad reads the file itself; the stream of a demuxer has the duration of its container.
  private static func isPulled(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { parser in
      unsafe GLib.withPad("sink", of: parser) { unsafe $0.pointee.mode == GST_PAD_MODE_PULL } ?? false
    } ?? false
  }

  /// Returns the allowed difference between the size of the file and that in its header: tags at the end.
  private static func slack(of size: Int64) -> Int64 { 4_096 + size / 200 }

  private static func isReliable(at pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let parser = unsafe gst_pad_get_parent_element(pad) else { return true }
    defer { unsafe gst_object_unref(parser) }
    let isMP3 = unsafe GLib.borrow(cgst_factory_name(parser)) == "mpegaudioparse"
    return unsafe GLib.withPad("sink", of: parser) { sink in
      guard isMP3, unsafe !hasNominalBitRate(pad), let end = unsafe Parser.end(at: sink) else { return false }
      // The header names the size that belongs to the duration.
      var size: gint64 = -1
      let time = gint64(end.time.wholeNanoseconds)
      guard unsafe gst_pad_query_convert(pad, GST_FORMAT_TIME, time, GST_FORMAT_BYTES, &size) != 0, size > 0 else {
        return false
      }
      return abs(Int64(size) - end.offset) <= slack(of: end.offset)
    } ?? true
  }

  /// Whether the parser has announced a nominal bit rate, as it does for a file without a header.
  private static func hasNominalBitRate(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    for index in 0..<16 {
      guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_TAG, guint(index)) else { return false }
      defer { unsafe cgst_mini_object_unref(event) }
      if unsafe TagList(event)?.number(GST_TAG_NOMINAL_BITRATE) != nil { return true }
    }
    return false
  }
}
