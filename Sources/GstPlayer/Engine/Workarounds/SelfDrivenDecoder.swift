import CGst

/// Works around a race between decodebin and elements that pull media on their own thread and push audio: `aiffparse`,
/// `musepackdec`, `sfdec`.
///
/// decodebin of GStreamer 1.22 exposes the pad of such an element after it has started the element, because the caps of
/// the pad template are already raw audio. If the thread of the element is faster, its first buffer fails with
/// not-linked. decodebin drops that error, and the item times out.
///
/// It can go when decodebin exposes such a pad before it starts the element.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/decodebin.html>
enum SelfDrivenDecoder {
  /// Delays the exposure of such an element's pad to its caps event.
  ///
  /// The caps event arrives on the thread of the element, before the first buffer. decodebin waits for it if a caps
  /// query returns ANY caps.
  static func delayExposure(of element: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.withPad("src", of: element) { pad in
      if unsafe givesSound(pad) { unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM], answerCapsQuery) }
    }
  }

  /// Whether an element may pull its media: its sink pad can be activated in more than one mode.
  static func pullsData(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    unsafe GLib.withPad("sink", of: element) { unsafe $0.pointee.activatemodefunc != nil } ?? false
  }

  private static func givesSound(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    unsafe GLib.with(takingMini: gst_pad_get_pad_template_caps(pad)) { unsafe GLib.mediaType(of: $0) } == "audio/x-raw"
  }
}

/// Answers a caps query with ANY caps until the pad has caps.
private func answerCapsQuery(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info), unsafe query.pointee.type == GST_QUERY_CAPS,
    unsafe gst_pad_has_current_caps(pad) == 0
  else { return GST_PAD_PROBE_OK }
  var filter: UnsafeMutablePointer<GstCaps>?
  unsafe gst_query_parse_caps(query, &filter)
  if let filter = unsafe filter {
    unsafe gst_query_set_caps_result(query, filter)
  } else if let any = unsafe gst_caps_new_any() {
    unsafe gst_query_set_caps_result(query, any)
    unsafe cgst_mini_object_unref(any)
  }
  return GST_PAD_PROBE_HANDLED
}
