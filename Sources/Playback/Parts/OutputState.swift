/// The state of the output as the engine reports it, and the delay before the next attempt to open it.
///
/// Invariant: the delay doubles up to the longest one, until an output has opened.
struct OutputState: Codable, Equatable, Sendable {
  /// Whether the sound server plays on a device other than the selected one.
  var isSubstituted = false
  /// Whether no output could be opened, and the audio is discarded.
  var isSilent = false
  private(set) var backOff: Duration?

  static let firstPause = Duration.milliseconds(500)
  static let longestPause = Duration.seconds(10)

  /// Registers another failure of the output; returns the delay before the next attempt.
  mutating func fail() -> Duration {
    let pause = backOff.map { min($0 * 2, Self.longestPause) } ?? Self.firstPause
    backOff = pause
    return pause
  }

  /// Resets the delay, because the output has opened or another one is about to be tried.
  mutating func recover() { backOff = nil }
}
