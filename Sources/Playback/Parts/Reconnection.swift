/// The attempts to reconnect to a lost broadcast; kept after a success, in case the connection is lost again soon.
///
/// Invariants: the delays double up to the longest one; `found` is nil until the broadcast plays again.
struct Reconnection: Codable, Equatable, Sendable {
  /// The instant at which the broadcast was first lost.
  private(set) var since: MonotonicTime
  /// The last delay before an attempt.
  private(set) var backOff = firstPause
  /// The instant at which the broadcast played again.
  private(set) var found: MonotonicTime?

  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(30)
  /// The time after which a broadcast that plays again counts as recovered.
  private static let recovery = Duration.seconds(20)

  init(at now: MonotonicTime) { since = now }

  /// Returns the state after a loss at `now`: with a longer delay, unless the broadcast had recovered.
  func next(at now: MonotonicTime) -> Reconnection {
    if let found, now - found >= Self.recovery { return Reconnection(at: now) }
    var next = self
    next.backOff = min(backOff * 2, Self.longestPause)
    next.found = nil
    return next
  }

  /// Records that the broadcast plays again.
  mutating func succeed(at now: MonotonicTime) { found = found ?? now }
}
