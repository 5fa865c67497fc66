// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A clock: a source of times that advances at a constant rate.
///
/// <https://developer.apple.com/documentation/coremedia/cmclock>
public final class CMClock: Sendable {
  private let now: @Sendable () -> CMTime

  private init(_ now: @escaping @Sendable () -> CMTime) { self.now = now }

  /// The clock of `DispatchTime` and `ProcessInfo.systemUptime`, which stops while the machine is suspended.
  public static let hostTimeClock = CMClock {
    CMTime(value: Int64(clamping: DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000)
  }

  /// The present time.
  public var time: CMTime { now() }
}

/// Returns the clock of the machine.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the present time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// The time of an item, and the rate at which it advances now.
///
/// <https://developer.apple.com/documentation/coremedia/cmtimebase>
public final class CMTimebase: Sendable {
  private let state: @Sendable () -> (time: CMTime, rate: Double)

  /// Creates the timebase of an item whose time and rate a function returns.
  package init(_ state: @escaping @Sendable () -> (time: CMTime, rate: Double)) { self.state = state }

  /// The present time.
  public var time: CMTime { state().time }

  /// The rate at which the time advances; 0 while it stands, also during a stall.
  public var rate: Double { state().rate }

  /// The clock from which the time is computed.
  public var sourceClock: CMClock { .hostTimeClock }
}

/// Returns the present time of a timebase.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// Returns the rate at which the time of a timebase advances now.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double { timebase.rate }
