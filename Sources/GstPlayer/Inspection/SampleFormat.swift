/// The linear PCM that a ``SampleReader`` returns, interleaved; a value of nil keeps the decoder's value.
package struct SampleFormat: Equatable, Sendable {
  /// The samples of linear PCM, with the names of GStreamer.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/audio/audio-format.html>
  package enum Encoding: String, CaseIterable, Sendable {
    case int8 = "S8"
    case int16 = "S16LE"
    case int24 = "S24LE"
    case int32 = "S32LE"
    case float32 = "F32LE"
    case float64 = "F64LE"
    case int16BigEndian = "S16BE"
    case int24BigEndian = "S24BE"
    case int32BigEndian = "S32BE"
    case float32BigEndian = "F32BE"
    case float64BigEndian = "F64BE"

    package var bits: Int {
      switch self {
      case .int8: 8
      case .int16, .int16BigEndian: 16
      case .int24, .int24BigEndian: 24
      case .int32, .int32BigEndian, .float32, .float32BigEndian: 32
      case .float64, .float64BigEndian: 64
      }
    }

    package var isFloat: Bool { rawValue.hasPrefix("F") }

    package var isBigEndian: Bool { rawValue.hasSuffix("BE") }

    /// Returns the encoding with these properties; nil if there is none.
    package init?(bits: Int, isFloat: Bool, isBigEndian: Bool) {
      let found = Self.allCases.first {
        $0.bits == bits && $0.isFloat == isFloat && ($0.isBigEndian == isBigEndian || bits == 8)
      }
      guard let found else { return nil }
      self = found
    }
  }

  package var encoding: Encoding?
  /// Hertz, more than 0.
  package var sampleRate: Int?
  /// More than 0.
  package var channels: Int?

  package init(_ encoding: Encoding? = nil, sampleRate: Int? = nil, channels: Int? = nil) {
    (self.encoding, self.sampleRate, self.channels) = (encoding, sampleRate, channels)
  }

  /// The caps of the format.
  var caps: String {
    let all = Encoding.allCases.filter { !$0.isBigEndian }.map(\.rawValue).joined(separator: ",")
    var fields = ["audio/x-raw", "layout=interleaved", "format=\(encoding?.rawValue ?? "{\(all)}")"]
    if let sampleRate { fields.append("rate=\(sampleRate)") }
    if let channels { fields.append("channels=\(channels)") }
    return fields.joined(separator: ",")
  }
}

/// Consecutive frames of a track, interleaved.
package struct SampleChunk: Equatable, Sendable {
  /// The number of the first frame, from the start of the media, at the sample rate.
  package var first: Int64
  package var bytes: [UInt8]
  package var encoding: SampleFormat.Encoding
  package var sampleRate: Int
  package var channels: Int

  package var bytesPerFrame: Int { encoding.bits / 8 * channels }
  package var frames: Int { bytes.count / bytesPerFrame }

  /// Removes the frames before and after a range of frame numbers.
  mutating func clip(from start: Int64, to end: Int64) {
    let last = first + Int64(frames)
    let (lower, upper) = (min(max(first, start), last), max(first, min(last, end)))
    let size = bytesPerFrame
    bytes = Array(bytes.prefix(Int(upper - first) * size).dropFirst(Int(lower - first) * size))
    first = lower
  }
}
