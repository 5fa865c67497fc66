import CGst
import Synchronization

/// The detection of servers without byte ranges, which makes their sources not seekable.
///
/// GStreamer 1.22 assumes byte ranges unless the server sends `Accept-Ranges: none`. A demuxer then seeks to the end of
/// a file, the server rejects the request, and the file does not play, for example Ogg from an HTTP/1.0 server.
///
/// <https://www.rfc-editor.org/rfc/rfc9110#section-14.3>
final class ByteRanges: CallbackContext, Sendable {
  private let areMissing = Atomic(false)
  private let redirected: @Sendable (String) -> Void

  private init(_ redirected: @escaping @Sendable (String) -> Void) { self.redirected = redirected }

  /// Observes a source that was just added to its bin; `redirected` receives the URI after redirects.
  static func watch(
    _ source: UnsafeMutablePointer<GstElement>, redirected: @escaping @Sendable (String) -> Void
  ) {
    guard let pad = unsafe gst_element_get_static_pad(source, "src") else { return }
    let ranges = ByteRanges(redirected)
    unsafe ranges.add(headersProbe, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, to: pad)
    unsafe ranges.add(seekingProbe, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, to: pad)
    unsafe gst_object_unref(pad)
  }

  /// Reads the headers of a response.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/soup/souphttpsrc.html>
  fileprivate func read(_ event: UnsafeMutablePointer<GstEvent>) {
    guard let structure = unsafe gst_event_get_structure(event),
      unsafe GLib.borrow(gst_structure_get_name(structure)) == "http-headers"
    else { return }
    if let uri = unsafe GLib.borrow(gst_structure_get_string(structure, "redirection-uri")) { redirected(uri) }
    var status: guint = 0
    unsafe gst_structure_get_uint(structure, "http-status-code", &status)
    // A partial response (206) is the answer to a range request.
    guard status == 200, let value = unsafe gst_structure_get_value(structure, "response-headers"),
      let headers = unsafe gst_value_get_structure(value)
    else { return }
    areMissing.store(unsafe !Self.announceRanges(headers), ordering: .releasing)
  }

  private static func announceRanges(_ headers: UnsafePointer<GstStructure>) -> Bool {
    let count = unsafe gst_structure_n_fields(headers)
    for index in 0..<max(0, count) {
      guard let name = unsafe GLib.borrow(gst_structure_nth_field_name(headers, guint(index))),
        name.lowercased() == "accept-ranges"
      else { continue }
      return unsafe GLib.borrow(gst_structure_get_string(headers, name))?.lowercased().contains("bytes") == true
    }
    return false
  }

  /// Answers a seeking query if byte ranges are missing; returns whether it answered.
  fileprivate func handle(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    guard areMissing.load(ordering: .acquiring) else { return false }
    var format = GST_FORMAT_UNDEFINED
    unsafe gst_query_parse_seeking(query, &format, nil, nil, nil)
    unsafe gst_query_set_seeking(query, format, 0, 0, -1)
    return true
  }
}

/// Reads the headers, which arrive before the data.
private func headersProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let info = unsafe info, let event = unsafe cgst_probe_event(info) { unsafe ByteRanges.borrow(data)?.read(event) }
  return GST_PAD_PROBE_OK
}

/// Answers seeking queries, and passes other queries on.
private func seekingProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let info = unsafe info, let query = unsafe cgst_probe_query(info),
    unsafe cgst_query_type(query) == GST_QUERY_SEEKING, unsafe ByteRanges.borrow(data)?.handle(query) == true
  else { return GST_PAD_PROBE_OK }
  return GST_PAD_PROBE_HANDLED
}
