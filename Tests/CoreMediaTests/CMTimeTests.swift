import CoreMedia
import Testing

/// Compares times with the values and rules that Apple has published.
@Suite("Times") struct CMTimeTests {
  @Test(
    "The constants have the published fields",
    arguments: [
      (CMTime.zero, 0, 1, 1), (.invalid, 0, 0, 0), (.indefinite, 0, 0, 17), (.positiveInfinity, 0, 0, 5),
      (.negativeInfinity, 0, 0, 9), (CMTime(), 0, 0, 0), (kCMTimeZero, 0, 1, 1), (kCMTimeInvalid, 0, 0, 0),
      (kCMTimeIndefinite, 0, 0, 17), (kCMTimePositiveInfinity, 0, 0, 5), (kCMTimeNegativeInfinity, 0, 0, 9),
    ] as [(CMTime, Int64, Int32, UInt32)])
  func constants(time: CMTime, value: Int64, timescale: Int32, flags: UInt32) {
    #expect(time.value == value && time.timescale == timescale && time.flags.rawValue == flags && time.epoch == 0)
  }

  @Test("The raw values of flags and rounding methods are those of CMTime.h")
  func rawValues() {
    let flags: [CMTimeFlags] = [.valid, .hasBeenRounded, .positiveInfinity, .negativeInfinity, .indefinite]
    #expect(flags.map(\.rawValue) == [1, 2, 4, 8, 16])
    #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
    let methods: [CMTimeRoundingMethod] = [
      .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime, .roundTowardPositiveInfinity,
      .roundTowardNegativeInfinity,
    ]
    #expect(methods.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    #expect(kCMTimeMaxTimescale == 0x7fff_ffff)
    #expect(MemoryLayout<CMTime>.size == 24)
  }

  /// Valid, numeric, indefinite, positive infinity, negative infinity and rounded.
  @Test(
    "Each predicate follows from the flags",
    arguments: [
      (CMTime.zero, "VN"), (.invalid, ""), (.indefinite, "VI"), (.positiveInfinity, "V+"), (.negativeInfinity, "V-"),
      (rounded(1, 3), "VNR"), (CMTime(value: 1, timescale: 1, flags: .hasBeenRounded, epoch: 0), ""),
      (CMTime(value: 1, timescale: 1, flags: .indefinite, epoch: 0), ""),
      (CMTime(value: 7, timescale: 3, flags: [.valid, .positiveInfinity, .hasBeenRounded], epoch: 2), "V+"),
    ])
  func predicates(time: CMTime, letters: String) {
    let properties = [
      (time.isValid, "V"), (time.isNumeric, "N"), (time.isIndefinite, "I"), (time.isPositiveInfinity, "+"),
      (time.isNegativeInfinity, "-"), (time.hasBeenRounded, "R"),
    ]
    #expect(properties.filter(\.0).map(\.1).joined() == letters)
    let functions = [
      (CMTIME_IS_VALID(time), "V"), (CMTIME_IS_NUMERIC(time), "N"), (CMTIME_IS_INDEFINITE(time), "I"),
      (CMTIME_IS_POSITIVEINFINITY(time), "+"), (CMTIME_IS_NEGATIVEINFINITY(time), "-"),
      (CMTIME_HAS_BEEN_ROUNDED(time), "R"),
    ]
    #expect(functions.filter(\.0).map(\.1).joined() == letters)
    #expect(CMTIME_IS_INVALID(time) == !time.isValid)
  }

  private static let make = "cmtimemake(value:timescale:)"
  private static let makeWithSeconds = "cmtimemakewithseconds(_:preferredtimescale:)"
  private static let convert = "cmtimeconvertscale(_:timescale:method:)"

  @Test(
    "Times are made as documented",
    arguments: [
      Row("10000/600", CMTimeMake(value: 10000, timescale: 600), time(10000, 600), make),
      Row("initializer", CMTime(value: 1, timescale: 10), time(1, 10), "cmtime/init(value:timescale:)"),
      Row("timescale 0", CMTimeMake(value: 1, timescale: 0), .invalid, "cmtimescale"),
      Row("negative timescale", CMTime(value: 1, timescale: -1), .invalid, "cmtimescale"),
      Row(
        "epoch", CMTimeMakeWithEpoch(value: 3, timescale: 4, epoch: 7), time(3, 4, epoch: 7),
        "cmtimemakewithepoch(value:timescale:epoch:)"),
      Row("5 s", CMTimeMakeWithSeconds(5, preferredTimescale: 600), time(3000, 600), makeWithSeconds),
      Row("initializer of 1.25 s", CMTime(seconds: 1.25, preferredTimescale: 4), time(5, 4), makeWithSeconds),
      Row("timescale <= 0", CMTimeMakeWithSeconds(1, preferredTimescale: 0), .invalid, makeWithSeconds),
      Row("negative timescale", CMTimeMakeWithSeconds(1, preferredTimescale: -600), .invalid, makeWithSeconds),
      // Core Media logs that the fraction is dropped: `error of -0.034 introduced due to very low timescale`.
      Row(
        "2.368 s", CMTimeMakeWithSeconds(2.368, preferredTimescale: 24), rounded(56, 24),
        "https://github.com/piemonte/PBJVision/issues/286"),
      Row(
        "1.1 s", CMTimeMakeWithSeconds(1.1, preferredTimescale: 1), rounded(1, 1),
        "https://github.com/deanm/plask/issues/52"),
      Row("negative", CMTimeMakeWithSeconds(-2.87, preferredTimescale: 1), rounded(-2, 1), makeWithSeconds),
      // 2^62 s overflow with 600 and 300 to 2, and fit with 1.
      Row(
        "halved", CMTimeMakeWithSeconds(0x1p62, preferredTimescale: 600), time(1 << 62, 1), makeWithSeconds),
      Row(
        "halved to 4", CMTimeMakeWithSeconds(0x1p60, preferredTimescale: 600), time(1 << 62, 4), makeWithSeconds),
      Row("overflow", CMTimeMakeWithSeconds(0x1p63, preferredTimescale: 600), .positiveInfinity, makeWithSeconds),
      Row("underflow", CMTimeMakeWithSeconds(-0x1p64, preferredTimescale: 600), .negativeInfinity, makeWithSeconds),
      Row("least", CMTimeMakeWithSeconds(-0x1p63, preferredTimescale: 600), time(.min, 1), makeWithSeconds),
      Row("infinity", CMTimeMakeWithSeconds(.infinity, preferredTimescale: 600), .positiveInfinity, makeWithSeconds),
      Row("-infinity", CMTimeMakeWithSeconds(-.infinity, preferredTimescale: 600), .negativeInfinity, makeWithSeconds),
      Row("NaN", CMTimeMakeWithSeconds(.nan, preferredTimescale: 600), .invalid, makeWithSeconds),
    ])
  func making(row: Row) { row.check() }

  @Test(
    "The seconds of a time are its quotient, without its epoch",
    arguments: [
      (time(1, 4), 0.25), (time(3, 4), 0.75), (time(6, 8), 0.75), (time(-1, 4), -0.25), (time(3, 2, epoch: 9), 1.5),
      (.positiveInfinity, .infinity), (.negativeInfinity, -.infinity), (.zero, 0),
    ] as [(CMTime, Double)])
  func seconds(time: CMTime, seconds: Double) {
    #expect(time.seconds == seconds)
    #expect(CMTimeGetSeconds(time) == seconds)
  }

  @Test("Invalid and indefinite times have no seconds", arguments: [CMTime.invalid, .indefinite])
  func noSeconds(time: CMTime) {
    #expect(time.seconds.isNaN)
  }

  /// Rounds 1/3 and 1/2, and their negatives, to seconds; the columns are the methods in the order of their raw values.
  @Test(
    "Each rounding method follows its documentation",
    arguments: [
      (time(1, 3), 1, [0, 0, 1, 0, 1, 0]), (time(-1, 3), 1, [0, 0, -1, -1, 0, -1]),
      (time(1, 2), 1, [1, 0, 1, 0, 1, 0]), (time(-1, 2), 1, [-1, 0, -1, -1, 0, -1]),
      (time(2, 3), 1, [1, 0, 1, 0, 1, 0]), (time(-5, 3), 1, [-2, -1, -2, -1, -1, -2]),
      // From less to more precision, QuickTime rounds away from zero.
      (time(1, 2), 3, [2, 1, 2, 2, 2, 1]), (time(-1, 2), 3, [-2, -1, -2, -2, -1, -2]),
      (time(5, 3), 2, [3, 3, 4, 3, 4, 3]), (time(1, 4), 2, [1, 0, 1, 0, 1, 0]), (time(1, 5), 2, [0, 0, 1, 0, 1, 0]),
      (time(-1, 5), 2, [0, 0, -1, -1, 0, -1]),
    ] as [(CMTime, Int32, [Int64])])
  func rounding(source: CMTime, timescale: Int32, values: [Int64]) throws {
    for (value, raw) in zip(values, UInt32(1)...) {
      let method = try #require(CMTimeRoundingMethod(rawValue: raw))
      let result = source.convertScale(timescale, method: method)
      #expect(Fields(result) == Fields(rounded(value, timescale)), "\(method)")
    }
  }

  @Test(
    "Conversions keep exact values, flags and epochs",
    arguments: [
      Row("exact", CMTimeConvertScale(time(1, 2), timescale: 600, method: .default), time(300, 600), convert),
      Row("same", CMTimeConvertScale(time(7, 2), timescale: 2, method: .default), time(7, 2), convert),
      Row(
        "rounded before", CMTimeConvertScale(rounded(1, 2), timescale: 4, method: .default), rounded(2, 4), convert),
      Row(
        "epoch", CMTimeConvertScale(time(1, 2, epoch: 3), timescale: 4, method: .default), time(2, 4, epoch: 3), convert
      ),
      Row("invalid", CMTimeConvertScale(.invalid, timescale: 4, method: .default), .invalid, convert),
      Row("indefinite", CMTimeConvertScale(.indefinite, timescale: 4, method: .default), .indefinite, convert),
      Row(
        "infinite", CMTimeConvertScale(.negativeInfinity, timescale: 4, method: .default), .negativeInfinity, convert),
      Row("timescale 0", CMTimeConvertScale(time(1, 2), timescale: 0, method: .default), .invalid, convert),
      Row(
        "overflow", CMTimeConvertScale(time(.max, 1), timescale: 2, method: .default), .positiveInfinity, convert),
      Row(
        "underflow", CMTimeConvertScale(time(.min, 1), timescale: 2, method: .default), .negativeInfinity, convert),
    ])
  func converting(row: Row) { row.check() }
}
