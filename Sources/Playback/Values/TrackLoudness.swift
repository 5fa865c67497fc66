/// The loudness of a recording, as defined by ITU-R BS.1770-4 and EBU R 128.
///
/// The histogram of its gating blocks is kept, because the loudness of an album is gated over the blocks of all tracks.
package struct TrackLoudness: Codable, Equatable, Sendable {
  /// The number of intervals of the histogram, each of 0.1 LU from −70 LUFS on.
  package static let intervalCount = 1_000
  /// The number of blocks in an interval at most; a measured file has 54,000 blocks.
  private static let blockLimit = 1_000_000
  /// The largest magnitude of a loudness in LUFS; samples of 64 bits reach it.
  private static let limit = 1_000.0

  /// The integrated loudness in LUFS; nil if the recording is silent or shorter than a gating block.
  package var integrated: Double?
  /// The largest absolute sample value; 1 is full scale.
  package var peak: Double
  /// The number of gating blocks in each interval.
  package var histogram: [Int: Int]
  /// The time from which the recording is silent to its end; nil if it is not silent for long enough.
  package var silence: Duration?
  /// An identifier of the album's name, in hexadecimal digits; nil without a name.
  package var album: String?
  /// The gain of the album that the recording was last a part of; nil if it is unknown.
  ///
  /// It is not a result of the measurement, and therefore not encoded.
  package var albumGain: LoudnessGain?

  private enum CodingKeys: CodingKey { case integrated, peak, histogram, silence, album }

  /// Creates a value; ``isValid`` checks it.
  package init(
    integrated: Double?, peak: Double, histogram: [Int: Int], silence: Duration? = nil, album: String? = nil,
    albumGain: LoudnessGain? = nil
  ) {
    (self.integrated, self.peak, self.histogram, self.silence) = (integrated, peak, histogram, silence)
    (self.album, self.albumGain) = (album, albumGain)
  }

  /// Whether a measurement can have these values, which may come from another process or a file.
  package var isValid: Bool {
    // The comparison with a number that is not finite is false.
    (integrated ?? 0).magnitude <= Self.limit && peak >= 0 && peak.isFinite
      && (Duration.zero ... .seconds(1_000_000)).contains(silence ?? .zero)
      && histogram.allSatisfy { (0..<Self.intervalCount).contains($0) && (1...Self.blockLimit).contains($1) }
      && (album?.utf8.count ?? 0) <= 64 && album?.utf8.allSatisfy("0123456789abcdef".utf8.contains) != false
  }
}

/// A gain in the terms of ReplayGain 2.0.
public struct LoudnessGain: Codable, Equatable, Sendable {
  /// The largest magnitude of a gain: the magnitude of the largest loudness, and more than the reference level.
  private static let limit = 1_100.0

  /// The gain in dB.
  public var gain: Double
  /// The peak that must not exceed full scale with the gain; 1 is full scale.
  public var peak: Double

  /// Creates a gain.
  public init(gain: Double, peak: Double) { (self.gain, self.peak) = (gain, peak) }

  /// Whether a measurement can lead to these values, which may come from another process.
  package var isValid: Bool { gain.magnitude <= Self.limit && peak >= 0 && peak.isFinite }
}
