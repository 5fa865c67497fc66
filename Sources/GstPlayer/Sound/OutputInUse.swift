import Playback

/// Which device is heard, and which was until a moment ago; a value.
///
/// A sound server moves a stream whose device goes away to another one, and tells of both in no certain order.
struct OutputInUse: Equatable, Sendable {
  /// How long the device before counts: news of its end are late by no more.
  static let grace = Duration.seconds(2)

  private var current: AudioOutput.ID?
  private var previous: (id: AudioOutput.ID, until: MonotonicTime)?

  /// The output says on which device it plays; nil for one that does not say.
  mutating func heard(on id: AudioOutput.ID?, now: MonotonicTime) {
    guard id != current else { return }
    if let current { previous = (current, now + Self.grace) }
    current = id
  }

  /// Whether what goes away now is what was heard.
  func concerns(_ id: AudioOutput.ID, now: MonotonicTime) -> Bool {
    id == current || previous.map { $0.id == id && now < $0.until } ?? false
  }

  /// The device that is not among those that there are, though it was heard; nil where all is well, or nothing known.
  func missing(among present: [AudioOutput.ID], now: MonotonicTime) -> AudioOutput.ID? {
    guard !present.isEmpty else { return nil }
    let recent = previous.flatMap { now < $0.until ? $0.id : nil }
    return [recent, current].compactMap { $0 }.first { !present.contains($0) }
  }

  static func == (left: OutputInUse, right: OutputInUse) -> Bool {
    left.current == right.current && left.previous?.id == right.previous?.id
      && left.previous?.until == right.previous?.until
  }
}
