import EventLoop

/// Limits the messages of a process for the log: the first ones of each period pass.
package struct LogLimit {
  /// The messages that pass in a period.
  package static let count = 100
  static let period = Duration.seconds(10)
  /// The message that precedes the first one after a period in which some were left out.
  package static let omission = "further messages of the engine process were left out"

  package init() {}

  private var start: SuspendingClock.Instant?
  private var passed = 0

  /// The end of a period whose messages have all passed; nil if the next one passes.
  func end(at now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
    guard let end = start?.advanced(by: Self.period), now < end, passed >= Self.count else { return nil }
    return end
  }

  /// Counts a message; returns the messages to write: none, the message, or the omission and the message.
  package mutating func pass(_ message: String, at now: SuspendingClock.Instant) -> [String] {
    guard end(at: now) == nil else { return [] }
    guard let start, now < start.advanced(by: Self.period) else {
      let isLate = passed >= Self.count
      (start, passed) = (now, 1)
      return isLate ? [Self.omission, message] : [message]
    }
    passed += 1
    return [message]
  }
}
