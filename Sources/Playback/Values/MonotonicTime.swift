/// An instant of a monotonic clock, in nanoseconds since an arbitrary start.
public struct MonotonicTime: Codable, Hashable, Comparable, Sendable {
  /// The nanoseconds since the start of the clock; for a clock of this machine, the nanoseconds of `CLOCK_MONOTONIC`.
  public var nanoseconds: Int64

  /// Creates the instant of a number of nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether an instant is before another.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the time between two instants.
  public static func - (left: Self, right: Self) -> Duration { .nanoseconds(left.nanoseconds &- right.nanoseconds) }

  /// Returns a later instant, at most the last representable one.
  public static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.wholeNanoseconds)
    return MonotonicTime(nanoseconds: overflow ? (right < .zero ? .min : .max) : sum)
  }
}

extension Duration {
  /// The duration without its sign.
  var magnitude: Duration { self < .zero ? .zero - self : self }

  /// The duration clamped to the range of `Int64` nanoseconds, ±292 years, so that a sum of a few never overflows.
  ///
  /// It is used for every duration that a caller sets.
  package var limited: Duration { min(max(.nanoseconds(Int64.min), self), .nanoseconds(Int64.max)) }

  /// The whole nanoseconds, saturating at the limits of `Int64` (292 years).
  package var wholeNanoseconds: Int64 {
    // The usual position needs no division of 128 bits.
    if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }
}

extension Optional where Wrapped: Comparable {
  /// Returns the lesser of two values; nil if there is none.
  func lesser(_ other: Wrapped?) -> Wrapped? {
    guard let self else { return other }
    return other.map { $0 < self ? $0 : self } ?? self
  }
}
