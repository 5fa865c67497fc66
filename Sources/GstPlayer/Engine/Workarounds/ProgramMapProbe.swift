import CGst
import Synchronization

/// Changes the program map tables that arrive at a `tsdemux`; see ``ProgramMap``.
///
/// `tsdemux` of GStreamer 1.22 and 1.26 creates no pad for the stream type 0x15 of timed ID3.
///
/// It can go when the oldest supported GStreamer is 1.28, whose `tsdemux` has a separate pad for timed ID3.
final class ProgramMapProbe: Sendable {
  /// The beginning of a packet whose end has not arrived.
  private let head = Mutex<[UInt8]>([])

  /// Observes a `tsdemux` that has not been started; media that it pulls is not changed.
  static func install(on demuxer: UnsafeMutablePointer<GstElement>) {
    let kinds = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PUSH, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
    let probe = ProgramMapProbe()
    unsafe PadProbe.add(to: "sink", of: demuxer, kinds) { _, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        probe.head.withLock { $0 = [] }
        return GST_PAD_PROBE_OK
      }
      let passed = unsafe probe.pass(buffer)
      unsafe info.pointee.data = UnsafeMutableRawPointer(passed)
      return unsafe passed == nil ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_OK
    }
  }

  /// Takes the reference to a buffer, and returns the one to pass on; nil if more data is needed.
  private func pass(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer>? {
    guard var bytes = unsafe GLib.bytes(of: buffer) else { return unsafe buffer }
    let isContinuous = unsafe gst_buffer_get_flags(buffer).rawValue & GST_BUFFER_FLAG_DISCONT.rawValue == 0
    let size = bytes.count
    let (added, search) = head.withLock { head in
      let added = isContinuous ? head.count : 0
      bytes = head.suffix(added) + bytes
      let search = ProgramMap.announceKLV(in: &bytes)
      head = Array(bytes[search.tail...])
      return (added, search)
    }
    guard search.hasChanged || added > 0 || search.tail < size else { return unsafe buffer }
    defer { unsafe cgst_mini_object_unref(buffer) }
    guard search.tail > 0, let changed = unsafe gst_buffer_new_allocate(nil, gsize(search.tail), nil) else {
      return nil
    }
    let metadata = GstBufferCopyFlags(GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue)
    unsafe gst_buffer_copy_into(changed, buffer, metadata, 0, gsize.max)
    _ = unsafe bytes.withUnsafeBytes { unsafe gst_buffer_fill(changed, 0, $0.baseAddress, gsize(search.tail)) }
    return unsafe changed
  }
}
