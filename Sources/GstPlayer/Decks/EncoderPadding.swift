import Joining

/// The frames that an encoder added before and after the media, and that a decoder returns with the media's own.
///
/// An encoder works in blocks and needs samples before the first one, so a decoded file begins with some that the media
/// does not have, and ends with others. Decoded frames count from 0 at the first one of the whole file, and media
/// frames at the first one that was encoded.
struct EncoderPadding: Equatable, Sendable {
  /// The frames a second that the numbers count, which need not be the decoder's; more than 0.
  let rate: Int
  /// The number of decoded frames before the media; not negative.
  let leading: Int64
  /// The decoded frames after the media; nil if the file does not state where the media ends.
  ///
  /// The frames behind them belong to the media: another file that was joined to this one.
  let trailing: Range<Int64>?

  /// The longest padding: HE-AAC has about 5,000 frames, and MP3 at most 4,624.
  static let limit: Int64 = 16_384

  /// Creates a padding; nil for values that no encoder writes.
  init?(rate: Int, leading: Int64, trailing: Range<Int64>? = nil) {
    guard 1...1_536_000 ~= rate, 0...Self.limit ~= leading else { return nil }
    if let trailing { guard trailing.lowerBound > leading, trailing.lowerBound < 1 << 52 else { return nil } }
    (self.rate, self.leading, self.trailing) = (rate, leading, trailing)
  }

  /// The number of media frames before the trailing padding; nil if the file does not state it.
  var frames: Int64? { trailing.map { $0.lowerBound - leading } }

  /// Returns the padding in frames of another rate.
  func converted(to rate: Int) -> EncoderPadding? {
    guard rate != self.rate else { return self }
    func convert(_ frame: Int64) -> Int64 {
      let (product, overflows) = frame.multipliedReportingOverflow(by: Int64(rate))
      return overflows ? .max : (product + Int64(self.rate) / 2) / Int64(self.rate)
    }
    return EncoderPadding(
      rate: rate, leading: convert(leading),
      trailing: trailing.map { convert($0.lowerBound)..<max(convert($0.lowerBound), convert($0.upperBound)) })
  }

  // MARK: Frames

  /// Returns the decoded frame of a media frame.
  func decoded(_ frame: Int64) -> Int64 {
    let decoded = frame + leading
    guard let trailing, decoded >= trailing.lowerBound, trailing.upperBound < 1 << 52 else { return decoded }
    return decoded + Int64(trailing.count)
  }

  /// Returns the media frame of a decoded frame; the nearest one for a frame of the padding.
  func media(_ decoded: Int64) -> Int64 {
    var frame = max(decoded, leading)
    if let trailing, frame >= trailing.lowerBound { frame -= min(frame, trailing.upperBound) - trailing.lowerBound }
    return frame - leading
  }

  /// Returns the decoded frames of the media in a range, in at most two parts.
  func media(in decoded: Range<Int64>) -> [Range<Int64>] {
    let parts = [leading..<(trailing?.lowerBound ?? .max), (trailing?.upperBound ?? .max)..<Int64.max]
    return parts.map { decoded.clamped(to: $0) }.filter { !$0.isEmpty }
  }

  // MARK: Times

  /// Returns the media time of a time in the decoded stream, such as its duration.
  func mediaTime(_ decoded: Duration) -> Duration {
    let start = time(leading)
    guard let trailing, decoded >= time(trailing.lowerBound) else { return max(.zero, decoded - start) }
    let end = time(trailing.lowerBound)
    guard trailing.upperBound < 1 << 52 else { return end - start }
    return end - start + max(.zero, decoded - time(trailing.upperBound))
  }

  /// Returns the time in the decoded stream of a media time, such as the target of a seek.
  func decodedTime(_ media: Duration) -> Duration {
    let decoded = media + time(leading)
    guard let trailing, decoded >= time(trailing.lowerBound), trailing.upperBound < 1 << 52 else { return decoded }
    return decoded + time(Int64(trailing.count))
  }

  private func time(_ frame: Int64) -> Duration {
    PCMFormat(.int16, rate: rate, channels: 1)?.time(at: frame) ?? .zero
  }
}

/// The padding that a header states, and the changes that hide it from GStreamer.
///
/// The parsers and demuxers of some versions use some of these values, each in another way. While they see none, every
/// decoder returns all frames, and their times count from the first one.
struct PaddingHeader: Equatable, Sendable {
  /// Bytes to replace in the header.
  struct Edit: Equatable, Sendable {
    var offset: Int
    var bytes: [UInt8]
  }

  var padding: EncoderPadding
  var edits: [Edit]
}
