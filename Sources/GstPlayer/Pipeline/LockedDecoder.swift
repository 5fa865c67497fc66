import CGst

/// Decoders of tracker modules and MIDI, which must not be queried at the end of their stream.
///
/// A GstNonstreamAudioDecoder of GStreamer 1.22 sends EOS with its mutex locked, and locks the mutex for each query. An
/// element that receives the EOS and queries upstream would make the streaming thread wait for itself.
///
/// <https://gstreamer.freedesktop.org/documentation/bad-audio/gstnonstreamaudiodecoder.html>
enum LockedDecoder {
  /// Refuses queries of such a decoder from its EOS to its next flush; returns whether the element is one.
  static func guardQueries(of element: UnsafeMutablePointer<GstElement>) -> Bool {
    let type = unsafe g_type_from_name("GstNonstreamAudioDecoder")
    let instance = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
    guard type != 0, unsafe g_type_check_instance_is_a(instance, type) != 0,
      let pad = unsafe gst_element_get_static_pad(element, "src")
    else { return false }
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, queryProbe, nil, nil)
    unsafe gst_object_unref(pad)
    return true
  }
}

/// Drops the query when the EOS of the stream is on its way.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func queryProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let end = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_EOS, 0) else {
    return GST_PAD_PROBE_OK
  }
  unsafe cgst_mini_object_unref(end)
  return GST_PAD_PROBE_DROP
}
