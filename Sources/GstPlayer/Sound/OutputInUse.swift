import Playback

/// The device or port that is playing, and the previous one for a short time; a value.
///
/// When a device is removed, a sound server moves the stream to another one, and reports the two events in any order. PulseAudio
/// leaves the stream there when the device returns.
struct OutputInUse: Sendable {
  /// The time for which the previous device counts; its removal is reported within this time.
  static let grace = Duration.seconds(2)
  /// The device of a sound server that has no other one; it is removed as soon as there is one.
  private static let dummy = "auto_null"

  private var current: AudioOutput.ID?
  private var previous: (id: AudioOutput.ID, until: MonotonicTime)?

  /// Records the device that the output reports; nil if it reports none.
  ///
  /// The dummy of a server without devices is none.
  mutating func recordDevice(on id: AudioOutput.ID?, now: MonotonicTime) {
    let id = id == Self.dummy ? nil : id
    guard id != current else { return }
    if let current { previous = (current, now + Self.grace) }
    current = id
  }

  /// Whether a device is playing, or was until shortly before.
  func isInUse(_ id: AudioOutput.ID, now: MonotonicTime) -> Bool {
    id == current || previous.map { $0.id == id && now < $0.until } ?? false
  }

  /// Notes that a device was removed; returns whether that affects the playback, once.
  mutating func remove(_ id: AudioOutput.ID, now: MonotonicTime) -> Bool {
    guard isInUse(id, now: now) else { return false }
    if current == id { current = nil }
    if previous?.id == id { previous = nil }
    return true
  }

  /// Notes the devices that are left; returns a playing one that is not among them, once.
  ///
  /// An empty list says nothing.
  mutating func removeMissing(among present: [AudioOutput.ID], now: MonotonicTime) -> AudioOutput.ID? {
    guard !present.isEmpty else { return nil }
    let recent = previous.flatMap { now < $0.until ? $0.id : nil }
    let missing = [recent, current].compactMap { $0 }.first { !present.contains($0) }
    if let missing { _ = remove(missing, now: now) }
    return missing
  }
}
