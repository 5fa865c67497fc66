/// The behaviour when the machine sleeps: the key `pause-on-sleep`.
enum SleepPolicy: String, CaseIterable, Sendable {
  /// Playback pauses and stays paused after the sleep.
  case pause
  /// Playback pauses and resumes after the sleep if it was playing.
  case resume
  /// Playback is not changed.
  case off
}
