import CGst

/// The duration and seekability of a stream, as last queried.
///
/// The pipeline answers for the stream being read, which may be a successor of the stream being played. The answers are
/// therefore stored when a stream has been read to its end.
struct StreamFactsAtEnd: Equatable, Sendable {
  var duration: Duration?
  var isSeekable: Bool
}

/// The queries of an element; they never wait for the media.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstquery.html>
enum StreamQuery {
  static func position(_ element: UnsafeMutablePointer<GstElement>) -> Duration? {
    var time: gint64 = -1
    guard unsafe gst_element_query_position(element, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
    return .nanoseconds(time)
  }

  /// Returns the duration; nil if it is unknown, because the query may succeed with −1.
  static func duration(_ element: UnsafeMutablePointer<GstElement>) -> Duration? {
    var time: gint64 = -1
    guard unsafe gst_element_query_duration(element, GST_FORMAT_TIME, &time) != 0, time > 0 else { return nil }
    return .nanoseconds(time)
  }

  static func isSeekable(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
    defer { unsafe cgst_mini_object_unref(query) }
    guard unsafe gst_element_query(element, query) != 0 else { return false }
    var seekable: gboolean = 0
    unsafe gst_query_parse_seeking(query, nil, &seekable, nil, nil)
    return seekable != 0
  }
}
