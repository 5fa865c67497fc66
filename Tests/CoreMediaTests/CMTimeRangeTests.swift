import CoreMedia
import Testing

/// Compares ranges of times with the values and rules that Apple has published.
@Suite("Ranges of times") struct CMTimeRangeTests {
  private static let oneToFour = range(time(1, 1), time(3, 1))

  /// Valid, indefinite and empty, as the macros of CMTimeRange.h define them.
  @Test(
    "Each predicate follows from start and duration",
    arguments: [
      (CMTimeRange.zero, "VE"), (.invalid, ""), (CMTimeRange(), ""), (oneToFour, "V"),
      (range(.zero, time(-1, 1)), ""), (range(.zero, time(1, 1, epoch: 1)), ""), (range(.invalid, .zero), ""),
      (range(time(5, 1, epoch: 1), time(0, 600)), "VE"), (range(.indefinite, time(1, 1)), "VI"),
      (range(.zero, .indefinite), "VI"), (range(.zero, .positiveInfinity), "V"), (kCMTimeRangeZero, "VE"),
      (kCMTimeRangeInvalid, ""),
    ])
  func predicates(range: CMTimeRange, letters: String) {
    let properties = [(range.isValid, "V"), (range.isIndefinite, "I"), (range.isEmpty, "E")]
    #expect(properties.filter(\.0).map(\.1).joined() == letters)
    let functions = [
      (CMTIMERANGE_IS_VALID(range), "V"), (CMTIMERANGE_IS_INDEFINITE(range), "I"), (CMTIMERANGE_IS_EMPTY(range), "E"),
    ]
    #expect(functions.filter(\.0).map(\.1).joined() == letters)
    #expect(CMTIMERANGE_IS_INVALID(range) == !range.isValid)
  }

  @Test("A range is made from its start, and its duration or its end")
  func making() {
    #expect(CMTimeRangeMake(start: time(1, 1), duration: time(3, 1)) == Self.oneToFour)
    #expect(!CMTimeRangeMake(start: .zero, duration: time(1, 1, epoch: 1)).isValid)
    #expect(CMTimeRange(start: time(1, 1), end: time(8, 2)) == Self.oneToFour)
    #expect(CMTimeRangeFromTimeToTime(start: time(1, 1), end: time(4, 1)).duration == time(3, 1))
    #expect(CMTimeRange(start: time(1, 1, epoch: 2), end: time(4, 1, epoch: 2)).duration == time(3, 1))
    #expect(CMTimeRange(start: .zero, end: .positiveInfinity) == range(.zero, .positiveInfinity))
    #expect(!CMTimeRange(start: time(4, 1), end: time(1, 1)).isValid)
    #expect(!CMTimeRange(start: time(4, 1), end: .negativeInfinity).isValid)
    #expect(!CMTimeRange(start: time(1, 1), end: time(4, 1, epoch: 1)).isValid)
  }

  private static let end = "cmtimerangegetend(_:)"
  private static let clamp = "cmtimeclamptorange(_:range:)"
  private static let fold = "cmtimefoldintorange(_:foldrange:)"
  private static let map = "cmtimemaptimefromrangetorange(_:fromrange:torange:)"
  private static let mapDuration = "cmtimemapdurationfromrangetorange(_:fromrange:torange:)"

  @Test(
    "The end is the sum of start and duration",
    arguments: [
      Row("3 s + 3 s", range(time(1800, 600), time(1800, 600)).end, time(3600, 600), end),
      Row("timescales", range(time(1, 2), time(1, 3)).end, time(5, 6), end),
      Row("infinite", range(time(1, 2), .positiveInfinity).end, .positiveInfinity, end),
      Row("indefinite", range(time(1, 2), .indefinite).end, .indefinite, end),
      Row("invalid", CMTimeRange.invalid.end, .invalid, end),
      Row("epoch", range(time(1, 1, epoch: 4), time(1, 1)).end, time(2, 1, epoch: 4), end),
    ])
  func ends(row: Row) { row.check() }

  @Test(
    "A range contains its start, and not its end",
    arguments: [
      (time(1, 1), true), (time(3, 1), true), (time(39, 10), true), (time(4, 1), false), (time(0, 1), false),
      (time(2, 1, epoch: 1), false), (.invalid, false), (.indefinite, false), (.positiveInfinity, false),
      (.negativeInfinity, false),
    ])
  func containing(time: CMTime, isContained: Bool) {
    #expect(Self.oneToFour.containsTime(time) == isContained)
    #expect(CMTimeRangeContainsTime(Self.oneToFour, time: time) == isContained)
  }

  @Test(
    "A range contains ranges that start in it and end no later",
    arguments: [
      (oneToFour, true), (range(time(2, 1), time(1, 1)), true), (range(time(2, 1), time(2, 1)), true),
      (range(time(2, 1), time(5, 2)), false), (range(.zero, time(2, 1)), false), (range(time(2, 1), .zero), true),
      (range(time(4, 1), .zero), false), (.invalid, false), (range(time(2, 1), .positiveInfinity), false),
    ])
  func containing(other: CMTimeRange, isContained: Bool) {
    #expect(Self.oneToFour.containsTimeRange(other) == isContained)
    #expect(CMTimeRangeContainsTimeRange(Self.oneToFour, otherRange: other) == isContained)
  }

  /// Two ranges, their union and their intersection.
  /// <https://developer.apple.com/documentation/coremedia/cmtimerangegetunion(_:otherrange:)>
  /// <https://developer.apple.com/documentation/coremedia/cmtimerangegetintersection(_:otherrange:)>
  @Test(
    "Union and intersection are ranges between the outer and the inner limits",
    arguments: [
      (range(.zero, time(2, 1)), oneToFour, range(.zero, time(4, 1)), range(time(1, 1), time(1, 1))),
      (
        range(.zero, time(5, 1)), range(time(2, 1), time(5, 1)), range(.zero, time(7, 1)), range(time(2, 1), time(3, 1))
      ),
      // CMTimeRangeShow prints `{{0/1 = 0.000}, {0/1 = 0.000}}` for this intersection on Apple's systems.
      (
        range(time(1800, 600), time(0, 600)), range(time(1800, 600), time(1800, 600)),
        range(time(1800, 600), time(1800, 600)), .zero
      ),
      (range(.zero, time(1, 1)), range(time(5, 1), time(1, 1)), range(.zero, time(6, 1)), .zero),
      (oneToFour, range(.zero, .positiveInfinity), range(.zero, .positiveInfinity), oneToFour),
      (oneToFour, .invalid, .invalid, .invalid),
      (oneToFour, range(time(1, 1, epoch: 1), time(3, 1)), .invalid, .invalid),
    ])
  func combining(one: CMTimeRange, other: CMTimeRange, union: CMTimeRange, intersection: CMTimeRange) {
    for (one, other) in [(one, other), (other, one)] {
      #expect(one.union(other) == union)
      #expect(one.intersection(other) == intersection)
    }
  }

  @Test("Ranges are equal if their starts and durations are")
  func equality() {
    #expect(CMTimeRangeEqual(Self.oneToFour, range(time(2, 2), time(1800, 600))))
    #expect(Self.oneToFour.hashValue == range(time(2, 2), time(1800, 600)).hashValue)
    #expect(Self.oneToFour != range(time(1, 1), time(4, 1)))
    #expect(Self.oneToFour != range(time(1, 1, epoch: 1), time(3, 1)))
  }

  private static let third = range(time(1, 3), time(2, 5))
  private static let target = range(time(10, 1), time(6, 1))
  private static let sevenths = range(time(1, 7), time(2, 5))
  private static let elevenths = range(time(3, 13), time(7, 11))
  private static let endless = range(time(1, 1), .positiveInfinity)

  @Test(
    "A time is clamped to the start or the end",
    arguments: [
      Row("inside", CMTimeClampToRange(time(2, 1), range: oneToFour), time(2, 1), clamp),
      Row("before", CMTimeClampToRange(.zero, range: oneToFour), time(1, 1), clamp),
      Row("after", CMTimeClampToRange(time(15, 1), range: oneToFour), time(4, 1), clamp),
      Row("empty", CMTimeClampToRange(time(2, 1), range: .zero), .invalid, clamp),
      Row("invalid time", CMTimeClampToRange(.invalid, range: oneToFour), .invalid, clamp),
      Row("invalid range", CMTimeClampToRange(time(2, 1), range: .invalid), .invalid, clamp),
    ])
  func clamping(row: Row) { row.check() }

  @Test(
    "A time is folded by multiples of the duration",
    arguments: [
      Row("after", CMTimeFoldIntoRange(time(25, 1), foldRange: range(.zero, time(10, 1))), time(5, 1), fold),
      Row("inside", CMTimeFoldIntoRange(time(2, 1), foldRange: oneToFour), time(2, 1), fold),
      Row("end", CMTimeFoldIntoRange(time(4, 1), foldRange: oneToFour), time(1, 1), fold),
      Row("before", CMTimeFoldIntoRange(.zero, foldRange: third), time(6, 15), fold),
      Row("before by 3", CMTimeFoldIntoRange(time(-7, 11), foldRange: third), time(93, 165), fold),
      Row("empty", CMTimeFoldIntoRange(time(1, 1), foldRange: .zero), .invalid, fold),
      Row("invalid", CMTimeFoldIntoRange(.invalid, foldRange: oneToFour), .invalid, fold),
      Row("endless", CMTimeFoldIntoRange(time(9, 1), foldRange: endless), time(9, 1), fold),
    ])
  func folding(row: Row) { row.check() }

  @Test(
    "Times and durations are mapped linearly",
    arguments: [
      Row("start", CMTimeMapTimeFromRangeToRange(time(1, 1), fromRange: oneToFour, toRange: target), time(10, 1), map),
      Row("end", CMTimeMapTimeFromRangeToRange(time(4, 1), fromRange: oneToFour, toRange: target), time(16, 1), map),
      Row(
        "between", CMTimeMapTimeFromRangeToRange(time(2, 1), fromRange: oneToFour, toRange: target), time(12, 1), map),
      Row("before", CMTimeMapTimeFromRangeToRange(.zero, fromRange: oneToFour, toRange: target), time(8, 1), map),
      Row("empty source", CMTimeMapTimeFromRangeToRange(.zero, fromRange: .zero, toRange: target), .invalid, map),
      Row("empty target", CMTimeMapTimeFromRangeToRange(.zero, fromRange: oneToFour, toRange: .zero), .invalid, map),
      Row(
        "another epoch", CMTimeMapTimeFromRangeToRange(time(2, 1, epoch: 1), fromRange: oneToFour, toRange: target),
        .invalid, map),
      Row(
        "same epoch",
        CMTimeMapTimeFromRangeToRange(
          time(2, 1, epoch: 3), fromRange: range(time(1, 1, epoch: 3), time(3, 1)),
          toRange: range(time(10, 1, epoch: 4), time(6, 1))),
        time(12, 1, epoch: 4), map),
      Row(
        "endless",
        CMTimeMapTimeFromRangeToRange(time(5, 1), fromRange: endless, toRange: range(time(10, 1), .positiveInfinity)),
        time(14, 1), map),
      Row(
        "duration", CMTimeMapDurationFromRangeToRange(time(1, 1), fromRange: oneToFour, toRange: target), time(2, 1),
        mapDuration),
      Row(
        "fraction", CMTimeMapDurationFromRangeToRange(time(1, 3), fromRange: sevenths, toRange: elevenths),
        time(35, 66), mapDuration),
      Row(
        "duration with an epoch",
        CMTimeMapDurationFromRangeToRange(time(1, 1, epoch: 1), fromRange: oneToFour, toRange: target), .invalid,
        mapDuration),
    ])
  func mapping(row: Row) { row.check() }

  @Test("A mapping without a source is empty, and one with a duration of another epoch is invalid")
  func mappings() {
    let mapping = CMTimeMappingMake(source: Self.oneToFour, target: Self.target)
    #expect(mapping.source == Self.oneToFour && mapping.target == Self.target)
    #expect(CMTIMEMAPPING_IS_VALID(mapping) && !CMTIMEMAPPING_IS_INVALID(mapping) && !CMTIMEMAPPING_IS_EMPTY(mapping))
    let empty = CMTimeMappingMakeEmpty(target: Self.target)
    #expect(CMTIMEMAPPING_IS_EMPTY(empty) && empty.isValid && empty.source == .invalid)
    let epoch = range(.zero, time(1, 1, epoch: 1))
    #expect(!CMTimeMappingMake(source: epoch, target: Self.target).isValid)
    #expect(!CMTimeMappingMakeEmpty(target: epoch).isValid)
    #expect(!kCMTimeMappingInvalid.isValid && !CMTimeMapping().isValid)
    #expect(CMTimeMapping(source: epoch, target: Self.target).isValid)
  }
}
