import CGst
import Playback
import Synchronization

/// Checks the headers that a demuxer or parser is about to read; media that exceeds a limit does not reach it.
final class HeaderProbe: Sendable {
  private let reader: Mutex<HeaderReader>

  private init(_ syntax: any HeaderSyntax) { reader = Mutex(HeaderReader(syntax)) }

  /// Checks the data at an element that was just added, if it reads headers with a known structure; reports the first
  /// excess.
  static func install(
    on element: UnsafeMutablePointer<GstElement>, _ exceeded: @escaping @Sendable (PlayerError) -> Void
  ) {
    guard let factory = unsafe GLib.borrow(cgst_factory_name(element)), let syntax = syntax(of: factory) else { return }
    let probe = HeaderProbe(syntax)
    let kinds = [
      GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PUSH, GST_PAD_PROBE_TYPE_PULL, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
    ]
    unsafe PadProbe.add(to: "sink", of: element, kinds) { _, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        let isPulled = unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_PULL.rawValue != 0
        let error = unsafe probe.read(buffer, at: isPulled ? UInt64(info.pointee.offset) : nil)
        guard let error else { return GST_PAD_PROBE_OK }
        exceeded(error)
        // For pulled data, this is the end of the media.
        return GST_PAD_PROBE_DROP
      }
      if let event = unsafe cgst_probe_event(info),
        unsafe [GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT].contains(event.pointee.type)
      {
        probe.reader.withLock { $0.seek(to: nil) }
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func syntax(of factory: String) -> (any HeaderSyntax)? {
    switch factory {
    case "qtdemux": MP4Header()
    case "matroskademux": MatroskaHeader()
    case "id3demux": ID3Header()
    case "flacparse": FLACHeader()
    case "wavparse": ChunkHeader(isLittleEndian: true)
    case "aiffparse": ChunkHeader(isLittleEndian: false)
    case "asfdemux": ASFHeader()
    case "flvdemux": FLVHeader()
    case "mxfdemux": MXFHeader()
    default: nil
    }
  }

  /// Reads data that is pulled from an offset, or pushed in order.
  private func read(_ buffer: UnsafeMutablePointer<GstBuffer>, at offset: UInt64?) -> PlayerError? {
    let size = unsafe Int(clamping: gst_buffer_get_size(buffer))
    let address = UInt(bitPattern: buffer)
    return reader.withLock { reader in
      if let offset { reader.seek(to: offset) }
      return reader.read(size) { range in
        var bytes = [UInt8](repeating: 0, count: range.count)
        let buffer = unsafe UnsafeMutablePointer<GstBuffer>(bitPattern: address)
        let count = unsafe buffer.map {
          unsafe gst_buffer_extract($0, gsize(range.lowerBound), &bytes, gsize(range.count))
        }
        return Array(bytes.prefix(Int(count ?? 0)))
      }
    }
  }
}
