extension Player {
  /// How far from its target a seek may end, so that it can use a place that is quick to reach.
  ///
  /// The counterpart of `toleranceBefore` and `toleranceAfter` of `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`.
  public struct SeekTolerance: Hashable, Sendable {
    /// How much earlier it may end; not negative.
    public let before: Duration
    /// How much later it may end; not negative.
    public let after: Duration

    /// Makes a tolerance; what is negative counts as 0.
    public init(before: Duration, after: Duration) {
      self.before = max(.zero, before.limited)
      self.after = max(.zero, after.limited)
    }

    /// To the sample.
    public static let zero = SeekTolerance(before: .zero, after: .zero)
    /// Anywhere near, as quickly as the media allows; what `AVPlayer.seek(to:)` does.
    public static let infinity = SeekTolerance(before: .seconds(Int64.max / 4), after: .seconds(Int64.max / 4))

    /// Tighter than a frame of any codec: only an accurate seek is sure to keep it.
    var isExact: Bool { before + after < .milliseconds(50) }

    func allows(_ position: Duration, for target: Duration) -> Bool {
      position >= target - before && position <= target + after
    }
  }
}
