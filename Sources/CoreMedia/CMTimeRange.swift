// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A range of times: from its start up to, and without, its end.
///
/// <https://developer.apple.com/documentation/coremedia/cmtimerange>
public struct CMTimeRange: BitwiseCopyable, Hashable, Sendable {
  /// The first time of the range.
  public var start: CMTime
  /// The length of the range; not negative, and with the epoch 0.
  public var duration: CMTime

  /// Makes a range with the given fields, without a check.
  public init(start: CMTime, duration: CMTime) { (self.start, self.duration) = (start, duration) }

  /// Makes an invalid range: all fields are 0.
  public init() { self.init(start: .invalid, duration: .invalid) }

  /// Makes the range between two times; invalid if they have different epochs or the end is before the start.
  public init(start: CMTime, end: CMTime) { self = CMTimeRangeFromTimeToTime(start: start, end: end) }

  /// The empty range at 0.
  public static let zero = Self(start: .zero, duration: .zero)
  /// An invalid range.
  public static let invalid = Self()

  /// Whether start and duration are valid, and the duration is not negative and has the epoch 0.
  public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }

  /// Whether the range is valid, and its start or duration indefinite.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// Whether the range is valid, and its duration 0.
  public var isEmpty: Bool { isValid && duration == .zero }

  /// The first time after the range; invalid if the range is.
  public var end: CMTime { CMTimeRangeGetEnd(self) }

  /// Returns the smallest range that contains both, as ``CMTimeRangeGetUnion(_:otherRange:)`` does.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }

  /// Returns the common part of both ranges, as ``CMTimeRangeGetIntersection(_:otherRange:)`` does.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetIntersection(self, otherRange: otherRange)
  }

  /// Whether the range contains a time; the end is not contained.
  public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

  /// Whether the range contains the start of another range, and no time of it is after the end.
  public func containsTimeRange(_ range: CMTimeRange) -> Bool { CMTimeRangeContainsTimeRange(self, otherRange: range) }

  /// Whether two ranges have equal starts and durations.
  public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool { CMTimeRangeEqual(range1, range2) }
}

/// The empty range at 0; ``CMTimeRange/zero``.
public let kCMTimeRangeZero = CMTimeRange.zero
/// An invalid range; ``CMTimeRange/invalid``.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Makes a range; invalid if the epoch of the duration is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Makes the range between two times; invalid if they have different epochs or the end is before the start.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  let range = CMTimeRangeMake(start: start, duration: end - start)
  return range.isValid && !range.duration.isNegativeInfinity ? range : .invalid
}

/// Returns the first time after a range; invalid if the range is.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
  range.isValid ? range.start + range.duration : .invalid
}

/// Returns the smallest range that contains both; invalid if one of them is, or if they start in different epochs.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  guard range.isValid, otherRange.isValid, range.start.epoch == otherRange.start.epoch else { return .invalid }
  return CMTimeRange(
    start: CMTimeMinimum(range.start, otherRange.start), end: CMTimeMaximum(range.end, otherRange.end))
}

/// Returns the common part of two ranges: ``CMTimeRange/zero`` if there is none.
///
/// The result is invalid if one of them is, or if they start in different epochs.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  guard range.isValid, otherRange.isValid, range.start.epoch == otherRange.start.epoch else { return .invalid }
  let start = CMTimeMaximum(range.start, otherRange.start)
  let end = CMTimeMinimum(range.end, otherRange.end)
  return start < end ? CMTimeRange(start: start, end: end) : .zero
}

/// Whether two ranges have equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1.start == range2.start && range1.duration == range2.duration
}

/// Whether a range contains a time; the end is not contained.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  range.isValid && time >= range.start && time < range.end
}

/// Whether a range contains the start of another range, and no time of it is after the end.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  otherRange.isValid && CMTimeRangeContainsTime(range, time: otherRange.start) && otherRange.end <= range.end
}

/// Whether a range is valid.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Whether a range is invalid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Whether a range is valid, and its start or duration indefinite.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Whether a range is valid, and its duration 0.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }
