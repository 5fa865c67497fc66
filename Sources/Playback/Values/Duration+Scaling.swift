/// Faster forms of `*` and `/`; the standard library's operators convert a duration by generic code. The results are
/// the same.
///
/// Each decision of the player computes several positions.
extension Duration {
  /// Returns the product with a factor, rounded to a double on the way; traps if it is not finite or exceeds a duration.
  package func scaled(by factor: Double) -> Duration {
    let product = attoseconds.nearestDouble * factor
    if abs(product) < 0x1p62 { return Duration(attoseconds: Int128(Int64(product))) }
    // A double of this size is an integer.
    let exponent = product.exponent - Double.Exponent(Double.significandBitCount)
    guard exponent < 74 else { return Duration(attoseconds: Int128(product)) }
    let whole = Int128(Int64(product.significand * 0x1p52)) << Int128(exponent)
    return Duration(attoseconds: product < 0 ? -whole : whole)
  }

  /// Returns the quotient, rounded towards zero.
  func divided(by divisor: Int64) -> Duration {
    if let short = Int64(exactly: attoseconds) { return Duration(attoseconds: Int128(short / divisor)) }
    return Duration(attoseconds: attoseconds / Int128(divisor))
  }

  /// Returns the product; traps if it exceeds a duration.
  func multiplied(by factor: Int64) -> Duration { Duration(attoseconds: attoseconds * Int128(factor)) }
}

extension Int128 {
  /// The nearest double; of two that are equally near, the one with an even significand.
  fileprivate var nearestDouble: Double {
    if let short = Int64(exactly: self) { return Double(short) }
    let magnitude = magnitude
    let excess = 64 - magnitude.leadingZeroBitCount
    // The bits that are cut off decide only between two neighbours: one bit stands for all of them.
    let upper = UInt64(truncatingIfNeeded: excess > 0 ? magnitude >> excess : magnitude)
    let isExact = excess <= 0 || magnitude & ((1 << UInt128(excess)) - 1) == 0
    let significand = Double(isExact ? upper : upper | 1)
    let scale = Double(sign: .plus, exponent: Swift.max(0, excess), significand: 1)
    return self < 0 ? -significand * scale : significand * scale
  }
}
