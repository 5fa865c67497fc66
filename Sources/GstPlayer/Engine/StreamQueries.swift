import CGst
import Playback

/// What a stream says of itself once it has been read to its end.
///
/// The pipeline answers for the stream that is read, which is another one when this is heard.
struct ReadStream: Equatable, Sendable {
  var duration: Duration?
  var isSeekable: Bool
}

/// What an element is asked; it never waits for the media.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstquery.html>
enum StreamQuery {
  static func position(_ element: UnsafeMutablePointer<GstElement>) -> Duration? {
    var time: gint64 = -1
    guard unsafe gst_element_query_position(element, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
    return .nanoseconds(time)
  }

  /// Nil when unknown: the query may succeed and say −1.
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
