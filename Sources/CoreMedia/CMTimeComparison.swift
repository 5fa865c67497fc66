// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension CMTime: Comparable, Hashable {
  /// Whether two times are equal, whatever their timescales; all invalid times are.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

  /// Whether a time is before another one, in the order of ``CMTimeCompare(_:_:)``.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

  /// Hashes equal times equally, whatever their timescales.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard rank == .numeric else { return }
    hasher.combine(epoch)
    hasher.combine(Fraction(self).reduced)
  }

  /// The kinds of times, in ascending order.
  fileprivate enum Rank: Int {
    case negativeInfinity, numeric, indefinite, positiveInfinity, invalid
  }

  fileprivate var rank: Rank {
    if isPositiveInfinity { return .positiveInfinity }
    if isNegativeInfinity { return .negativeInfinity }
    if isIndefinite { return .indefinite }
    return isRational ? .numeric : .invalid
  }
}

/// Returns the order of two times: -1 if the first is earlier, 1 if it is later, and 0 if they are equal.
///
/// Negative infinity is before all numeric times; indefinite, positive infinity and invalid follow them, in this order. Times
/// of a greater epoch are later, whatever their values.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  guard time1.rank == time2.rank else { return order(time1.rank.rawValue, time2.rank.rawValue) }
  guard time1.rank == .numeric else { return 0 }
  guard time1.epoch == time2.epoch else { return order(time1.epoch, time2.epoch) }
  return order(
    Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

/// Returns the earlier one of two times, in the order of ``CMTimeCompare(_:_:)``.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// Returns the later one of two times, in the order of ``CMTimeCompare(_:_:)``.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

private func order<Number: Comparable>(_ one: Number, _ other: Number) -> Int32 {
  one < other ? -1 : one == other ? 0 : 1
}
