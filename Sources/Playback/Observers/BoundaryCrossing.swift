/// A boundary that play went through.
public struct BoundaryCrossing: Hashable, Sendable {
  /// The item it belongs to.
  public let item: PlayerItem
  /// The time that was asked for, or that the fraction or the time remaining came to.
  public let boundary: Duration
  /// The position when the crossing was noticed, a little later.
  public let position: Duration
  /// The instant of the crossing itself as computed from the course of play: nanoseconds of `CLOCK_MONOTONIC`.
  public let monotonicNanoseconds: Int64
}
