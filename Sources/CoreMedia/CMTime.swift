// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The numerator of a time.
public typealias CMTimeValue = Int64

/// The denominator of a time: units per second, positive.
public typealias CMTimeScale = Int32

/// The number of a timeline, such as the pass of a loop; 0 for durations.
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public let kCMTimeMaxTimescale = Int(Int32.max)

/// The properties of a time.
///
/// <https://developer.apple.com/documentation/coremedia/cmtimeflags>
public struct CMTimeFlags: OptionSet, Hashable, BitwiseCopyable, Sendable {
  /// The bits of the flags.
  public var rawValue: UInt32

  /// Makes flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Set for every valid time; a time without it is invalid.
  public static let valid = Self(rawValue: 1)
  /// Set for a rounded value, and for a value computed from one.
  public static let hasBeenRounded = Self(rawValue: 1 << 1)
  /// Set for positive infinity; value, timescale and epoch are ignored.
  public static let positiveInfinity = Self(rawValue: 1 << 2)
  /// Set for negative infinity; value, timescale and epoch are ignored.
  public static let negativeInfinity = Self(rawValue: 1 << 3)
  /// Set for an unknown time, such as the duration of a broadcast; value, timescale and epoch are ignored.
  public static let indefinite = Self(rawValue: 1 << 4)
  /// The flags that replace the value: infinite and indefinite times.
  public static let impliedValueFlagsMask: Self = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time or duration as a rational number of seconds.
///
/// `value / timescale` are the seconds. The flags mark invalid, indefinite, infinite and rounded times. Times of different
/// epochs belong to unrelated timelines: they have an order, but no sum and no difference. No operation traps.
///
/// <https://developer.apple.com/documentation/coremedia/cmtime>
public struct CMTime: BitwiseCopyable, Sendable {
  /// The numerator.
  public var value: CMTimeValue
  /// The denominator: units per second.
  public var timescale: CMTimeScale
  /// The properties of the time.
  public var flags: CMTimeFlags
  /// The timeline; 0 for durations.
  public var epoch: CMTimeEpoch

  /// Makes a time with the given fields, without a check.
  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
  }

  /// Makes an invalid time: all fields are 0.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  /// Makes a time of the epoch 0; invalid if the timescale is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) { self = CMTimeMake(value: value, timescale: timescale) }

  /// Makes a time from seconds, as ``CMTimeMakeWithSeconds(_:preferredTimescale:)`` does.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// The time 0, with the timescale 1.
  public static let zero = Self(value: 0, timescale: 1, flags: .valid, epoch: 0)
  /// An invalid time.
  public static let invalid = Self()
  /// An unknown time, such as the duration of a broadcast.
  public static let indefinite = Self(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time later than all others except invalid ones.
  public static let positiveInfinity = Self(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time earlier than all others.
  public static let negativeInfinity = Self(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  /// Whether the time is valid; indefinite and infinite times are.
  public var isValid: Bool { flags.contains(.valid) }

  /// Whether the time is positive infinity.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }

  /// Whether the time is negative infinity.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }

  /// Whether the time is indefinite.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }

  /// Whether the time is valid and not infinite or indefinite.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }

  /// Whether the time is numeric and was rounded.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// Whether the fields are a rational number: the time is numeric, and its timescale positive.
  var isRational: Bool { isNumeric && timescale > 0 }

  /// Infinity with a sign.
  static func infinity(isNegative: Bool) -> Self { isNegative ? .negativeInfinity : .positiveInfinity }
}

/// The time 0; ``CMTime/zero``.
public let kCMTimeZero = CMTime.zero
/// An invalid time; ``CMTime/invalid``.
public let kCMTimeInvalid = CMTime.invalid
/// An unknown time; ``CMTime/indefinite``.
public let kCMTimeIndefinite = CMTime.indefinite
/// Positive infinity; ``CMTime/positiveInfinity``.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// Negative infinity; ``CMTime/negativeInfinity``.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity

/// Makes a time of the epoch 0; invalid if the timescale is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Makes a time of an epoch; invalid if the timescale is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  guard timescale > 0 else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Whether a time is valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Whether a time is invalid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Whether a time is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Whether a time is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Whether a time is indefinite.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Whether a time is valid and not infinite or indefinite.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Whether a time is numeric and was rounded.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
