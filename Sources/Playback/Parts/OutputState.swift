/// What the engine reports of the output, and how long the next attempt to open it is put off.
///
/// Invariant: the pauses double up to the longest one, until an output has opened.
struct OutputState: Equatable, Sendable {
  /// Whether the sound system plays on another device than the selected one.
  var isSubstituted = false
  /// Whether no output opened, and the sound is discarded.
  var isSilent = false
  private(set) var backOff: Duration?

  static let firstPause = Duration.milliseconds(500)
  static let longestPause = Duration.seconds(10)

  /// The output has failed once more; returns the pause before the next attempt.
  mutating func fail() -> Duration {
    let pause = backOff.map { min($0 * 2, Self.longestPause) } ?? Self.firstPause
    backOff = pause
    return pause
  }

  /// The output has opened, or another is to be tried.
  mutating func recover() { backOff = nil }
}
