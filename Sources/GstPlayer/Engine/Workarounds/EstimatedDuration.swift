import CGst

/// Hides the duration that `oggdemux` guesses for a stream without seeking; it can be ten times too short.
///
/// `oggdemux` of GStreamer 1.22 reads the duration at the end of the media. If the source cannot seek, it divides the
/// size of the media by the nominal bit rate of the codec instead. A Vorbis or Opus encoder uses only a part of this
/// bit rate for quiet or simple audio, so the result may be a tenth of the duration: 0:01 for
/// 9 s of quiet Vorbis.
///
/// It can go when `oggdemux` does not estimate durations.
///
/// <https://gstreamer.freedesktop.org/documentation/ogg/oggdemux.html>
enum EstimatedDuration {
  /// Makes the duration of such a stream unknown; other elements are not changed.
  static func hide(in element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "oggdemux" else { return }
    // A pad that is added has not answered a query yet.
    unsafe Signal.padAdded(to: element) { _, pad in
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM]) { pad, info in
        guard let query = unsafe cgst_probe_query(info), unsafe query.pointee.type == GST_QUERY_DURATION else {
          return GST_PAD_PROBE_OK
        }
        let isSeekable = unsafe QueriedFacts.isSeekable { unsafe gst_pad_query(pad, $0) != 0 }
        return isSeekable == false ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }
    }
  }
}
