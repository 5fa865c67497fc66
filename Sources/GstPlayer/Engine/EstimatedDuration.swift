import CGst

/// The duration of an Ogg stream without seeking, which is wrong and is therefore hidden.
///
/// `oggdemux` of GStreamer 1.22 reads the duration at the end of the media. If the source cannot seek, it divides the
/// size of the media by the nominal bit rate of the codec instead. A Vorbis or Opus encoder uses only a part of this
/// bit rate for quiet or simple audio, so the result may be a tenth of the duration.
///
/// <https://gstreamer.freedesktop.org/documentation/ogg/oggdemux.html>
enum EstimatedDuration {
  /// Makes the duration of such a stream unknown; other elements are not changed.
  static func hide(in element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "oggdemux" else { return }
    unsafe cgst_connect_pad(element, "pad-added", padAdded, nil, nil)
  }
}

/// Handles `pad-added`: the pad has not answered a query yet.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#GstElement::pad-added>
private func padAdded(
  _ demuxer: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?, _ data: UnsafeMutableRawPointer?
) {
  if let pad = unsafe pad { unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, durationProbe, nil, nil) }
}

/// Drops a duration query if the stream is not seekable, and passes other queries on.
private func durationProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info, let query = unsafe cgst_probe_query(info),
    unsafe cgst_query_type(query) == GST_QUERY_DURATION
  else { return GST_PAD_PROBE_OK }
  return unsafe isSeekable(pad) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
}

private func isSeekable(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return true }
  defer { unsafe cgst_mini_object_unref(query) }
  var isSeekable: gboolean = 0
  guard unsafe gst_pad_query(pad, query) != 0 else { return true }
  unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
  return isSeekable != 0
}
