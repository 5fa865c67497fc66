extension Player {
  /// The course of the position: where it was at one instant, and how fast it has run since.
  ///
  /// From it the position of any later moment can be computed without asking again, by another process too:
  /// `position + (now - monotonicNanoseconds) * rate`, up to the duration. Another one is told of with
  /// ``PlayerEvent/changed``: at every jump, start, stop and change of speed, and when play has drifted from this one by
  /// more than 20 ms.
  ///
  /// The counterpart of the rate and anchor time of `AVPlayerItem.timebase`.
  public struct Anchor: Hashable, Sendable {
    /// The position at that instant.
    public let position: Duration
    /// The instant: nanoseconds of `CLOCK_MONOTONIC`.
    public let monotonicNanoseconds: Int64
    /// Media seconds a second; 0 while the position stands: paused, loading, stalled, seeking.
    public let rate: Double

    /// The position that follows from it for an instant, given in nanoseconds of `CLOCK_MONOTONIC`.
    public func position(atMonotonicNanoseconds now: Int64) -> Duration {
      guard rate != 0 else { return position }
      return position + (MonotonicTime(nanoseconds: now) - MonotonicTime(nanoseconds: monotonicNanoseconds)) * rate
    }
  }
}
