/// When a session is due to be written: soon after it changed, now and then while it plays, and never otherwise.
///
/// A value; times are those of any clock.
struct SessionSchedule: Sendable {
  /// How long nothing must change before a change is written.
  static let settling = Duration.milliseconds(500)
  /// How long a change waits at the most.
  static let longest = Duration.milliseconds(1500)
  /// How much of play may be lost.
  static let interval = Duration.milliseconds(4500)

  typealias Instant = SuspendingClock.Instant

  private var firstChange: Instant?
  private var lastChange: Instant?
  private var lastWrite: Instant?

  /// Something other than the running of the position is different.
  mutating func changed(at now: Instant) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  mutating func wrote(at now: Instant) {
    firstChange = nil
    lastChange = nil
    lastWrite = now
  }

  /// Whether a change waits to be written.
  var isChanged: Bool { firstChange != nil }

  /// When to write; nil for not before something changes.
  func due(isPlaying: Bool, now: Instant) -> Instant? {
    let periodic = isPlaying ? (lastWrite ?? now).advanced(by: Self.interval) : nil
    guard let firstChange, let lastChange else { return periodic }
    let change = min(firstChange.advanced(by: Self.longest), lastChange.advanced(by: Self.settling))
    return periodic.map { min($0, change) } ?? change
  }
}
