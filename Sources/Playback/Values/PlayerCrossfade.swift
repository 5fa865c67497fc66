extension Player {
  /// The crossfades of a player: the end of an item and the start of the next one are audible together.
  public struct Crossfade: Codable, Equatable, Sendable {
    /// The time in which both items are audible, within ``lengths``; zero, the default, plays without crossfades.
    public var length = Duration.zero {
      didSet { length = Self.clamped(length, to: Self.lengths) }
    }
    /// The course of the two levels.
    public var curve = CrossfadeCurve.equalPower
    /// The length of the crossfade when a command selects another item, within ``skipLengths``; zero, the default, for
    /// none.
    public var skipLength = Duration.zero {
      didSet { skipLength = Self.clamped(skipLength, to: Self.skipLengths) }
    }

    /// The lengths that can be set: 0 to 15 s.
    public static let lengths = Duration.zero...Duration.seconds(15)
    /// The lengths at a skip that can be set: 0 to 5 s.
    public static let skipLengths = Duration.zero...Duration.seconds(5)

    /// Creates crossfades; a length beyond its limits is clamped.
    public init(length: Duration = .zero, curve: CrossfadeCurve = .equalPower, skipLength: Duration = .zero) {
      self.length = Self.clamped(length, to: Self.lengths)
      self.curve = curve
      self.skipLength = Self.clamped(skipLength, to: Self.skipLengths)
    }

    private static func clamped(_ length: Duration, to limits: ClosedRange<Duration>) -> Duration {
      min(max(limits.lowerBound, length), limits.upperBound)
    }
  }

  /// The levels of the two items during a crossfade.
  public enum CrossfadeCurve: String, Codable, CaseIterable, Sendable {
    /// The sum of the powers is constant: different music sounds equally loud throughout.
    case equalPower = "equal-power"
    /// The sum of the levels is constant: two copies of the same sound are equally loud throughout.
    case linear
  }
}

extension Duration {
  /// The duration from which an item counts as a podcast or a book: it resumes where it was left, and does not crossfade.
  package static let longItem = Duration.seconds(20 * 60)
}
