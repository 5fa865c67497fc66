import CGst
import Playback

/// The loudness tags of a stream, for the reference level of ReplayGain.
struct GainTags: Equatable, Sendable {
  private static let gains = [GST_TAG_TRACK_GAIN, GST_TAG_ALBUM_GAIN]
  private static let peaks = [GST_TAG_TRACK_PEAK, GST_TAG_ALBUM_PEAK]

  /// The values by the names of their tags.
  private var values: [String: Double] = [:]

  init() {}

  /// Reads a tag list.
  init(_ tags: TagList) {
    let correction = tags.double(GST_TAG_REFERENCE_LEVEL).map { 89 - $0 } ?? 0
    for tag in Self.gains { values[tag] = tags.double(tag).map { $0 + correction } }
    for tag in Self.peaks { values[tag] = tags.double(tag) }
  }

  var hasPeak: Bool { Self.peaks.contains { values[$0] != nil } }

  /// The gain of the track or of the album, or the other one if only that exists; nil without a gain.
  func gain(_ mode: Player.Configuration.ReplayGain.Mode) -> LoudnessGain? {
    func value(_ tags: [String]) -> Double? {
      values[tags[mode == .album ? 1 : 0]] ?? tags.compactMap { values[$0] }.first
    }
    return value(Self.gains).map { LoudnessGain(gain: $0, peak: value(Self.peaks) ?? 1) }
  }

  var hasGain: Bool { Self.gains.contains { values[$0] != nil } }

  /// Replaces the values that later tags contain.
  mutating func add(_ later: GainTags) { values.merge(later.values) { $1 } }
}
