package import Playback

/// The loudness tags of a stream, for the reference level of ReplayGain.
package struct GainTags: Codable, Equatable, Sendable {
  /// The gains, in decibels; nil without the tag.
  package var trackGain: Double?
  package var albumGain: Double?
  /// The greatest samples, linear; nil without the tag.
  package var trackPeak: Double?
  package var albumPeak: Double?

  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { self == GainTags() }

  package var hasGain: Bool { trackGain != nil || albumGain != nil }

  /// The gain of the track or of the album, or the other one if only that exists; nil without a gain.
  package func gain(_ mode: Player.Configuration.ReplayGain.Mode) -> LoudnessGain? {
    func value(_ track: Double?, _ album: Double?) -> Double? { mode == .album ? album ?? track : track ?? album }
    return value(trackGain, albumGain).map { LoudnessGain(gain: $0, peak: value(trackPeak, albumPeak) ?? 1) }
  }

  /// Replaces the values that later tags contain.
  package mutating func add(_ later: GainTags) {
    trackGain = later.trackGain ?? trackGain
    albumGain = later.albumGain ?? albumGain
    trackPeak = later.trackPeak ?? trackPeak
    albumPeak = later.albumPeak ?? albumPeak
  }
}
