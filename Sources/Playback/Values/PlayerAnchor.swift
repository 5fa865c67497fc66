extension Player.Snapshot {
  /// The playhead: its position at one instant, and its rate since then.
  ///
  /// Any process can compute later positions from it without another request: `position + (now - monotonicNanoseconds)
  /// * rate`, up to the duration. ``Player/Event/changed`` announces a new anchor at every jump, start, stop and change
  /// of rate. It also announces one when playback has drifted from this anchor by more than 20 ms.
  ///
  /// The counterpart of the rate and anchor time of `AVPlayerItem.timebase`.
  public struct Anchor: Hashable, Sendable {
    /// The position at that instant.
    public let position: Duration
    /// The instant: nanoseconds of `CLOCK_MONOTONIC`.
    public let monotonicNanoseconds: Int64
    /// Media seconds per second; 0 while the position does not advance: paused, loading, stalled, seeking.
    ///
    /// During a gradual correction of the position, it differs by 0.01 from the rate of playback.
    public let rate: Double

    /// Returns the position at an instant, given in nanoseconds of `CLOCK_MONOTONIC`.
    public func position(atMonotonicNanoseconds now: Int64) -> Duration {
      guard rate != 0 else { return position }
      return position
        + (MonotonicTime(nanoseconds: now) - MonotonicTime(nanoseconds: monotonicNanoseconds)).scaled(by: rate)
    }
  }
}
