import CGst
import Playback
import Synchronization

/// Sets the gain of each stream before the volume: that of its tags, or else the measured one.
///
/// GStreamer's `rgvolume` reads the tags of a stream, and keeps them for a gapless successor that has none. A complete
/// set of tags therefore precedes the first sample of each stream.
final class StreamGains: Sendable {
  private struct State {
    /// The measured gains of streams that have not been replaced by a load.
    var measured: [StreamToken: LoudnessGain] = [:]
    var tags = GainTags()
    /// Whether the next sample is the first one of a stream.
    var isFirst = true
  }

  private let state = Mutex(State())
  /// The value that `rgvolume` adds to each gain, in dB.
  private let preAmp: Double

  init(_ setting: Player.Configuration.ReplayGain) { preAmp = setting.preAmp }

  /// Stores the measured gain of a loaded stream; nil for none.
  func begin(_ stream: StreamToken, _ gain: LoudnessGain?) {
    state.withLock { $0.measured = gain.map { [stream: $0] } ?? [:] }
  }

  /// Stores the measured gain of a gapless successor.
  func append(_ stream: StreamToken, _ gain: LoudnessGain?) { state.withLock { $0.measured[stream] = gain } }

  // MARK: On the streaming thread

  func streamStarted() {
    state.withLock { state in
      state.tags = GainTags()
      state.isFirst = true
    }
  }

  /// Records that `rgvolume` is about to forget its tags.
  func streamEnded() { state.withLock { $0.isFirst = true } }

  func note(_ tags: GainTags) { state.withLock { $0.tags.add(tags) } }

  /// Returns the tags that precede the next sample of a stream; nil unless the sample is the first one.
  func takeTags(of stream: StreamToken) -> GainTags? {
    state.withLock { state in
      guard state.isFirst else { return nil }
      state.isFirst = false
      state.measured = state.measured.filter { $0.key.number >= stream.number }
      if state.tags.hasGain { return state.tags.complete }
      guard let gain = state.measured[stream] else { return GainTags(gain: -preAmp, peak: 1) }
      return GainTags(gain: gain.gain, peak: gain.peak)
    }
  }
}

/// The loudness tags of a stream, for the reference level of ReplayGain.
struct GainTags: Equatable, Sendable {
  private static let gains = [GST_TAG_TRACK_GAIN, GST_TAG_ALBUM_GAIN]
  private static let peaks = [GST_TAG_TRACK_PEAK, GST_TAG_ALBUM_PEAK]

  /// The values by the names of their tags.
  private var values: [String: Double] = [:]

  init() {}

  init(gain: Double, peak: Double) {
    // `rgvolume` ignores other gains.
    for tag in Self.gains { values[tag] = min(max(-59.9, gain), 59.9) }
    for tag in Self.peaks { values[tag] = peak }
  }

  /// Reads a tag list.
  init(_ tags: TagList) {
    let correction = tags.double(GST_TAG_REFERENCE_LEVEL).map { 89 - $0 } ?? 0
    for tag in Self.gains { values[tag] = tags.double(tag).map { $0 + correction } }
    for tag in Self.peaks { values[tag] = tags.double(tag) }
  }

  var hasPeak: Bool { Self.peaks.contains { values[$0] != nil } }

  /// The gain of the track or of the album, or the other one if there is only that; nil without a gain.
  func gain(_ mode: Player.Configuration.ReplayGain.Mode) -> LoudnessGain? {
    guard hasGain else { return nil }
    let (values, index) = (complete.values, mode == .album ? 1 : 0)
    guard let gain = values[Self.gains[index]], let peak = values[Self.peaks[index]] else { return nil }
    return LoudnessGain(gain: gain, peak: peak)
  }

  var hasGain: Bool { Self.gains.contains { values[$0] != nil } }

  /// Replaces the values that later tags contain.
  mutating func add(_ later: GainTags) { values.merge(later.values) { $1 } }

  /// The tags with the values of the track for those of the album that are missing, or the reverse.
  var complete: GainTags {
    var tags = self
    for tag in Self.gains { tags.values[tag] = values[tag] ?? Self.gains.compactMap { values[$0] }.first }
    for tag in Self.peaks { tags.values[tag] = values[tag] ?? Self.peaks.compactMap { values[$0] }.first ?? 1 }
    return tags
  }

  /// The tags as an event; nil if it cannot be made.
  var event: UnsafeMutablePointer<GstEvent>? {
    guard let list = unsafe gst_tag_list_new_empty() else { return nil }
    for (tag, value) in values {
      var boxed = GValue()
      unsafe g_value_init(&boxed, cgst_type_double())
      unsafe g_value_set_double(&boxed, value)
      unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_REPLACE, tag, &boxed)
      unsafe g_value_unset(&boxed)
    }
    return unsafe gst_event_new_tag(list)
  }
}
