import CGst
import Joining
import Synchronization

/// Reads decoded buffers of one format as samples of a passage.
///
/// Samples that have an encoding of ``PCMFormat`` are copied. Other samples are converted to the encoding that holds them
/// exactly: unsigned and big-endian samples, 20 bits in 32, and planes of channels. The rate and the channels are converted only if the
/// passage has begun in another format.
@safe final class SampleConverter: Sendable {
  let format: PCMFormat
  /// The rate of the buffers.
  let inputRate: Int64
  let bytesPerInputFrame: Int
  private nonisolated(unsafe) let input: GstAudioInfo  // never changes
  /// Nil if the samples are copied.
  private nonisolated(unsafe) let converter: OpaquePointer?  // used by one streaming thread at a time
  /// The numbers of frames that were converted, and that this resulted in.
  private let count = Mutex<(input: Int64, output: Int64)>((0, 0))

  /// Creates a converter from caps to the format of a passage; nil if the caps are not linear PCM, or cannot be converted.
  ///
  /// Without a format, it converts to the format that is nearest to the caps.
  init?(_ caps: UnsafePointer<GstCaps>, to format: PCMFormat? = nil) {
    var input = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&input, caps) != 0, var nearest = unsafe PCMFormat(nearestTo: input) else {
      return nil
    }
    // One and two channels always have the same positions.
    if nearest.channels > 2 { nearest.channelMask = unsafe Self.channelMask(of: caps) }
    let format = format ?? nearest
    self.format = format
    inputRate = unsafe Int64(input.rate)
    bytesPerInputFrame = unsafe Int(input.bpf)
    var output = unsafe GstAudioInfo()
    unsafe gst_audio_info_set_format(&output, format.encoding.format, gint(format.rate), gint(format.channels), nil)
    if unsafe input.channels == gint(format.channels) {
      // The order of the channels does not change with their number.
      unsafe cgst_copy_positions(&output, &input)
    } else {
      // GStreamer mixes no channels without positions.
      unsafe cgst_set_positions(&input, 0)
      unsafe cgst_set_positions(&output, guint64(format.channelMask ?? 0))
    }
    unsafe self.input = input
    guard unsafe gst_audio_info_is_equal(&input, &output) == 0 else {
      unsafe converter = nil
      return
    }
    // By default, without dithering and noise shaping.
    guard let made = unsafe gst_audio_converter_new(GST_AUDIO_CONVERTER_FLAG_NONE, &input, &output, nil) else {
      return nil
    }
    unsafe converter = made
  }

  /// Returns the positions of the channels of caps; nil if they name none.
  private static func channelMask(of caps: UnsafePointer<GstCaps>) -> UInt64? {
    guard let structure = unsafe gst_caps_get_structure(caps, 0),
      let value = unsafe gst_structure_get_value(structure, "channel-mask")
    else { return nil }
    return unsafe UInt64(gst_value_get_bitmask(value))
  }

  deinit { if let converter = unsafe converter { unsafe gst_audio_converter_free(converter) } }

  /// Whether the passage has another rate than the buffers.
  var resamples: Bool { inputRate != Int64(format.rate) }

  /// Returns the number, in the passage's rate, of a frame of the buffers.
  func number(of frame: Int64) -> Int64 {
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: inputRate)
    return seconds &* Int64(format.rate) &+ rest * Int64(format.rate) / inputRate
  }

  /// Returns the samples of the frames in a range of a buffer; nil if the buffer cannot be read.
  func samples(_ frames: Range<Int>, of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8]? {
    guard let converter = unsafe converter else {
      return unsafe GLib.withBytes(of: buffer) { bytes in
        let size = bytesPerInputFrame
        return unsafe Array(
          bytes[min(bytes.count, frames.lowerBound * size)..<min(bytes.count, frames.upperBound * size)])
      }
    }
    var info = unsafe input
    var planes = unsafe GstAudioBuffer()
    guard unsafe gst_audio_buffer_map(&planes, &info, buffer, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_audio_buffer_unmap(&planes) }
    let isPlanar = unsafe info.layout == GST_AUDIO_LAYOUT_NON_INTERLEAVED
    let step = unsafe isPlanar ? Int(info.finfo.pointee.width) / 8 : Int(info.bpf)
    let end = unsafe min(frames.upperBound, Int(planes.n_samples))
    guard frames.lowerBound < end else { return [] }
    var starts: [gpointer?] = unsafe (0..<Int(planes.n_planes)).map { index in
      unsafe planes.planes[index]?.advanced(by: frames.lowerBound * step)
    }
    return unsafe convert(&starts, frames: end - frames.lowerBound, converter)
  }

  /// Returns the samples that a resampler still holds at the end of the media.
  func rest() -> [UInt8] {
    guard resamples, let converter = unsafe converter else { return [] }
    let (input, output) = count.withLock { $0 }
    let missing = (input * Int64(format.rate) + inputRate / 2) / inputRate - output
    guard missing > 0 else { return [] }
    let silence =
      unsafe Int64(gst_audio_converter_get_max_latency(converter)) + missing * inputRate / Int64(format.rate)
    let bytes = unsafe convert(nil, frames: Int(silence) + 1, converter) ?? []
    return Array(bytes.prefix(Int(missing) * format.bytesPerFrame))
  }

  /// Converts frames, or silence for NULL.
  private func convert(
    _ starts: UnsafeMutablePointer<gpointer?>?, frames: Int, _ converter: OpaquePointer
  ) -> [UInt8]? {
    let count = unsafe gst_audio_converter_get_out_frames(converter, gsize(frames))
    self.count.withLock {
      $0.input += Int64(frames)
      $0.output += Int64(count)
    }
    var bytes = [UInt8](repeating: 0, count: Int(count) * format.bytesPerFrame)
    let isDone = unsafe bytes.withUnsafeMutableBytes { bytes in
      var output: gpointer? = bytes.baseAddress
      return unsafe gst_audio_converter_samples(
        converter, GST_AUDIO_CONVERTER_FLAG_NONE, starts, gsize(frames), &output, count) != 0
    }
    return isDone ? bytes : nil
  }
}

extension PCMFormat {
  /// The format that holds every sample of another one exactly; nil if there is none.
  fileprivate init?(nearestTo info: GstAudioInfo) {
    guard let form = unsafe info.finfo else { return nil }
    let isFloat = unsafe form.pointee.flags.rawValue & GST_AUDIO_FORMAT_FLAG_FLOAT.rawValue != 0
    let isInteger = unsafe form.pointee.flags.rawValue & GST_AUDIO_FORMAT_FLAG_INTEGER.rawValue != 0
    let encoding: Encoding? =
      switch unsafe form.pointee.depth {
      case 64 where isFloat: .float64
      case _ where isFloat: .float32
      case ...16 where isInteger: .int16
      case ...24 where isInteger: .int24
      case ...32 where isInteger: .int32
      default: nil
      }
    guard let encoding else { return nil }
    unsafe self.init(encoding, rate: Int(info.rate), channels: Int(info.channels))
  }
}

extension PCMFormat.Encoding {
  /// GStreamer's name, in the byte order of the machine.
  fileprivate var format: GstAudioFormat {
    switch self {
    case .int16: cgst_audio_format(16, 16)
    case .int24: cgst_audio_format(24, 24)
    case .int32: cgst_audio_format(32, 32)
    case .float32: cgst_audio_format(32, 0)
    case .float64: cgst_audio_format(64, 0)
    }
  }
}
