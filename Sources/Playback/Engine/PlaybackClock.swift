/// The clock of a ``Player``, with one wake-up.
///
/// A test may use a clock that it advances itself, because a player reads no other clock.
public protocol PlaybackClock: Sendable {
  /// The current instant; reading it takes a few nanoseconds at most.
  var now: MonotonicTime { get }
  /// Calls `body` at an instant; replaces the wake-up set before, and nil cancels it.
  ///
  /// Any thread may call this; `body` runs on a thread of the clock, never inside this call.
  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void)
  /// Calls `body` soon on a thread of the clock, never inside this call.
  func run(_ body: @escaping @Sendable () -> Void)
}

/// The executor on which a ``Player`` calls its observers: one call at a time, in the order of the requests.
public protocol ObserverExecutor: Sendable {
  /// Calls `body` after the earlier requests, never inside this call.
  func run(_ body: @escaping @Sendable () -> Void)
}
