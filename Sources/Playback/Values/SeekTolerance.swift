extension Player {
  /// The distance from its target at which a seek may end, so that it can use a position that is quick to reach.
  ///
  /// The counterpart of `toleranceBefore` and `toleranceAfter` of `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`.
  public struct SeekTolerance: Codable, Hashable, Sendable {
    /// The maximum distance before the target; not negative.
    public let before: Duration
    /// The maximum distance after the target; not negative.
    public let after: Duration

    /// Creates a tolerance; negative values count as 0.
    ///
    /// Decoding does not check them.
    public init(before: Duration, after: Duration) {
      self.before = max(.zero, before.limited)
      self.after = max(.zero, after.limited)
    }

    /// Exact to the sample.
    public static let zero = SeekTolerance(before: .zero, after: .zero)
    /// Any nearby position, as quickly as the media allows; the behaviour of `AVPlayer.seek(to:)`.
    public static let infinity = SeekTolerance(before: .seconds(Int64.max / 4), after: .seconds(Int64.max / 4))

    /// Whether the tolerance is smaller than a frame of any codec, so that only an accurate seek is sure to meet it.
    var isExact: Bool { before + after < .milliseconds(50) }

    func allows(_ position: Duration, for target: Duration) -> Bool {
      position >= target - before && position <= target + after
    }
  }
}
