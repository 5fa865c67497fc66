/// What becomes of the music, the key `pause-on-sleep`.
enum SleepPolicy: String, CaseIterable, Sendable {
  /// Paused before the sleep, and after it.
  case pause
  /// Paused before the sleep, and played on after it if it played.
  case resume
  /// Left alone.
  case off
}
