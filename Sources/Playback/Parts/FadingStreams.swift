/// The stream of the item before the current one, which fades out until its end.
struct OutgoingStream: Codable, Sendable {
  @RecordedItem var item: Player.Item
  /// The position over time; it stands while the current item stands.
  var anchor: PositionAnchor
  /// The position at which it ends.
  var duration: Duration
  /// Its part of the plan.
  var part: PlannedPart

  var token: StreamToken { part.stream }

  /// The instant at which its last sample is played; nil while it stands.
  var end: MonotonicTime? { anchor.outputInstant(reaching: duration) }

  func position(at now: MonotonicTime) -> Duration { min(anchor.position(at: now), duration) }

  /// Stops it together with the current item.
  mutating func freeze(at now: MonotonicTime) { anchor = PositionAnchor(position: position(at: now)) }

  /// Lets it run together with the current item.
  mutating func run(from now: MonotonicTime, rate: Double) {
    anchor = PositionAnchor(position: position(at: now), instant: now, rate: rate)
  }
}

/// The stream of an item that a command has skipped, which fades out beside the next one.
struct SkippedStream: Codable, Sendable {
  /// Its part of the plan.
  var part: PlannedPart
  /// The fade-in with which the next item begins.
  var shape: CrossfadeShape
  /// The instant at which it is closed if the engine has not reported its end.
  var deadline: MonotonicTime

  var token: StreamToken { part.stream }
}
