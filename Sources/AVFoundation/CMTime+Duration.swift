import CoreMedia

extension CMTime {
  /// Creates the time of a duration, in nanoseconds; a duration beyond 292 years becomes an infinity.
  init(_ duration: Duration) {
    let nanoseconds = duration.attoseconds / 1_000_000_000
    self =
      Int64(exactly: nanoseconds).map { CMTime(value: $0, timescale: 1_000_000_000) }
      ?? (nanoseconds < 0 ? .negativeInfinity : .positiveInfinity)
  }

  /// Creates the time of a duration; `indefinite` if it is unknown.
  init(_ duration: Duration?) { self = duration.map { CMTime($0) } ?? .indefinite }

  /// The time as a duration; nil unless it is numeric.
  var duration: Duration? {
    guard isNumeric, timescale > 0 else { return nil }
    let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
    // The remainder is less than 2³¹, so its product stays below 2⁶¹.
    return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(timescale))
  }
}
