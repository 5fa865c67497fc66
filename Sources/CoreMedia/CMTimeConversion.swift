// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The rounding of a value when its timescale changes.
///
/// <https://developer.apple.com/documentation/coremedia/cmtimeroundingmethod>
public enum CMTimeRoundingMethod: UInt32, Hashable, Sendable {
  /// Rounds to the nearest value, and halves away from zero.
  case roundHalfAwayFromZero = 1
  /// Drops the fraction.
  case roundTowardZero = 2
  /// Rounds each fraction away from zero.
  case roundAwayFromZero = 3
  /// Rounds toward zero for a smaller timescale, and away from zero for a larger one; a negative time never becomes 0.
  case quickTime = 4
  /// Rounds each fraction up.
  case roundTowardPositiveInfinity = 5
  /// Rounds each fraction down.
  case roundTowardNegativeInfinity = 6

  /// The method of all operations without a parameter for it.
  public static var `default`: Self { .roundHalfAwayFromZero }
}

extension CMTime {
  /// The seconds, as ``CMTimeGetSeconds(_:)`` returns them.
  public var seconds: Double { CMTimeGetSeconds(self) }

  /// Returns the time in another timescale, as ``CMTimeConvertScale(_:timescale:method:)`` does.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }
}

/// Makes a time of the epoch 0 from seconds; the fraction of a unit is dropped.
///
/// If the value overflows, the timescale is halved until it fits. If it overflows with the timescale 1, the result is
/// infinity. ``CMTimeFlags/hasBeenRounded`` is set if the seconds of the result differ from the argument. Infinity results in
/// infinity. NaN, and a timescale that is not positive, result in an invalid time.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
  var timescale = preferredTimescale
  while true {
    if let value = Int64(exactly: (seconds * Double(timescale)).rounded(.towardZero)) {
      var time = CMTimeMake(value: value, timescale: timescale)
      if time.seconds != seconds { time.flags.insert(.hasBeenRounded) }
      return time
    }
    guard seconds.isFinite, timescale > 1 else { return .infinity(isNegative: seconds < 0) }
    timescale /= 2
  }
}

/// Returns the seconds of a time: NaN if it is invalid or indefinite.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  if time.isPositiveInfinity { return .infinity }
  if time.isNegativeInfinity { return -.infinity }
  return time.isNumeric ? Double(time.value) / Double(time.timescale) : .nan
}

/// Returns a time in another timescale.
///
/// ``CMTimeFlags/hasBeenRounded`` is set if the value was rounded. Times that are not numeric are returned as they are. The
/// result is infinity if the value overflows, and invalid if the timescale is not positive.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
  guard time.isNumeric else { return time }
  guard time.timescale > 0, newTimescale > 0 else { return .invalid }
  let isFiner = newTimescale > time.timescale
  let rounding = method == .quickTime ? (isFiner ? .roundAwayFromZero : .roundTowardZero) : method
  guard var (value, isRounded) = Fraction(time).value(in: newTimescale, by: rounding) else {
    return .infinity(isNegative: time.value < 0)
  }
  if method == .quickTime, value == 0, time.value < 0 { (value, isRounded) = (-1, true) }
  return CMTime(
    value: value, timescale: newTimescale, flags: isRounded ? time.flags.union(.hasBeenRounded) : time.flags,
    epoch: time.epoch)
}
