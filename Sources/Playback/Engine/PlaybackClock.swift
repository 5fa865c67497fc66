/// The time that a ``Player`` lives by, and its one wake-up.
///
/// A test may use a clock that it advances itself: a player reads no other time.
public protocol PlaybackClock: Sendable {
  /// The present instant; costs no more than a few nanoseconds.
  var now: MonotonicTime { get }
  /// Calls `body` at an instant, in place of the wake-up that was set before; nil cancels it.
  ///
  /// Any thread may call this; `body` runs on a thread of the clock, never inside this call.
  func setWake(at instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void)
  /// Calls `body` soon on a thread of the clock, never inside this call.
  func run(_ body: @escaping @Sendable () -> Void)
}

/// Where a ``Player`` calls its observers: one call at a time, in the order of the requests.
public protocol ObserverExecutor: Sendable {
  /// Calls `body` after all that was requested before, never inside this call.
  func run(_ body: @escaping @Sendable () -> Void)
}
