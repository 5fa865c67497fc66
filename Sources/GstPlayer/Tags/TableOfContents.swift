import CGst
import Playback

extension Chapter {
  /// The maximum depth of the entries that are read.
  private static let depthLimit = 8

  /// Returns the chapters and tracks of a table of contents in its order, each before its sub-entries.
  ///
  /// The caller keeps its reference. Editions are alternative descriptions of the same time; only the first one is
  /// read.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttoc.html>
  static func list(of toc: OpaquePointer) -> [Chapter] {
    var result: [Chapter] = []
    unsafe append(gst_toc_get_entries(toc), to: &result, depth: 0)
    return result
  }

  private static func append(_ entries: UnsafeMutablePointer<GList>?, to result: inout [Chapter], depth: Int) {
    var hasAlternative = false
    unsafe GLib.elements(of: entries).map { OpaquePointer($0) }.forEach { entry in
      guard depth < depthLimit, result.count < readLimit else { return }
      if unsafe gst_toc_entry_is_alternative(entry) != 0 {
        if hasAlternative { return }
        hasAlternative = true
      } else if let chapter = unsafe Chapter(entry) {
        result.append(chapter)
      }
      unsafe append(gst_toc_entry_get_sub_entries(entry), to: &result, depth: depth + 1)
    }
  }

  /// Reads an entry; nil if it has no start.
  private init?(_ entry: OpaquePointer) {
    var (start, stop): (gint64, gint64) = (-1, -1)
    guard unsafe gst_toc_entry_get_start_stop_times(entry, &start, &stop) != 0, start >= 0 else { return nil }
    self.init(
      start: .nanoseconds(start), duration: stop > start ? .nanoseconds(stop - start) : nil,
      title: unsafe gst_toc_entry_get_tags(entry).flatMap { unsafe TagList($0).string(GST_TAG_TITLE) })
  }
}
