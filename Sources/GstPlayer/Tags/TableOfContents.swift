import CGst
import Playback
import Synchronization

extension Chapter {
  /// Limits of what is read, whatever the file says.
  private static let (depthLimit, countLimit) = (8, 10_000)

  /// The chapters and tracks of a table of contents as they stand there, each before those inside of it.
  ///
  /// The table stays the caller's. Of editions, which describe the same time in other ways, the first is taken.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gsttoc.html>
  static func list(of toc: OpaquePointer) -> [Chapter] {
    var result: [Chapter] = []
    unsafe append(gst_toc_get_entries(toc), to: &result, depth: 0)
    return result
  }

  private static func append(_ entries: UnsafeMutablePointer<GList>?, to result: inout [Chapter], depth: Int) {
    var hasAlternative = false
    var node = unsafe entries
    while let current = unsafe node, depth < depthLimit, result.count < countLimit {
      unsafe node = current.pointee.next
      guard let data = unsafe current.pointee.data else { continue }
      let entry = OpaquePointer(data)
      if unsafe gst_toc_entry_is_alternative(entry) != 0 {
        if hasAlternative { continue }
        hasAlternative = true
      } else if let chapter = unsafe Chapter(entry) {
        result.append(chapter)
      }
      unsafe append(gst_toc_entry_get_sub_entries(entry), to: &result, depth: depth + 1)
    }
  }

  /// Nil for an entry without a start.
  private init?(_ entry: OpaquePointer) {
    var (start, stop): (gint64, gint64) = (-1, -1)
    guard unsafe gst_toc_entry_get_start_stop_times(entry, &start, &stop) != 0, start >= 0 else { return nil }
    self.init(
      start: .nanoseconds(start), duration: stop > start ? .nanoseconds(stop - start) : nil,
      title: unsafe gst_toc_entry_get_tags(entry).flatMap { unsafe TagList($0).string(GST_TAG_TITLE) })
  }
}

/// The table of contents that was read last.
///
/// The parser of FLAC sends its table again with every frame; it is the same object each time.
final class LastTableOfContents: Sendable {
  /// The address of the table, to which a reference is held.
  private let last = Mutex<(stream: StreamToken, address: UInt)>((StreamToken(number: 0), 0))

  deinit { forget() }

  func forget() { unsafe replace(with: nil, of: StreamToken(number: 0)) }

  /// Takes note of a table; false when it is the stream's last one.
  @discardableResult
  func replace(with toc: OpaquePointer?, of stream: StreamToken) -> Bool {
    if let toc = unsafe toc { unsafe cgst_mini_object_ref(UnsafeMutableRawPointer(toc)) }
    let address = UInt(bitPattern: toc)
    let old = last.withLock { last in
      defer { last = (stream, address) }
      return last
    }
    if let toc = unsafe OpaquePointer(bitPattern: old.address) {
      unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(toc))
    }
    return old != (stream, address)
  }
}
