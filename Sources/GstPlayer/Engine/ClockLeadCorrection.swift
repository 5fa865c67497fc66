import Playback

/// The correction for an output clock that started before the first sample; a value.
///
/// libpulse 16 counts the time of a stream from its creation, although the stream is corked until playback starts. The
/// clock then does not advance until playback has caught up with it.
struct ClockLeadCorrection: Equatable, Sendable {
  /// The time until the clock is correct after it has started to advance again.
  private static let grace = Duration.milliseconds(200)

  /// The time by which the clock is ahead of the audio at the start of playback.
  private let lead: Duration
  private var played = Duration.zero
  private var since: MonotonicTime?

  init(lead: Duration) { self.lead = lead }

  /// Returns the time that has been played since the first sample.
  func runningTime(now: MonotonicTime) -> Duration { played + (since.map { max(.zero, now - $0) } ?? .zero) }

  /// Whether the clock does not advance yet.
  func isClockAhead(now: MonotonicTime) -> Bool { runningTime(now: now) < lead + Self.grace }

  mutating func setPlaying(_ isPlaying: Bool, now: MonotonicTime) {
    played = runningTime(now: now)
    since = isPlaying ? now : nil
  }
}
