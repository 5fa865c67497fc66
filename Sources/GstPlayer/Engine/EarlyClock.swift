import Playback

/// The clock of an output that ran before the first sample did; a value.
///
/// libpulse 16 counts the time of a stream from its creation, although the stream is corked until playback starts. The
/// clock then stands until as much has been played.
struct EarlyClock: Equatable, Sendable {
  /// How long the clock may take to be right after it has stood.
  private static let grace = Duration.milliseconds(200)

  /// How far the clock is ahead of the sound at the start of playback.
  private let lead: Duration
  private var played = Duration.zero
  private var since: MonotonicTime?

  init(lead: Duration) { self.lead = lead }

  /// How much has been played since the first sample.
  func runningTime(now: MonotonicTime) -> Duration { played + (since.map { max(.zero, now - $0) } ?? .zero) }

  /// Whether the clock still stands.
  func stands(now: MonotonicTime) -> Bool { runningTime(now: now) < lead + Self.grace }

  mutating func setPlaying(_ isPlaying: Bool, now: MonotonicTime) {
    played = runningTime(now: now)
    since = isPlaying ? now : nil
  }
}
