package import Playback

extension TrackLoudness {
  /// Measures a recording from the mean energy of each tenth of a second, weighted by frequency and channel.
  package init(energies: [Double], peak: Double, album: String?) {
    // A block is 0.4 s long, and begins every 0.1 s.
    let blocks = energies.indices.dropLast(3).map { energies[$0...($0 + 3)].reduce(0, +) / 4 }
    self.init(
      integrated: LoudnessGate.integrated(blocks.map { ($0, 1) }), peak: peak,
      histogram: LoudnessGate.histogram(blocks), album: album)
  }

  /// The gain for playing the recording on its own; nil if it is silent.
  var gain: LoudnessGain? { integrated.map { LoudnessGain(loudness: $0, peak: peak) } }
}

extension LoudnessGain {
  /// The loudness at which recordings are played, in LUFS.
  private static let reference = -18.0

  init(loudness: Double, peak: Double) { self.init(gain: Self.reference - loudness, peak: peak) }

  /// Creates the gain of several recordings that are one programme; nil if they are silent.
  init?(of tracks: [TrackLoudness]) {
    var histogram: [Int: Int] = [:]
    for track in tracks { histogram.merge(track.histogram) { $0 + $1 } }
    guard let loudness = LoudnessGate.integrated(of: histogram) else { return nil }
    self.init(loudness: loudness, peak: tracks.reduce(0) { max($0, $1.peak) })
  }
}
