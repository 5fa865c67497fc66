/// The fade before a pause or a stop: readers see the new state at once, and the output follows when the fade-out has ended.
///
/// ```
/// full ──pause──▶ pausing ──its end, or a command──▶ silent ──▶ full
///   └────stop───▶ stopping ◀──stop── pausing
///                    └────────its end, or another stream────▶ silent
/// ```
///
/// Invariants: a fade has one end, at which the output either pauses or is released. Audio that was faded out stays silent until
/// it is reset, by a fade-in if playback resumes.
struct Fade: Codable, Equatable, Sendable {
  private enum Level: Codable, Equatable, Sendable {
    case full
    /// Fading out; the output pauses at the latest at an instant.
    case pausing(until: MonotonicTime)
    /// Fading out; the media is released at the latest at an instant.
    case stopping(until: MonotonicTime)
    /// Faded out.
    case silent
  }

  private var level = Level.full

  /// The maximum time that the engine may take to report the end of the fade-out.
  private static let patience = Duration.seconds(1)
  /// The margin added to that instant, because a small clock error would cut off audible sound.
  private static let margin = Duration.milliseconds(20)

  /// The latest instant at which the output pauses; nil unless a pause is fading.
  var pauseDue: MonotonicTime? { if case .pausing(let due) = level { due } else { nil } }
  /// The latest instant at which the media is released; nil unless a stop is fading.
  var stopDue: MonotonicTime? { if case .stopping(let due) = level { due } else { nil } }
  /// The latest instant at which the fade ends; nil without one.
  var due: MonotonicTime? { pauseDue ?? stopDue }
  var isPausing: Bool { pauseDue != nil }
  var isStopping: Bool { stopDue != nil }

  /// The instant at which a pause has faded out, after which only silence is played; nil without one.
  var silenceBegin: MonotonicTime? { pauseDue.map { $0 + (.zero - Self.margin) } }

  /// Begins a fade-out of a length before a pause.
  mutating func pause(over length: Duration, now: MonotonicTime) {
    level = .pausing(until: now + length + Self.patience)
  }

  /// Begins a fade-out before a stop, or continues the one before a pause; returns whether it begins.
  mutating func stop(over length: Duration, now: MonotonicTime) -> Bool {
    let begun = pauseDue
    level = .stopping(until: begun ?? now + length + Self.patience)
    return begun == nil
  }

  /// Sets the end of the fade-out that the engine has begun and reported.
  mutating func ends(in delay: Duration, longest: Duration, now: MonotonicTime) {
    let instant = now + min(delay + Self.margin, longest + .seconds(10))
    if isPausing { level = .pausing(until: instant) }
    if isStopping { level = .stopping(until: instant) }
  }

  /// Ends the fade before a pause.
  mutating func endPause() { if isPausing { level = .silent } }

  /// Ends the fade before a stop.
  mutating func endStop() { if isStopping { level = .silent } }

  /// Restores the full level; returns whether the audio was faded out.
  mutating func reset() -> Bool {
    defer { level = .full }
    return level != .full
  }
}
