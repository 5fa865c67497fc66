import CoreMedia
import Glibc
import Testing

/// Compares the operations on times with the rules that Apple has published.
@Suite("Operations on times") struct CMTimeArithmeticTests {
  private static let add = "cmtimeadd(_:_:)"
  private static let subtract = "cmtimesubtract(_:_:)"
  private static let multiply = "cmtimemultiply(_:multiplier:)"
  private static let multiplyByFloat64 = "cmtimemultiplybyfloat64(_:multiplier:)"
  private static let multiplyByRatio = "cmtimemultiplybyratio(_:multiplier:divisor:)"

  @Test(
    "A sum follows the rules of timescales, overflows, infinities and epochs",
    arguments: [
      Row("same timescale", time(1, 10) + time(1, 10), time(2, 10), add),
      Row("common timescale", time(1, 2) + time(1, 3), time(5, 6), add),
      Row("least common multiple", time(1, 4) + time(1, 6), time(5, 12), add),
      // 2147483647 and 2147483629 are primes.
      Row(
        "largest timescale", time(1, .max) + time(1, 2_147_483_629), rounded(2, .max), add),
      Row("one is rounded", rounded(1, 3) + time(1, 3), rounded(2, 3), add),
      // 2^63 units of 1/4 s are 2^62 of 1/2 s.
      Row("halved", time(1 << 62, 4) + time(1 << 62, 4), time(1 << 62, 2), add),
      Row("halved and rounded", time(.max, 4) + time(2, 4), rounded((1 << 62) + 1, 2), add),
      Row("overflow", time(.max, 1) + time(1, 1), .positiveInfinity, add),
      Row("underflow", time(.min, 1) + time(-1, 1), .negativeInfinity, add),
      Row("invalid", .invalid + .positiveInfinity, .invalid, add),
      Row("invalid at the right", time(1, 1) + .invalid, .invalid, add),
      Row("+inf + 1", .positiveInfinity + time(1, 1), .positiveInfinity, add),
      Row("1 + -inf", time(1, 1) + .negativeInfinity, .negativeInfinity, add),
      Row("+inf + +inf", .positiveInfinity + .positiveInfinity, .positiveInfinity, add),
      Row("-inf + -inf", .negativeInfinity + .negativeInfinity, .negativeInfinity, add),
      Row("+inf + -inf", .positiveInfinity + .negativeInfinity, .invalid, add),
      Row("-inf + +inf", .negativeInfinity + .positiveInfinity, .invalid, add),
      Row("indefinite", .indefinite + time(1, 1), .indefinite, add),
      Row("indefinite + +inf", .indefinite + .positiveInfinity, .positiveInfinity, add),
      Row("two epochs", time(1, 1, epoch: 1) + time(1, 1, epoch: 2), .invalid, add),
      Row("same epoch", time(1, 1, epoch: 1) + time(1, 1, epoch: 1), time(2, 1), add),
      Row("epoch and duration", time(1, 1, epoch: 1) + time(1, 1), time(2, 1, epoch: 1), add),
      Row("duration and epoch", time(1, 1) + time(1, 1, epoch: 1), time(2, 1, epoch: 1), add),
    ])
  func sums(row: Row) { row.check() }

  @Test(
    "A difference follows the same rules",
    arguments: [
      Row("same timescale", time(3, 10) - time(1, 10), time(2, 10), subtract),
      Row("common timescale", time(1, 2) - time(1, 3), time(1, 6), subtract),
      Row("one is rounded", time(2, 3) - rounded(1, 3), rounded(1, 3), subtract),
      Row("halved", time(-1 << 62, 4) - time(1 << 62, 2), time(-3 << 61, 2), subtract),
      Row("least value", time(0, 1) - time(.min, 1), .positiveInfinity, subtract),
      Row("+inf - +inf", .positiveInfinity - .positiveInfinity, .invalid, subtract),
      Row("-inf - -inf", .negativeInfinity - .negativeInfinity, .invalid, subtract),
      Row("+inf - -inf", .positiveInfinity - .negativeInfinity, .positiveInfinity, subtract),
      Row("-inf - +inf", .negativeInfinity - .positiveInfinity, .negativeInfinity, subtract),
      Row("1 - +inf", time(1, 1) - .positiveInfinity, .negativeInfinity, subtract),
      Row("indefinite", time(1, 1) - .indefinite, .indefinite, subtract),
      Row("invalid", .invalid - time(1, 1), .invalid, subtract),
      Row("two epochs", time(1, 1, epoch: 2) - time(1, 1, epoch: 1), .invalid, subtract),
      Row("same epoch", time(3, 1, epoch: 2) - time(1, 1, epoch: 2), time(2, 1), subtract),
      Row("epoch and duration", time(3, 1, epoch: 2) - time(1, 1), time(2, 1, epoch: 2), subtract),
    ])
  func differences(row: Row) { row.check() }

  @Test(
    "A product with an integer keeps the timescale until it overflows",
    arguments: [
      Row("product", CMTimeMultiply(time(3, 2), multiplier: 4), time(12, 2), multiply),
      Row("rounded before", CMTimeMultiply(rounded(1, 3), multiplier: 2), rounded(2, 3), multiply),
      Row("halved", CMTimeMultiply(time(1 << 62, 600), multiplier: 2), time(1 << 62, 300), multiply),
      Row(
        "halved and rounded", CMTimeMultiply(time((1 << 61) + 1, 5), multiplier: 4),
        rounded(3_689_348_814_741_910_325, 2), multiply),
      Row("overflow", CMTimeMultiply(time(.max, 1), multiplier: 2), .positiveInfinity, multiply),
      Row("underflow", CMTimeMultiply(time(.max, 1), multiplier: -2), .negativeInfinity, multiply),
      Row("infinite", CMTimeMultiply(.positiveInfinity, multiplier: -3), .negativeInfinity, multiply),
      Row("two negatives", CMTimeMultiply(.negativeInfinity, multiplier: -3), .positiveInfinity, multiply),
      Row("indefinite", CMTimeMultiply(.indefinite, multiplier: 2), .indefinite, multiply),
      Row("invalid", CMTimeMultiply(.invalid, multiplier: 2), .invalid, multiply),
      Row("epoch", CMTimeMultiply(time(1, 2, epoch: 5), multiplier: 2), time(2, 2, epoch: 5), multiply),
    ])
  func products(row: Row) { row.check() }

  @Test(
    "A product with a floating-point number has a timescale of at least 65536",
    arguments: [
      Row("1/2 * 1.5", CMTimeMultiplyByFloat64(time(1, 2), multiplier: 1.5), time(49152, 65536), multiplyByFloat64),
      Row("600", CMTimeMultiplyByFloat64(time(600, 600), multiplier: 0.5), time(38400, 76800), multiplyByFloat64),
      Row("90000", CMTimeMultiplyByFloat64(time(1, 90000), multiplier: 3), time(3, 90000), multiplyByFloat64),
      Row("0.1", CMTimeMultiplyByFloat64(time(1, 1), multiplier: 0.1), rounded(6554, 65536), multiplyByFloat64),
      Row("negative", CMTimeMultiplyByFloat64(time(1, 1), multiplier: -0.25), time(-16384, 65536), multiplyByFloat64),
      Row("0", CMTimeMultiplyByFloat64(time(1, 1), multiplier: 0), time(0, 65536), multiplyByFloat64),
      Row(
        "rounded before", CMTimeMultiplyByFloat64(rounded(1, 1), multiplier: 2), rounded(131072, 65536),
        multiplyByFloat64),
      Row("halved", CMTimeMultiplyByFloat64(time(1 << 61, 1), multiplier: 2), time(1 << 62, 1), multiplyByFloat64),
      Row(
        "large and exact", CMTimeMultiplyByFloat64(time((1 << 62) + 1, 65536), multiplier: 1),
        time((1 << 62) + 1, 65536), multiplyByFloat64),
      Row(
        "overflow", CMTimeMultiplyByFloat64(time(1 << 61, 1), multiplier: -4.5), .negativeInfinity, multiplyByFloat64),
      Row("huge", CMTimeMultiplyByFloat64(time(1, 1), multiplier: 1e300), .positiveInfinity, multiplyByFloat64),
      Row(
        "tiny", CMTimeMultiplyByFloat64(time(1, 1), multiplier: .leastNonzeroMagnitude), rounded(0, 65536),
        multiplyByFloat64),
      Row(
        "infinite", CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: -0.5), .negativeInfinity, multiplyByFloat64),
      Row("indefinite", CMTimeMultiplyByFloat64(.indefinite, multiplier: 2), .indefinite, multiplyByFloat64),
      Row("invalid", CMTimeMultiplyByFloat64(.invalid, multiplier: 2), .invalid, multiplyByFloat64),
      Row("NaN", CMTimeMultiplyByFloat64(time(1, 1), multiplier: .nan), .invalid, multiplyByFloat64),
      Row(
        "by infinity", CMTimeMultiplyByFloat64(time(-1, 1), multiplier: .infinity), .negativeInfinity, multiplyByFloat64
      ),
      Row("0 by infinity", CMTimeMultiplyByFloat64(.zero, multiplier: .infinity), .invalid, multiplyByFloat64),
    ])
  func floatProducts(row: Row) { row.check() }

  #if arch(x86_64)
    @Test("On a thread that reads subnormal numbers as 0, a product with one is still rounded")
    func subnormalFactor() {
      var environment = fenv_t()
      unsafe fegetenv(&environment)
      // The bits “flush to zero” and “denormals are zeros”, which a library built with -ffast-math sets.
      environment.__mxcsr |= 0x8040
      unsafe fesetenv(&environment)
      let (factor, result) = (Double.leastNonzeroMagnitude, product(1, .leastNonzeroMagnitude))
      let isFlushed = factor == 0
      environment.__mxcsr &= ~0x8040
      unsafe fesetenv(&environment)
      #expect(isFlushed)
      #expect(Fields(result) == Fields(rounded(0, 65536)))
    }

    /// Multiplies one second; not inlined, so that the product is computed in the present mode.
    @inline(never) private func product(_ seconds: Int64, _ factor: Double) -> CMTime {
      CMTimeMultiplyByFloat64(time(seconds, 1), multiplier: factor)
    }
  #endif

  @Test(
    "A product with a ratio is exact as long as it fits",
    arguments: [
      Row("exact", CMTimeMultiplyByRatio(time(1, 2), multiplier: 2, divisor: 3), time(2, 6), multiplyByRatio),
      Row("3/2 * 1/3", CMTimeMultiplyByRatio(time(3, 2), multiplier: 1, divisor: 3), time(3, 6), multiplyByRatio),
      Row(
        "negative divisor", CMTimeMultiplyByRatio(time(1, 2), multiplier: 1, divisor: -2), time(-1, 4), multiplyByRatio),
      Row(
        "reduced", CMTimeMultiplyByRatio(time(.max - 1, 2), multiplier: 2, divisor: 4), time((.max - 1) / 2, 2),
        multiplyByRatio),
      Row(
        "rounded", CMTimeMultiplyByRatio(time(1, .max), multiplier: 1, divisor: 2), rounded(1, .max), multiplyByRatio),
      Row(
        "rounded before", CMTimeMultiplyByRatio(rounded(1, 2), multiplier: 1, divisor: 2), rounded(1, 4),
        multiplyByRatio),
      Row(
        "overflow", CMTimeMultiplyByRatio(time(.max, 1), multiplier: 3, divisor: 2), .positiveInfinity, multiplyByRatio),
      Row(
        "divisor 0", CMTimeMultiplyByRatio(time(1, 2), multiplier: 1, divisor: 0), .positiveInfinity, multiplyByRatio),
      Row("-1 / 0", CMTimeMultiplyByRatio(time(1, 2), multiplier: -1, divisor: 0), .negativeInfinity, multiplyByRatio),
      Row("0 / 0", CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0), .invalid, multiplyByRatio),
      Row("1 * 0 / 0", CMTimeMultiplyByRatio(time(1, 2), multiplier: 0, divisor: 0), .invalid, multiplyByRatio),
      Row(
        "infinite", CMTimeMultiplyByRatio(.positiveInfinity, multiplier: 1, divisor: 3), .positiveInfinity,
        multiplyByRatio),
      Row("indefinite", CMTimeMultiplyByRatio(.indefinite, multiplier: 1, divisor: 3), .indefinite, multiplyByRatio),
      Row("invalid", CMTimeMultiplyByRatio(.invalid, multiplier: 1, divisor: 3), .invalid, multiplyByRatio),
    ])
  func ratios(row: Row) { row.check() }

  @Test(
    "An absolute value has no sign",
    arguments: [
      Row("negative", CMTimeAbsoluteValue(time(-4, 2)), time(4, 2), "cmtimeabsolutevalue(_:)"),
      Row("positive", CMTimeAbsoluteValue(rounded(4, 3)), rounded(4, 3), "cmtimeabsolutevalue(_:)"),
      Row("-infinity", CMTimeAbsoluteValue(.negativeInfinity), .positiveInfinity, "cmtimeabsolutevalue(_:)"),
      Row("invalid", CMTimeAbsoluteValue(.invalid), .invalid, "cmtimeabsolutevalue(_:)"),
      Row("least", CMTimeAbsoluteValue(time(.min, 2)), time(1 << 62, 1), "cmtimeabsolutevalue(_:)"),
    ])
  func absoluteValues(row: Row) { row.check() }

  /// -infinity < all finite values < indefinite < +infinity < invalid; greater epochs are later.
  /// <https://developer.apple.com/documentation/coremedia/cmtimecompare(_:_:)>
  @Test("Times have the published order, and equal times have equal hashes")
  func order() {
    let ascending: [[CMTime]] = [
      [.negativeInfinity, CMTime(value: 5, timescale: 3, flags: [.valid, .negativeInfinity], epoch: 4)],
      [time(.min, 1)], [time(-1, 2), time(-2, 4)], [.zero, time(0, 600)], [time(1, 3), rounded(2, 6)],
      [time(1, 2), time(300, 600)], [time(.max - 1, 2)], [time(.max, 2)], [time(.max, 1)],
      [time(-100, 1, epoch: 1)], [time(0, 1, epoch: 2), time(0, 7, epoch: 2)],
      [.indefinite], [.positiveInfinity], [.invalid, CMTime(value: 9, timescale: 1, flags: [], epoch: 0)],
    ]
    for (index, times) in ascending.enumerated() {
      for time in times {
        for (otherIndex, others) in ascending.enumerated() {
          for other in others {
            let order: Int32 = index < otherIndex ? -1 : index == otherIndex ? 0 : 1
            #expect(CMTimeCompare(time, other) == order, "\(time), \(other)")
            #expect((time < other) == (order < 0) && (time == other) == (order == 0) && (time >= other) == (order >= 0))
            if order == 0 { #expect(time.hashValue == other.hashValue) }
            #expect(CMTimeMinimum(time, other) == (order < 0 ? time : other))
            #expect(CMTimeMaximum(time, other) == (order > 0 ? time : other))
          }
        }
      }
    }
  }

  /// Times of all kinds at the limits of their fields.
  private static let extremes: [CMTime] = [Int64.min, -1, 0, 1, .max].flatMap { value in
    [Int32.min, -1, 0, 1, 600, .max].flatMap { timescale in
      [UInt32(0), 1, 3, 5, 9, 17].map { flags in
        CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: value % 3)
      }
    }
  }

  @Test("No operation traps at the limits of the fields")
  func limits() {
    for one in Self.extremes {
      for number in [-Double.infinity, -1e300, -0.0, .leastNonzeroMagnitude, 0.1, 1e19, .infinity, .nan] {
        let product = CMTimeMultiplyByFloat64(one, multiplier: number)
        #expect(!product.isNumeric || product.timescale > 0)
      }
      for number in [Int32.min, -1, 0, 1, .max] {
        #expect(CMTimeMultiply(one, multiplier: number).timescale >= 0 || !one.isNumeric)
        for divisor in [Int32.min, -1, 0, 1, .max] {
          let product = CMTimeMultiplyByRatio(one, multiplier: number, divisor: divisor)
          #expect(!product.isNumeric || product.timescale > 0)
        }
        for method in UInt32(1)...6 {
          guard let method = CMTimeRoundingMethod(rawValue: method) else { continue }
          let converted = one.convertScale(number, method: method)
          #expect(!converted.isNumeric || converted.timescale == number)
        }
      }
      #expect(!CMTimeAbsoluteValue(one).isNumeric || one.timescale <= 0 || CMTimeAbsoluteValue(one).value >= 0)
      #expect(!one.debugDescription.isEmpty)
      for other in Self.extremes {
        #expect(Fields(one + other) == Fields(other + one))
        #expect(CMTimeCompare(one, other) == -CMTimeCompare(other, one))
        let difference = one - other
        #expect(!difference.isNumeric || difference.timescale > 0)
        let range = CMTimeRange(start: one, duration: other)
        _ = (range.end, CMTimeRange(start: one, end: other), CMTimeFoldIntoRange(one, foldRange: range))
        #expect(!range.containsTime(range.end))
        let fixed = CMTimeRange(start: other, duration: one)
        _ = CMTimeMapTimeFromRangeToRange(one, fromRange: range, toRange: fixed)
        _ = CMTimeMapDurationFromRangeToRange(one, fromRange: fixed, toRange: range)
      }
    }
  }
}
