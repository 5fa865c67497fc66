import CGst

/// The duration and seekability of a stream, as its elements answer.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstquery.html>
struct QueriedFacts: Equatable, Sendable {
  var duration: Duration?
  var isSeekable = false
}

extension QueriedFacts {
  /// Queries an element; the queries never wait for the media.
  init(of element: UnsafeMutablePointer<GstElement>) {
    unsafe self.init(queriedBy: { unsafe gst_element_query(element, $0) != 0 })
  }

  /// Reads the answers of `run`, which sends a query and returns whether it was answered.
  init(queriedBy run: (UnsafeMutablePointer<GstQuery>) -> Bool) {
    unsafe self.init(duration: Self.duration(run), isSeekable: Self.isSeekable(run) ?? false)
  }

  /// Returns the duration; nil if it is unknown, because the query may succeed with −1.
  private static func duration(_ run: (UnsafeMutablePointer<GstQuery>) -> Bool) -> Duration? {
    guard let query = unsafe gst_query_new_duration(GST_FORMAT_TIME) else { return nil }
    defer { unsafe cgst_mini_object_unref(query) }
    var time: gint64 = -1
    if unsafe run(query) { unsafe gst_query_parse_duration(query, nil, &time) }
    return time > 0 ? .nanoseconds(time) : nil
  }

  /// Returns whether the stream is seekable; nil if it is unknown.
  static func isSeekable(_ run: (UnsafeMutablePointer<GstQuery>) -> Bool) -> Bool? {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return nil }
    defer { unsafe cgst_mini_object_unref(query) }
    guard unsafe run(query) else { return nil }
    var isSeekable: gboolean = 0
    unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    return isSeekable != 0
  }
}
