/// A start of playback at a later instant; the position stands until then.
///
/// The output is started early, and holds the next sample until the instant. If the instant is too close for that, the output is
/// started at it. Invariant: what belongs to a stream is decided again for another stream of the item.
struct ScheduledStart: Codable, Sendable {
  /// The instant at which the first sample is to be audible.
  let instant: MonotonicTime
  /// Whether the engine holds the next sample until the instant.
  private var isHeld = false
  /// Whether the engine may play now; if it holds the sample, it is silent until the instant.
  private(set) var isDue = false

  /// The least time before an instant in which an output can be started silently; one that starts at the instant is closer
  /// to it otherwise.
  private static let shortestHold = Duration.milliseconds(250)
  /// The time before the instant at which the report of the start is earliest.
  private static let earliestReport = Duration.milliseconds(100)

  init(at instant: MonotonicTime) { self.instant = instant }

  /// The instant until which the engine holds the first sample; nil if it does not.
  var heldInstant: MonotonicTime? { isHeld ? instant : nil }

  /// The instant at which the output of a stream that is ready is started; nil if it was.
  var wake: MonotonicTime? {
    if isDue { return nil }
    return isHeld ? instant + (.zero - EngineCommand.startLead) : instant
  }

  /// Whether a report at `now` that a part is audible is older than the start.
  func isLater(thanReportAt now: MonotonicTime) -> Bool { now + Self.earliestReport < instant }

  /// Decides whether the engine is to hold the next sample of a stream that is ready.
  mutating func streamIsReady(now: MonotonicTime) { isHeld = instant - now >= Self.shortestHold }

  /// Lets the output start if that is due; returns whether it is.
  mutating func pass(now: MonotonicTime) -> Bool {
    guard let wake, wake <= now else { return false }
    isDue = true
    return true
  }

  /// Resets the part that belongs to a stream, for another stream of the same item.
  mutating func reset() { (isHeld, isDue) = (false, false) }
}
