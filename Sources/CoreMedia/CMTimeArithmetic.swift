// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Returns the sum of two times.
///
/// - The timescale of the result is the least common multiple of both, at most ``kCMTimeMaxTimescale``. If the value
///   overflows, the timescale is halved until it fits; the result is infinity if it overflows with the timescale 1.
/// - ``CMTimeFlags/hasBeenRounded`` is set if the result was rounded, or one of the times was.
/// - The result is invalid if one of the times is, for infinities of different signs, and for two epochs other than 0.
/// - Otherwise it is infinite if one of the times is, and indefinite if one of them is.
/// - Its epoch is 0 for two times of the same epoch. If one time has the epoch 0, the result has the epoch of the other time.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { combine(lhs, rhs, sign: 1) }

/// Returns the difference of two times, by the rules of ``CMTimeAdd(_:_:)``.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { combine(lhs, rhs, sign: -1) }

/// Returns a time multiplied by an integer, in the same timescale.
///
/// If the value overflows, the timescale is halved until it fits; the result is infinity if it overflows with the timescale 1.
/// An infinite time stays infinite, with the sign of the product.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.isRational else { return unmultiplied(time, isNegative: multiplier < 0) }
  let product = Fraction(Int128(time.value) * Int128(multiplier), Int128(time.timescale))
  return product.time(flags: time.flags, epoch: time.epoch)
}

/// Returns a time multiplied by a floating-point number.
///
/// The timescale is doubled until it is at least 65536. If the value overflows, it is halved until the value fits; the result
/// is infinity if it overflows with the timescale 1. An infinite time stays infinite, with the sign of the product. NaN
/// results in an invalid time.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
  guard !multiplier.isNaN else { return .invalid }
  let isNegative = multiplier.sign == .minus && multiplier.magnitude.bitPattern != 0
  guard time.isRational else { return unmultiplied(time, isNegative: isNegative) }
  guard multiplier.isFinite else {
    return time.value == 0 ? .invalid : .infinity(isNegative: isNegative != (time.value < 0))
  }
  var timescale = time.timescale
  while timescale < 65536 { timescale *= 2 }
  guard let product = Fraction(time) * multiplier else {
    return .infinity(isNegative: isNegative != (time.value < 0))
  }
  let flags = product.isExact ? time.flags : time.flags.union(.hasBeenRounded)
  return product.fraction.time(timescale: timescale, flags: flags, epoch: time.epoch)
}

/// Returns a time multiplied by `multiplier / divisor`.
///
/// The result is exact if its value and its timescale do not overflow. Otherwise the timescale is at most
/// ``kCMTimeMaxTimescale``, and halved until the value fits. If only the divisor is 0, the result is infinity with the sign of the
/// product; it is invalid if the product is 0 as well. An infinite time stays infinite, with the sign of the result.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  let isNegative = (multiplier < 0) != (divisor < 0)
  guard time.isRational else { return unmultiplied(time, isNegative: isNegative) }
  let product = Int128(time.value) * Int128(multiplier)
  guard divisor != 0 else { return product == 0 ? .invalid : .infinity(isNegative: product < 0) }
  let exact = Fraction(divisor < 0 ? -product : product, Int128(time.timescale) * Int128(divisor.magnitude))
  let fits = Int64(exactly: exact.numerator) != nil && exact.denominator <= kCMTimeMaxTimescale
  return (fits ? exact : exact.reduced).time(flags: time.flags, epoch: time.epoch)
}

/// Returns a time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  if time.isNegativeInfinity { return .positiveInfinity }
  guard time.isRational, time.value < 0 else { return time }
  return CMTimeMultiply(time, multiplier: -1)
}

extension CMTime {
  /// Returns the sum of two times, as ``CMTimeAdd(_:_:)`` does.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// Returns the difference of two times, as ``CMTimeSubtract(_:_:)`` does.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTimeSubtract(minuend, subtrahend) }

  /// The sign of an infinite time; nil for others.
  fileprivate var infiniteSign: Int128? { isPositiveInfinity ? 1 : isNegativeInfinity ? -1 : nil }
}

/// Returns the sum or the difference of two times.
private func combine(_ one: CMTime, _ other: CMTime, sign: Int128) -> CMTime {
  guard one.isValid, other.isValid else { return .invalid }
  let infinities = [one.infiniteSign, other.infiniteSign.map { $0 * sign }].compactMap(\.self)
  if let first = infinities.first {
    return infinities.allSatisfy { $0 == first } ? .infinity(isNegative: first < 0) : .invalid
  }
  if one.isIndefinite || other.isIndefinite { return .indefinite }
  guard one.isRational, other.isRational, one.epoch == other.epoch || one.epoch == 0 || other.epoch == 0 else {
    return .invalid
  }
  let (first, second, denominator) = Fraction.numerators(one, other)
  let epoch = one.epoch == other.epoch ? 0 : one.epoch == 0 ? other.epoch : one.epoch
  return Fraction(first + sign * second, denominator).time(flags: one.flags.union(other.flags), epoch: epoch)
}

/// Returns the product of a time that is not rational, and a number.
private func unmultiplied(_ time: CMTime, isNegative: Bool) -> CMTime {
  guard let sign = time.infiniteSign else { return time.isIndefinite ? .indefinite : .invalid }
  return .infinity(isNegative: isNegative != (sign < 0))
}

extension Fraction {
  /// Returns the product with a finite number, and whether it is exact; nil if it is larger than every time.
  ///
  /// The significand of a `Double` has 53 bits, and a value 63, so their product is exact. Bits are lost only if the exponent
  /// moves them out of the 128 bits.
  fileprivate static func * (fraction: Fraction, number: Double) -> (fraction: Fraction, isExact: Bool)? {
    // A library that is built with -ffast-math lets threads compare subnormal numbers as 0, also in `isZero`. The bits do not change.
    guard number.magnitude.bitPattern != 0, fraction.numerator != 0 else { return (Fraction(0, 1), true) }
    // The significand is between 1 and 2, with 52 bits after the point.
    guard let significand = UInt128(exactly: number.significand * 0x1p52) else { return nil }
    var (product, denominator) = (fraction.numerator.magnitude * significand, fraction.denominator.magnitude)
    let exponent = Int(clamping: number.exponent) - 52
    // A positive exponent multiplies the product, which must stay below 2^96.
    guard product.leadingZeroBitCount - exponent >= 32 || exponent <= 0 else { return nil }
    product <<= max(0, exponent)
    // A negative one removes zeros of the product, then multiplies the denominator up to 2^94, and then drops bits.
    let zeros = min(max(0, -exponent), product.trailingZeroBitCount)
    let factor = min(max(0, -exponent) - zeros, denominator.leadingZeroBitCount - 33)
    let dropped = max(0, -exponent) - zeros - factor
    product >>= zeros + dropped
    denominator <<= factor
    // The product with a timescale must fit.
    let excess = max(0, 33 - product.leadingZeroBitCount)
    let isExact = dropped == 0 && min(product.trailingZeroBitCount, denominator.trailingZeroBitCount) >= excess
    (product, denominator) = (product >> excess, max(1, denominator >> excess))
    let isNegative = (number.sign == .minus) != (fraction.numerator < 0)
    return (Fraction(isNegative ? -Int128(product) : Int128(product), Int128(denominator)), isExact)
  }
}
