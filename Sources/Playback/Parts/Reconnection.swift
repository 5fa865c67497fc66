/// The search for a lost broadcast; kept while it plays again, in case that does not last.
///
/// Invariants: the pauses double up to the longest one; `found` is nil until the broadcast plays again.
struct Reconnection: Equatable, Sendable {
  /// When the broadcast was first lost.
  private(set) var since: MonotonicTime
  /// The last pause before an attempt.
  private(set) var backOff = firstPause
  /// When the broadcast played again.
  private(set) var found: MonotonicTime?

  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(30)
  /// A broadcast that has played for this long is no longer searched for.
  static let recovery = Duration.seconds(20)

  init(at now: MonotonicTime) { since = now }

  /// Returns the search that follows a loss at `now`: a longer one, unless the broadcast has recovered.
  func next(at now: MonotonicTime) -> Reconnection {
    if let found, now - found >= Self.recovery { return Reconnection(at: now) }
    var next = self
    next.backOff = min(backOff * 2, Self.longestPause)
    next.found = nil
    return next
  }

  /// The broadcast plays again.
  mutating func succeed(at now: MonotonicTime) { found = found ?? now }
}
