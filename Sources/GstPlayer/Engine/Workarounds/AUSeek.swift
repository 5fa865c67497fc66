import CGst
import Synchronization

/// Corrects the seeks in AU files.
///
/// `auparse` of GStreamer 1.22 requests the data of a seek without counting the header, so that the first sample is too early
/// or begins within a sample. For a seek without an end, it sends a segment that ends at 0, and the stream ends.
///
/// It can go when `auparse` adds the size of the header and keeps a segment without an end.
///
/// <https://gstreamer.freedesktop.org/documentation/auparse/index.html>
enum AUSeek {
  /// Corrects the seeks in such a parser; other elements are not changed.
  static func correct(in element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "auparse" else { return }
    let header = HeaderSize()
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_BUFFER]) { _, info in
      var bytes = [UInt8](repeating: 0, count: 8)
      guard let buffer = unsafe cgst_probe_buffer(info), unsafe gst_buffer_extract(buffer, 0, &bytes, 8) == 8 else {
        return GST_PAD_PROBE_OK
      }
      // The magic number is in the byte order of the file.
      let isLittleEndian = bytes.starts(with: Array("dns.".utf8))
      header.value.store(Int64(bytes[...].number(4, at: 4, isLittleEndian: isLittleEndian) ?? 0), ordering: .relaxed)
      return GST_PAD_PROBE_REMOVE
    }
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_EVENT_UPSTREAM]) { _, info in
      guard var seek = unsafe SeekEvent(info), seek.format == GST_FORMAT_BYTES else { return GST_PAD_PROBE_OK }
      let size = header.value.load(ordering: .relaxed)
      seek.start &+= gint64(size)
      if seek.stop > 0 { seek.stop &+= gint64(size) }
      unsafe PadProbe.replace(in: info, with: seek.event)
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "src", of: element, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { _, info in
      guard var segment = unsafe GstSegment.passing(info), segment.format == GST_FORMAT_TIME, segment.stop == 0 else {
        return GST_PAD_PROBE_OK
      }
      segment.stop = .max
      unsafe PadProbe.replace(in: info, with: segment)
      return GST_PAD_PROBE_OK
    }
  }

  private final class HeaderSize: Sendable {
    let value = Atomic<Int64>(0)
  }
}
