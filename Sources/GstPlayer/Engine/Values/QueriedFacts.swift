import CGst

/// The duration and seekability of a stream, as its elements answer.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstquery.html>
struct QueriedFacts: Equatable, Sendable {
  var duration: Duration?
  var isSeekable = false
  /// The times that the server of a live stream offers; nil for another stream.
  var window: Range<Duration>?
}

extension QueriedFacts {
  /// Queries an element; the queries never wait for the media.
  init(of element: UnsafeMutablePointer<GstElement>) {
    unsafe self.init(queriedBy: { unsafe gst_element_query(element, $0) != 0 })
  }

  /// Reads the answers of `run`, which sends a query and returns whether it was answered.
  init(queriedBy run: (UnsafeMutablePointer<GstQuery>) -> Bool) {
    let (duration, seeking) = unsafe (Self.duration(run), Self.seeking(run))
    let range = duration == nil && seeking?.isPossible == true ? seeking?.range : nil
    self.init(duration: duration, isSeekable: seeking?.isPossible ?? false, window: range)
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
  static func isSeekable(_ run: (UnsafeMutablePointer<GstQuery>) -> Bool) -> Bool? { unsafe seeking(run)?.isPossible }

  /// Returns whether the stream is seekable, and the times between which it is if it states both; nil if that is unknown.
  private static func seeking(
    _ run: (UnsafeMutablePointer<GstQuery>) -> Bool
  ) -> (isPossible: Bool, range: Range<Duration>?)? {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return nil }
    defer { unsafe cgst_mini_object_unref(query) }
    guard unsafe run(query) else { return nil }
    var (isSeekable, start, end): (gboolean, gint64, gint64) = (0, -1, -1)
    unsafe gst_query_parse_seeking(query, nil, &isSeekable, &start, &end)
    let range = start >= 0 && end > start ? Duration.nanoseconds(start)..<Duration.nanoseconds(end) : nil
    return (isSeekable != 0, range)
  }
}
