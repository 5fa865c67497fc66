import CGst
import Playback
import Synchronization

/// Reads the encoder's padding of a stream from the data that reaches its parser or demuxer, and hides it from them.
///
/// The data are the same for a file and for a server, and every version of GStreamer then passes on all frames. A
/// ``SampleTrim`` removes the padding from the decoded frames.
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
    // A stream whose padding is not known begins with the first frame that the decoder returns.
    return SampleTrim(padding, rate: rate, delay: padding == nil ? 0 : delay)
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
      // A demuxer's packets do not contain the file's tag; their segments are in times.
      let hasBytes = unsafe isPulled || GstSegment.present(at: pad)?.format == GST_FORMAT_BYTES
      if hasBytes {
        let bytes = unsafe bytes(of: buffer, limit: MP3Padding.searched * 2)
        unsafe use(MP3Padding.read(bytes[...], isWhole: isPulled), info)
      }
      return GST_PAD_PROBE_REMOVE
    }
  }

  private func readMP4(at demuxer: UnsafeMutablePointer<GstElement>) {
    let pieces = Mutex(MovieCollector())
    let kinds = Self.buffers + [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
    unsafe PadProbe.add(to: "sink", of: demuxer, kinds) { [weak self] pad, info in
      guard let self else { return GST_PAD_PROBE_REMOVE }
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        if unsafe cgst_probe_event_of(info, GST_EVENT_EOS) != nil {
          let rest = pieces.withLock { $0.rest }
          if !rest.isEmpty, let buffer = unsafe makeBuffer(rest, like: nil) { unsafe cgst_chain(pad, buffer) }
        }
        // The demuxer seeks to the start of a box.
        if unsafe cgst_probe_event(info)?.pointee.type == GST_EVENT_SEGMENT {
          pieces.withLock { $0 = MovieCollector() }
        }
        return GST_PAD_PROBE_OK
      }
      guard unsafe isPulled(info) else {
        guard unsafe GstSegment.present(at: pad)?.format == GST_FORMAT_BYTES else { return GST_PAD_PROBE_REMOVE }
        return unsafe push(buffer, info, pieces)
      }
      let head = unsafe bytes(of: buffer, limit: 8)
      // The box is pulled in one piece, after a pull of only its header.
      guard head[...].name(at: 4) == "moov", let size = head[...].number(4), unsafe size <= gst_buffer_get_size(buffer),
        size <= MediaLimits.bytes
      else { return GST_PAD_PROBE_OK }
      unsafe use(MP4Padding.read(bytes(of: buffer, limit: size)[...]), info)
      return GST_PAD_PROBE_REMOVE
    }
  }

  /// Passes on the data of a server, and the header of the movie in one piece.
  private func push(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ info: UnsafeMutablePointer<GstPadProbeInfo>,
    _ pieces: borrowing Mutex<MovieCollector>
  ) -> GstPadProbeReturn {
    let size = unsafe Int(clamping: gst_buffer_get_size(buffer))
    let (step, isDone) = pieces.withLock { pieces in
      (pieces.take(size) { unsafe bytes(of: buffer, limit: size) }, pieces.isDone)
    }
    switch step {
    case .pass: return GST_PAD_PROBE_OK
    case .hold: return GST_PAD_PROBE_DROP
    case .replace(let held, let movie):
      guard let merged = unsafe makeBuffer(held, like: buffer) else { return GST_PAD_PROBE_REMOVE }
      unsafe info.pointee.data = UnsafeMutableRawPointer(merged)
      unsafe cgst_mini_object_unref(buffer)
      if let movie { unsafe use(MP4Padding.read(held[movie...]), info, at: movie) }
      return isDone ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
    }
  }

  /// Uses a header that begins at an offset in the data of a probe.
  private func use(_ header: PaddingHeader?, _ info: UnsafeMutablePointer<GstPadProbeInfo>, at offset: Int = 0) {
    guard let header, unsafe change(info, header.edits, at: offset) else { return }
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
private func change(
  _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ edits: [PaddingHeader.Edit], at offset: Int
) -> Bool {
  guard !edits.isEmpty else { return true }
  guard let buffer = unsafe cgst_probe_buffer(info), let writable = unsafe cgst_writable_buffer(buffer) else {
    return false
  }
  unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
  return edits.allSatisfy { edit in
    unsafe gst_buffer_fill(writable, gsize(offset + edit.offset), edit.bytes, gsize(edit.bytes.count))
      == gsize(edit.bytes.count)
  }
}

/// Makes a buffer of bytes with the flags of another one.
private func makeBuffer(
  _ bytes: [UInt8], like other: UnsafeMutablePointer<GstBuffer>?
) -> UnsafeMutablePointer<GstBuffer>? {
  guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
  unsafe gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
  if let other = unsafe other { unsafe gst_buffer_copy_into(buffer, other, GST_BUFFER_COPY_FLAGS, 0, .max) }
  return unsafe buffer
}
