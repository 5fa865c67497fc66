import Playback

/// The device or port that is playing, and the previous one for a short time; a value.
///
/// When a device is removed, a sound server moves the stream to another one, and reports the two events in any order. PulseAudio
/// leaves the stream there when the device returns.
struct OutputInUse: Sendable {
  /// The time for which the previous device counts; its removal is reported within this time.
  static let grace = Duration.seconds(2)

  private var current: AudioOutput.ID?
  private var previous: (id: AudioOutput.ID, until: MonotonicTime)?

  /// Records the device that the output reports; nil if it reports none.
  mutating func recordDevice(on id: AudioOutput.ID?, now: MonotonicTime) {
    guard id != current else { return }
    if let current { previous = (current, now + Self.grace) }
    current = id
  }

  /// Whether the removal of a device affects the playback.
  func isInUse(_ id: AudioOutput.ID, now: MonotonicTime) -> Bool {
    id == current || previous.map { $0.id == id && now < $0.until } ?? false
  }

  /// Returns a playing device that is not in the list; nil if there is none, or if the list is empty.
  func missing(among present: [AudioOutput.ID], now: MonotonicTime) -> AudioOutput.ID? {
    guard !present.isEmpty else { return nil }
    let recent = previous.flatMap { now < $0.until ? $0.id : nil }
    return [recent, current].compactMap { $0 }.first { !present.contains($0) }
  }
}
