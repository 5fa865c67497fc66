// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Returns the time of a range that is nearest to a time; invalid if the time is, or if the range is empty.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
  return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Returns the time of one range that corresponds to a time of another one.
///
/// The starts and ends correspond; between them, the times are `(t - fromRange.start) * (toRange.duration / fromRange.duration)
/// + toRange.start`. If both durations are infinite, only the starts are considered. The result is invalid for an empty range,
/// and for a time in another epoch than `fromRange.start`.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  guard t.epoch == fromRange.start.epoch else { return .invalid }
  return CMTimeMapDurationFromRangeToRange(t - fromRange.start, fromRange: fromRange, toRange: toRange) + toRange.start
}

/// Returns a duration scaled by the quotient of two durations: `dur * (toRange.duration / fromRange.duration)`.
///
/// If both durations are infinite, the result is the duration. It is invalid if the epoch of the duration is not 0, and for an
/// empty range.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
  guard dur.isValid, dur.epoch == 0, fromRange.isValid, toRange.isValid, !fromRange.isEmpty, !toRange.isEmpty else {
    return .invalid
  }
  let (from, to) = (fromRange.duration, toRange.duration)
  if from.isPositiveInfinity, to.isPositiveInfinity { return dur }
  guard dur.isRational, from.isRational, to.isRational else { return .invalid }
  let flags = dur.flags.union(from.flags).union(to.flags)
  // A product of three values has up to 157 bits; it is exact as long as it fits after the reduction.
  let quotient = Fraction(
    Int128(to.value) * Int128(from.timescale), Int128(from.value) * Int128(to.timescale)
  ).reduced
  let one = Fraction(Int128(dur.value), quotient.denominator).reduced
  let other = Fraction(quotient.numerator, Int128(dur.timescale)).reduced
  let numerator = one.numerator.multipliedReportingOverflow(by: other.numerator)
  let denominator = one.denominator.multipliedReportingOverflow(by: other.denominator)
  guard !numerator.overflow, !denominator.overflow, numerator.partialValue.magnitude < UInt128(1) << 96 else {
    return CMTimeMultiplyByFloat64(
      CMTime(value: dur.value, timescale: dur.timescale, flags: flags, epoch: 0),
      multiplier: Double(quotient.numerator) / Double(quotient.denominator))
  }
  return Fraction(numerator.partialValue, denominator.partialValue).time(flags: flags, epoch: 0)
}

/// Returns a time moved into a range by a multiple of the duration, as in a loop; invalid if the range is empty.
///
/// If the duration is infinite, a time is returned as it is; the result is invalid if it is before the start.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  guard foldRange.isValid, !foldRange.isEmpty, time.isRational else { return .invalid }
  let (offset, duration) = (time - foldRange.start, foldRange.duration)
  if duration.isPositiveInfinity { return foldRange.containsTime(time) ? time : .invalid }
  guard offset.isRational, duration.isRational else { return .invalid }
  let (distance, length, denominator) = Fraction.numerators(offset, duration)
  let remainder = distance % length
  let folded = Fraction(remainder < 0 ? remainder + length : remainder, denominator)
  return foldRange.start + folded.time(flags: offset.flags.union(duration.flags), epoch: 0)
}
