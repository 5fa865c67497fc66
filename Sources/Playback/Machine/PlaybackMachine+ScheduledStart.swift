/// A start of playback at a later instant.
struct ScheduledStart: Codable, Sendable {
  /// The instant at which the first sample is to be audible.
  let instant: MonotonicTime
  /// Whether the engine holds the next sample until the instant.
  var isHeld = false
  /// Whether the engine may play now; if it holds the sample, it is silent until the instant.
  var isDue = false

  /// The instant until which the engine holds the first sample; nil if it does not.
  var heldInstant: MonotonicTime? { isHeld ? instant : nil }

  /// Resets the part that belongs to a stream, for another stream of the same item.
  mutating func reset() { (isHeld, isDue) = (false, false) }
}

/// The rules of a start at an instant; the position stands until then.
///
/// A pause, a stop, a seek, the end of the item, another item and the end of the engine's process cancel it.
extension PlaybackMachine {
  /// The least time before an instant in which an output can be started silently; one that starts at the instant is closer
  /// to it otherwise.
  private static let shortestHold = Duration.milliseconds(250)

  /// Plays from the present position at an instant, or at once if it has passed.
  ///
  /// If an item plays, it pauses until then.
  mutating func play(at instant: MonotonicTime, now: MonotonicTime) {
    guard !queue.isEmpty else { return }
    guard instant > now else { return play(now: now) }
    pause(fading: false, now: now)
    scheduledStart = ScheduledStart(instant: instant)
    if phase.isReady { holdStart(now: now) }
    resume(now: now)
  }

  /// The time before the instant of a start at which its report is earliest.
  private static let earliestStart = Duration.milliseconds(100)

  /// Whether a report of the audible part is older than the start at an instant.
  func isBeforeStart(_ now: MonotonicTime) -> Bool {
    scheduledStart.map { now + Self.earliestStart < $0.instant } ?? false
  }

  /// Cancels a start at an instant; a stream that is wanted starts at once.
  mutating func cancelScheduledStart(now: MonotonicTime) {
    guard scheduledStart.take() != nil else { return }
    guard phase.isReady, !phase.isAtEnd else { return }
    reconcile(now: now)
  }

  /// Decides whether the engine is to hold the next sample until the instant.
  mutating func holdStart(now: MonotonicTime) {
    guard let instant = scheduledStart?.instant else { return }
    scheduledStart?.isHeld = instant - now >= Self.shortestHold
  }

  /// The instant at which the engine is set to play for a start; nil if it need not wait.
  var startWake: MonotonicTime? {
    guard let scheduledStart, !scheduledStart.isDue, phase.isReady else { return nil }
    let instant = scheduledStart.instant
    return scheduledStart.isHeld ? instant + (.zero - EngineCommand.startLead) : instant
  }

  /// Sets the engine to play when its start is due.
  mutating func passStart(now: MonotonicTime) {
    guard let due = startWake, due <= now else { return }
    scheduledStart?.isDue = true
    reconcile(now: now)
  }
}
