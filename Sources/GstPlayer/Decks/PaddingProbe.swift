import CGst
import Playback
import Synchronization

/// Reads the encoder's padding of a stream from the data that reaches its parser or demuxer, and hides it from them.
///
/// The data are the same for a file and for a server, and every version of GStreamer then passes on all frames.
/// A ``SampleTrim`` removes the padding from the decoded ones.
final class PaddingProbe: Sendable {
  private struct State {
    var padding: EncoderPadding?
    var delay: Int64 = 0
  }

  private let state = Mutex(State())

  /// The padding that was found; nil if GStreamer trims the stream, or if there is none.
  var padding: EncoderPadding? { state.withLock { $0.padding } }

  /// Returns the trim of decoded frames of a rate, once their first buffer has arrived.
  func trim(rate: Int) -> SampleTrim {
    let (padding, delay) = state.withLock { ($0.padding, $0.delay) }
    return SampleTrim(padding, rate: rate, delay: delay)
  }

  /// Reads the data of an element that was just added, if it is one that has padding.
  func follow(_ element: UnsafeMutablePointer<GstElement>) {
    switch unsafe GLib.borrow(cgst_factory_name(element)) {
    case "mpegaudioparse": unsafe readMP3(at: element)
    case "qtdemux": unsafe readMP4(at: element)
    // It returns nothing for the first packet, and gives the times of each packet to the next one.
    case "faad": state.withLock { $0.delay = 1_024 }
    default: break
    }
  }

  private static let buffers = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PUSH, GST_PAD_PROBE_TYPE_PULL]

  private func readMP3(at parser: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "sink", of: parser, Self.buffers) { [weak self] pad, info in
      guard let self, let buffer = unsafe cgst_probe_buffer(info) else { return GST_PAD_PROBE_REMOVE }
      let isPulled = unsafe isPulled(info)
      guard unsafe !isPulled || info.pointee.offset == 0 else { return GST_PAD_PROBE_OK }
      // A demuxer's packets have no tag of a file; their segments are in times.
      let hasBytes = unsafe isPulled || GstSegment.present(at: pad)?.format == GST_FORMAT_BYTES
      if hasBytes {
        let bytes = unsafe bytes(of: buffer, limit: MP3Padding.searched * 2)
        unsafe use(MP3Padding.read(bytes[...], isWhole: isPulled), info)
      }
      return GST_PAD_PROBE_REMOVE
    }
  }

  private func readMP4(at demuxer: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "sink", of: demuxer, Self.buffers) { [weak self] _, info in
      guard let self, let buffer = unsafe cgst_probe_buffer(info), unsafe isPulled(info) else {
        return GST_PAD_PROBE_REMOVE
      }
      let head = unsafe bytes(of: buffer, limit: 8)
      // It is pulled in one piece, after its header alone.
      guard head[...].name(at: 4) == "moov", let size = head[...].number(4), unsafe size <= gst_buffer_get_size(buffer),
        size <= MediaLimits.bytes
      else { return GST_PAD_PROBE_OK }
      unsafe use(MP4Padding.read(bytes(of: buffer, limit: size)[...]), info)
      return GST_PAD_PROBE_REMOVE
    }
  }

  private func use(_ header: PaddingHeader?, _ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let header, unsafe change(info, header.edits) else { return }
    state.withLock { $0.padding = header.padding }
  }
}

private func isPulled(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> Bool {
  unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_PULL.rawValue != 0
}

/// Returns the first bytes of a buffer.
private func bytes(of buffer: UnsafeMutablePointer<GstBuffer>, limit: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: unsafe min(limit, Int(clamping: gst_buffer_get_size(buffer))))
  let count = unsafe gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
  return Array(bytes.prefix(Int(count)))
}

/// Changes bytes of the buffer of a probe; false if they cannot be written.
private func change(_ info: UnsafeMutablePointer<GstPadProbeInfo>, _ edits: [PaddingHeader.Edit]) -> Bool {
  guard !edits.isEmpty else { return true }
  guard let buffer = unsafe cgst_probe_buffer(info), let writable = unsafe cgst_writable_buffer(buffer) else {
    return false
  }
  unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
  return edits.allSatisfy { edit in
    unsafe gst_buffer_fill(writable, gsize(edit.offset), edit.bytes, gsize(edit.bytes.count)) == gsize(edit.bytes.count)
  }
}
