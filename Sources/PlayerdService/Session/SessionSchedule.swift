/// Decides when to save: soon after a change, periodically during playback, and not otherwise.
///
/// A pure value; its times may come from any clock.
struct SessionSchedule: Sendable {
  /// The time without further changes before a change is written.
  static let settling = Duration.milliseconds(500)
  /// The longest time before a change is written.
  static let longest = Duration.milliseconds(1500)
  /// The interval of saves during playback, and thus the longest playback time that may be lost.
  static let interval = Duration.milliseconds(4500)

  typealias Instant = SuspendingClock.Instant

  /// The first and the last change that wait to be written.
  private var changes: (first: Instant, last: Instant)?
  private var lastWrite: Instant?

  /// Records a change of the state, apart from the running position.
  mutating func changed(at now: Instant) {
    changes = (changes?.first ?? now, now)
  }

  mutating func wrote(at now: Instant) {
    changes = nil
    lastWrite = now
  }

  /// Returns the time of the next save; nil if none is due before the next change.
  func due(isPlaying: Bool, now: Instant) -> Instant? {
    let periodic = isPlaying ? (lastWrite ?? now).advanced(by: Self.interval) : nil
    guard let changes else { return periodic }
    let change = min(changes.first.advanced(by: Self.longest), changes.last.advanced(by: Self.settling))
    return periodic.map { min($0, change) } ?? change
  }
}
