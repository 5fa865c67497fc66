import CGst
import Playback

/// Computes the digest of the samples that pass one point, in a form that is common to all sample formats.
///
/// Integers are written as in FLAC: signed, little-endian, each with the bytes of `bits`. Floating-point samples of the
/// decoder are written as doubles.
@safe final class SampleDigest {
  /// The form of the digest; it follows from the format of the decoder.
  enum Form: Equatable {
    case integer(bits: Int)
    case float
  }

  let form: Form
  private let checksum: OpaquePointer
  /// Whether each sample was representable in the form.
  private var isExact = true
  private var count = 0

  /// Creates a digest; nil if GLib does not provide MD5.
  init?(_ form: Form) {
    guard let checksum = unsafe g_checksum_new(G_CHECKSUM_MD5) else { return nil }
    self.form = form
    unsafe self.checksum = checksum
  }

  deinit { unsafe g_checksum_free(checksum) }

  /// Adds the samples of a buffer.
  func add(_ data: UnsafeRawBufferPointer, _ info: UnsafePointer<GstAudioFormatInfo>) {
    let width = unsafe Int(info.pointee.width) / 8
    guard width > 0, unsafe data.baseAddress != nil else { return }
    var samples = [Double](repeating: 0, count: data.count / width)
    count += samples.count
    if unsafe info.pointee.unpack_format == GST_AUDIO_FORMAT_F64 {
      unsafe unpack(data, info, into: &samples)
    } else {
      var integers = [Int32](repeating: 0, count: samples.count)
      unsafe unpack(data, info, into: &integers)
      // Exact, because a double has 53 significant bits.
      samples = integers.map { Double($0) / Self.scale }
    }
    switch form {
    case .float: unsafe samples.withUnsafeBytes { unsafe write($0) }
    case .integer(let bits): write(samples, bits: bits)
    }
  }

  /// Returns the samples since the start, in a format.
  func samples(_ format: SampleComparison.Format) -> SampleComparison.Samples {
    let copy = unsafe g_checksum_copy(checksum)
    defer { unsafe g_checksum_free(copy) }
    let digest = isExact ? unsafe GLib.borrow(g_checksum_get_string(copy)) : nil
    return SampleComparison.Samples(format: format, count: count / max(1, format.channels), digest: digest)
  }

  /// GStreamer unpacks integers to the highest bits of 32, and other samples to doubles.
  ///
  /// Without the flag, it would repeat the highest bits in the lowest ones, which are zero here.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/audio/gstaudioformat.html#GstAudioFormatUnpack>
  private func unpack<Sample>(
    _ data: UnsafeRawBufferPointer, _ info: UnsafePointer<GstAudioFormatInfo>, into samples: inout [Sample]
  ) {
    guard let function = unsafe info.pointee.unpack_func, let source = data.baseAddress else { return }
    let count = gint(clamping: samples.count)
    unsafe samples.withUnsafeMutableBytes {
      unsafe function(info, GST_AUDIO_PACK_FLAG_TRUNCATE_RANGE, $0.baseAddress, source, count)
    }
  }

  private static let scale = 2_147_483_648.0

  /// Writes samples as integers.
  private func write(_ samples: [Double], bits: Int) {
    guard isExact else { return }
    let (shift, size) = (32 - bits, (bits + 7) / 8)
    var bytes = [UInt8](repeating: 0, count: samples.count * size)
    var place = 0
    for sample in samples {
      guard let sample = Int32(exactly: sample * Self.scale), (sample >> shift) << shift == sample else {
        isExact = false
        return
      }
      let value = sample >> shift
      for byte in 0..<size { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (byte * 8)) }
      place += size
    }
    unsafe bytes.withUnsafeBytes { unsafe write($0) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    unsafe g_checksum_update(checksum, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}
