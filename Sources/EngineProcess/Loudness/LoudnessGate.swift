import Glibc
package import Playback

/// Applies the gating of ITU-R BS.1770-4: silence, and blocks far below the mean, do not count.
///
/// libebur128 has the same gates. They are applied here because the blocks of several tracks are gated together, also
/// when they come from the cache, and because libebur128 keeps its blocks to itself.
package enum LoudnessGate {
  /// The width of an interval of a histogram, in LU; values within it count as its centre.
  static let step = 0.1
  /// The loudness below which a block is silence, in LUFS.
  static let silence = -70.0
  /// The relative gate as a share of the mean energy: 10 LU below it.
  private static let relative = 0.1

  /// Returns the loudness of blocks, each with its mean energy and its number; nil if all of them are silence.
  static func integrated(_ blocks: [(energy: Double, count: Double)]) -> Double? {
    let silence = energy(silence)
    guard let all = mean(blocks, from: silence), let gated = mean(blocks, from: max(silence, all * relative)) else {
      return nil
    }
    return loudness(gated)
  }

  /// Returns the loudness of the blocks of a histogram; nil if it is empty.
  static func integrated(of histogram: [Int: Int]) -> Double? {
    // In a fixed order, so that the sum is always the same.
    let intervals = histogram.sorted { $0.key < $1.key }
    return integrated(intervals.map { (energy(silence + (Double($0.key) + 0.5) * step), Double($0.value)) })
  }

  /// Returns the histogram of blocks without silence.
  static func histogram(_ blocks: [Double]) -> [Int: Int] {
    var histogram: [Int: Int] = [:]
    for block in blocks where block.isFinite && block >= energy(silence) {
      // The last interval, at 30 LUFS, is beyond any file of full scale.
      histogram[min(Int((loudness(block) - silence) / step), TrackLoudness.intervalCount - 1), default: 0] += 1
    }
    return histogram
  }

  /// Returns the energy of a loudness in LUFS.
  package static func energy(_ loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

  private static func loudness(_ energy: Double) -> Double { 10 * log10(energy) - 0.691 }

  private static func mean(_ blocks: [(energy: Double, count: Double)], from threshold: Double) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for block in blocks where block.energy >= threshold {
      sum += block.energy * block.count
      count += block.count
    }
    return count > 0 && sum.isFinite ? sum / count : nil
  }
}

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
