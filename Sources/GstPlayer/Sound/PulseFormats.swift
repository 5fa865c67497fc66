import CGst

/// Answers which formats PulseAudio's sink accepts, without the server.
///
/// Before it plays, `pulsesink` connects a stream to the server for each of these answers, which would delay every item by
/// several milliseconds. The server converts all raw formats of the sink's template. Compressed formats are refused: they would
/// bypass the volume and the filters.
///
/// <https://gitlab.freedesktop.org/gstreamer/gstreamer/-/blob/1.22.0/subprojects/gst-plugins-good/ext/pulse/pulsesink.c>
enum PulseFormats {
  /// Answers the queries that reach the sink of an output.
  static func answerQueries(of output: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pulsesink")) { sink in
      unsafe PadProbe.add(to: "sink", of: sink, [GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM], answerQuery)
    }
  }

  /// Calls `body` with the raw formats of a pad's template.
  fileprivate static func withFormats(
    of pad: UnsafeMutablePointer<GstPad>, _ body: (UnsafeMutablePointer<GstCaps>) -> Void
  ) {
    unsafe GLib.with(takingMini: gst_caps_from_string("audio/x-raw")) { raw in
      unsafe GLib.with(takingMini: gst_pad_get_pad_template_caps(pad)) { all in
        unsafe GLib.with(takingMini: gst_caps_intersect_full(all, raw, GST_CAPS_INTERSECT_FIRST), body)
      }
    }
  }
}

private func answerQuery(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info) else { return GST_PAD_PROBE_OK }
  var caps: UnsafeMutablePointer<GstCaps>?
  switch unsafe query.pointee.type {
  case GST_QUERY_CAPS:
    unsafe gst_query_parse_caps(query, &caps)
    unsafe PulseFormats.withFormats(of: pad) { formats in
      guard let filter = unsafe caps else { return unsafe gst_query_set_caps_result(query, formats) }
      unsafe GLib.with(takingMini: gst_caps_intersect_full(filter, formats, GST_CAPS_INTERSECT_FIRST)) {
        unsafe gst_query_set_caps_result(query, $0)
      }
    }
    return GST_PAD_PROBE_HANDLED
  case GST_QUERY_ACCEPT_CAPS:
    unsafe gst_query_parse_accept_caps(query, &caps)
    unsafe PulseFormats.withFormats(of: pad) { formats in
      unsafe gst_query_set_accept_caps_result(query, gst_caps_is_subset(caps, formats))
    }
    return GST_PAD_PROBE_HANDLED
  default: return GST_PAD_PROBE_OK
  }
}
