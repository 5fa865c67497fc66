extension Player {
  /// The crossing of a boundary during playback.
  public struct BoundaryCrossing: Hashable, Sendable {
    /// The item to which the boundary belongs.
    public let item: Player.Item
    /// The requested time, or the time that corresponds to the requested fraction or remaining time.
    public let boundary: Duration
    /// The position at which the crossing was noticed, a little later.
    public let position: Duration
    /// The instant of the crossing, computed from the playhead: nanoseconds of `CLOCK_MONOTONIC`.
    public let monotonicNanoseconds: Int64
    /// The time from the position to the end of the item at the rate of playback; nil while the duration is unknown.
    public let timeRemaining: Duration?
  }
}
