/// The state of the output as the engine reports it, and the delay before the next attempt to open it.
///
/// Invariant: the delay doubles up to the longest one, until an output has opened.
struct OutputState: Codable, Equatable, Sendable {
  /// Whether the sound server plays on a device other than the selected one.
  private(set) var isSubstituted = false
  /// Whether no output could be opened, and the audio is discarded.
  private var isSilent = false
  private var backOff: Duration?

  private static let firstPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(10)

  /// The destination of the audio, unless the output is lost.
  var status: Player.Snapshot.OutputStatus { isSilent ? .silent : isSubstituted ? .substituted : .selected }

  /// Records that another output was selected, or the same one is opened again.
  mutating func select() { isSubstituted = false }

  /// Records the removal of the selected device.
  mutating func wasRemoved() { isSubstituted = true }

  /// Records whether the sound server plays on the selected device.
  mutating func uses(isSelected: Bool) { isSubstituted = !isSelected }

  /// Records that the output was opened, silently if there is none; returns whether audio is audible again.
  mutating func opened(isSilent: Bool) -> Bool {
    defer { self.isSilent = isSilent }
    return self.isSilent && !isSilent
  }

  /// Registers another failure of the output; returns the delay before the next attempt.
  mutating func fail() -> Duration {
    let pause = backOff.map { min($0 * 2, Self.longestPause) } ?? Self.firstPause
    backOff = pause
    return pause
  }

  /// Resets the delay, because the output has opened or another one is about to be tried.
  mutating func recover() { backOff = nil }
}
