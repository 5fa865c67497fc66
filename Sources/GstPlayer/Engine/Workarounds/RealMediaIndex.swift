import CGst
import Synchronization

/// Reports RealMedia files without an index as not seekable.
///
/// `rmdemux` of GStreamer 1.22 finds the data of a seek only in the index, but claims that every file is seekable. Without an
/// index, the seek fails after its flush has begun, which stops the stream for ever.
///
/// It can go when `rmdemux` searches the index for entries before it answers the query, or before it flushes.
///
/// <https://gstreamer.freedesktop.org/documentation/realmedia/rmdemux.html>
enum RealMediaIndex {
  /// The size of an index without an entry, and the size of an entry.
  private static let (head, entry) = (20, 14)

  /// Corrects the answers of such a demuxer; other elements are not changed.
  static func check(in element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "rmdemux" else { return }
    let index = Presence()
    // The demuxer reads the index before the first packet: its name and its size, and then the entries.
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PULL]) { _, info in
      var bytes = [UInt8](repeating: 0, count: 8)
      if let buffer = unsafe cgst_probe_buffer(info), unsafe gst_buffer_extract(buffer, 0, &bytes, 8) == 8,
        bytes[...].name(at: 0) == "INDX", let size = bytes[...].number(4, at: 4), size >= Self.head + Self.entry
      {
        index.isThere.store(true, ordering: .relaxed)
      }
      return GST_PAD_PROBE_OK
    }
    unsafe Signal.padAdded(to: element) { _, pad in
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM]) { _, info in
        guard let query = unsafe cgst_probe_query(info), unsafe query.pointee.type == GST_QUERY_SEEKING,
          !index.isThere.load(ordering: .relaxed)
        else { return GST_PAD_PROBE_OK }
        var format = GST_FORMAT_UNDEFINED
        unsafe gst_query_parse_seeking(query, &format, nil, nil, nil)
        unsafe gst_query_set_seeking(query, format, 0, 0, -1)
        return GST_PAD_PROBE_HANDLED
      }
    }
  }

  private final class Presence: Sendable {
    let isThere = Atomic<Bool>(false)
  }
}
