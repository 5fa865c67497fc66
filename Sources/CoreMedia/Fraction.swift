/// An exact number of seconds, before it is rounded to a timescale.
///
/// The numerators stay below 2^96, so that the product with a timescale fits: a value has 63 bits, a timescale and a
/// multiplier 31 each.
struct Fraction: Hashable {
  var numerator: Int128
  /// Positive.
  var denominator: Int128

  init(_ numerator: Int128, _ denominator: Int128) { (self.numerator, self.denominator) = (numerator, denominator) }

  /// Creates the seconds of a time with a positive timescale.
  init(_ time: CMTime) { self.init(Int128(time.value), Int128(time.timescale)) }

  /// The same number with the smallest denominator.
  var reduced: Self {
    let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    guard divisor > 1, let divisor = Int128(exactly: divisor) else { return self }
    return Self(numerator / divisor, denominator / divisor)
  }

  private static func greatestCommonDivisor<Number: UnsignedInteger>(_ one: Number, _ other: Number) -> Number {
    var (one, other) = (one, other)
    while other != 0 { (one, other) = (other, one % other) }
    return one
  }

  /// Returns the numerators of two rational times over their least common denominator.
  static func numerators(_ one: CMTime, _ other: CMTime) -> (one: Int128, other: Int128, denominator: Int128) {
    let divisor = greatestCommonDivisor(one.timescale.magnitude, other.timescale.magnitude)
    let factors = (one: Int128(other.timescale) / Int128(divisor), other: Int128(one.timescale) / Int128(divisor))
    return (Int128(one.value) * factors.one, Int128(other.value) * factors.other, factors.one * Int128(one.timescale))
  }

  /// Returns the number of units of `1 / timescale` seconds, and whether it was rounded; nil if it does not fit.
  func value(in timescale: CMTimeScale, by method: CMTimeRoundingMethod = .default) -> (value: Int64, isRounded: Bool)?
  {
    let scaled = numerator.multipliedReportingOverflow(by: Int128(timescale))
    guard !scaled.overflow else { return nil }
    let (quotient, remainder) = scaled.partialValue.quotientAndRemainder(dividingBy: denominator)
    guard remainder != 0 else { return Int64(exactly: quotient).map { ($0, false) } }
    let isNegative = remainder < 0
    let isAway =
      switch method {
      case .roundHalfAwayFromZero: remainder.magnitude >= denominator.magnitude - remainder.magnitude
      case .roundTowardZero, .quickTime: false
      case .roundAwayFromZero: true
      case .roundTowardPositiveInfinity: !isNegative
      case .roundTowardNegativeInfinity: isNegative
      }
    let rounded = isAway ? quotient + (isNegative ? -1 : 1) : quotient
    return Int64(exactly: rounded).map { ($0, true) }
  }

  /// Returns the time with a timescale, nil for the denominator, which is halved until the value fits.
  ///
  /// The result is infinity if the value overflows even with the timescale 1.
  func time(timescale: CMTimeScale? = nil, flags: CMTimeFlags, epoch: CMTimeEpoch) -> CMTime {
    var timescale = timescale ?? CMTimeScale(clamping: denominator)
    while true {
      if let (value, isRounded) = value(in: timescale) {
        return CMTime(
          value: value, timescale: timescale, flags: isRounded ? flags.union(.hasBeenRounded) : flags, epoch: epoch)
      }
      guard timescale > 1 else { return .infinity(isNegative: numerator < 0) }
      timescale /= 2
    }
  }
}
