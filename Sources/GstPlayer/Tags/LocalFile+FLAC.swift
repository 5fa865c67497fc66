import EngineProcess
import Playback

extension LocalFile {
  /// Returns the error for a FLAC file with more bits per sample than GStreamer decodes; nil for every other file.
  ///
  /// flacdec of GStreamer 1.22 reports that such a file does not contain a valid frame. The sample size is in the first
  /// metadata block: <https://www.rfc-editor.org/rfc/rfc9639.html#name-streaminfo>
  static func undecodableFLAC(_ uri: String) -> PlayerError? {
    guard let bits = flacStreamInfo(uri)?.bits, bits > 24 else { return nil }
    return PlayerError(code: .codecMissing, message: "GStreamer cannot decode FLAC with \(bits) bits per sample")
  }

  /// Reads the first metadata block of a FLAC file; nil for every other file.
  static func flacStreamInfo(_ uri: String) -> FLACStreamInfo? {
    path(of: uri).flatMap { RegularFile($0) }.flatMap { FLACStreamInfo($0.bytes(limit: 42)[...]) }
  }
}

/// The values of FLAC's STREAMINFO block that describe the samples.
struct FLACStreamInfo: Equatable, Sendable {
  /// The bits per sample.
  let bits: Int
  /// The MD5 of the samples in hexadecimal; nil if the encoder has not written it.
  let digest: String?

  /// Reads the start of a FLAC file; nil if it is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= 22, bytes.starts(with: Array("fLaC".utf8)) else { return nil }
    // The sample rate (20 bits) and the channels (3 bits) precede the sample size (5 bits), which is stored minus 1.
    bits = (Int(bytes[20] & 1) << 4 | Int(bytes[21] >> 4)) + 1
    let sum = bytes.dropFirst(26).prefix(16)
    digest =
      sum.count == 16 && sum.contains { $0 != 0 }
      ? sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() : nil
  }
}
