import CGst
import Synchronization

/// Detects servers without byte ranges, and makes their sources not seekable.
///
/// GStreamer 1.22 assumes byte ranges unless the server sends `Accept-Ranges: none`. A demuxer then seeks to the end of
/// a file, the server rejects the request, and the file does not play, for example Ogg from an HTTP/1.0 server.
///
/// It can go when `souphttpsrc` reports a server that does not announce byte ranges as not seekable.
///
/// <https://www.rfc-editor.org/rfc/rfc9110#section-14.3>
final class ByteRanges: Sendable {
  private let areMissing = Atomic(false)

  /// Observes a source that was just added to its bin; `redirected` receives the URI after redirects.
  func watch(_ source: UnsafeMutablePointer<GstElement>, redirected: @escaping @Sendable (String) -> Void) {
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { _, info in
      guard let response = unsafe cgst_probe_event(info).flatMap({ unsafe ResponseHeaders($0) }) else {
        return GST_PAD_PROBE_OK
      }
      if let uri = response.redirection { redirected(uri) }
      // A partial response (206) is the answer to a range request.
      if response.status == 200, let fields = response.fields {
        self.areMissing.store(fields["accept-ranges"]?.lowercased().contains("bytes") != true, ordering: .releasing)
      }
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM]) { _, info in
      guard let query = unsafe cgst_probe_query(info), unsafe query.pointee.type == GST_QUERY_SEEKING,
        self.areMissing.load(ordering: .acquiring)
      else { return GST_PAD_PROBE_OK }
      var format = GST_FORMAT_UNDEFINED
      unsafe gst_query_parse_seeking(query, &format, nil, nil, nil)
      unsafe gst_query_set_seeking(query, format, 0, 0, -1)
      return GST_PAD_PROBE_HANDLED
    }
  }
}
