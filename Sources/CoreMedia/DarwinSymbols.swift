// The names come from Apple's systems.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

// Symbols of Apple's system that every import of a framework brings there, and that Linux does not have.

/// The nanoseconds of a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// The nanoseconds of a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// The nanoseconds of a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// The microseconds of a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// The milliseconds of a second.
public let MSEC_PER_SEC: UInt64 = 1_000

/// A time in seconds.
public typealias CFTimeInterval = Double
/// A date, in seconds since the start of 2001.
public typealias CFAbsoluteTime = CFTimeInterval
/// The result of a function of Core Audio; 0 is success.
public typealias OSStatus = Int32
/// A code of four characters.
public typealias FourCharCode = UInt32
/// A type as a code of four characters.
public typealias OSType = FourCharCode

/// The result of a function that succeeded.
public let noErr: OSStatus = 0

/// Returns the seconds since the start of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Returns the seconds of the clock of ``CMClock/hostTimeClock``.
public func CACurrentMediaTime() -> CFTimeInterval { CMClock.hostTimeClock.time.seconds }

/// Calls a function; Linux does not need a pool, because objects are released at once.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
