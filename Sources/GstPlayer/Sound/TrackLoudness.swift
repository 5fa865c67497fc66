/// The loudness of a recording, as defined by ITU-R BS.1770-4 and EBU R 128.
///
/// The histogram of its gating blocks is kept, because the loudness of an album is gated over the blocks of all tracks.
struct TrackLoudness: Equatable, Sendable {
  /// The integrated loudness in LUFS; nil if the recording is silent or shorter than a gating block.
  var integrated: Double?
  /// The largest absolute sample value; 1 is full scale.
  var peak: Double
  /// The number of gating blocks in each interval of ``LoudnessGate/step``.
  var histogram: [Int: Int]
  /// An identifier of the album's name; nil without a name.
  var album: String?
  /// The gain of the album that the recording was last a part of; nil if it is unknown.
  var albumGain: LoudnessGain?

  /// The gain for playing the recording on its own; nil if it is silent.
  var gain: LoudnessGain? { integrated.map { LoudnessGain(loudness: $0, peak: peak) } }
}

extension TrackLoudness {
  /// Measures a recording from the mean energy of each tenth of a second, weighted by frequency and channel.
  init(energies: [Double], peak: Double, album: String?) {
    // A block is 0.4 s long, and begins every 0.1 s.
    let blocks = energies.indices.dropLast(3).map { energies[$0...($0 + 3)].reduce(0, +) / 4 }
    self.init(
      integrated: LoudnessGate.integrated(blocks.map { ($0, 1) }), peak: peak,
      histogram: LoudnessGate.histogram(blocks), album: album)
  }
}

/// A gain in the terms of ReplayGain 2.0.
struct LoudnessGain: Equatable, Sendable {
  /// The loudness at which recordings are played, in LUFS.
  static let reference = -18.0

  /// The gain in dB.
  var gain: Double
  /// The peak that must not exceed full scale with the gain; 1 is full scale.
  var peak: Double
}

extension LoudnessGain {
  init(loudness: Double, peak: Double) { self.init(gain: Self.reference - loudness, peak: peak) }

  /// Creates the gain of several recordings that are one programme; nil if they are silent.
  init?(of tracks: [TrackLoudness]) {
    var histogram: [Int: Int] = [:]
    for track in tracks { histogram.merge(track.histogram) { $0 + $1 } }
    guard let loudness = LoudnessGate.integrated(of: histogram) else { return nil }
    self.init(loudness: loudness, peak: tracks.reduce(0) { max($0, $1.peak) })
  }
}
