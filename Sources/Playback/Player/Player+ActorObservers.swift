/// Observers that are called on an actor of the caller.
///
/// Each calls `body` on the actor, which is the one that the caller runs on: `MainActor.shared`, or `self` in an actor.
/// Therefore `body` may use the state of the actor directly and does not have to be `@Sendable`. Calls of one observer
/// are in order. After ``Player/Observer/cancel()`` has returned on the actor, no call begins, and none is running.
/// The observation retains the actor until it ends; a `body` that uses `self` of an actor retains it as well.
extension Player {
  /// Calls `body` on an actor like ``addPeriodicTimeObserver(forInterval:using:)``; the counterpart of
  /// `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)` with a queue.
  ///
  /// ```swift
  /// observation = try player.addPeriodicTimeObserver(forInterval: .seconds(1), on: MainActor.shared) { position in
  ///   label.text = "\(position)"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: Media time, 1 ms or more.
  ///   - actor: The actor that the caller runs on.
  ///   - body: Receives the position. If several multiples pass while the actor is busy, only the latest is reported.
  /// - Returns: The observation; it ends when its last reference is released.
  /// - Throws: ``PlayerError`` with the code `invalid-argument` if the interval is too short.
  public func addPeriodicTimeObserver(
    forInterval interval: Duration, on actor: isolated any Actor, using body: @escaping (Duration) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(interval: interval)), on: actor, \.time, body)
  }

  /// Calls `body` on an actor like ``addBoundaryTimeObserver(forTimes:using:)``; the counterpart of
  /// `AVPlayer.addBoundaryTimeObserver(forTimes:queue:using:)` with a queue.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a negative time.
  public func addBoundaryTimeObserver(
    forTimes times: [Duration], on actor: isolated any Actor, using body: @escaping (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(times: times)), on: actor, \.crossing, body)
  }

  /// Calls `body` on an actor like ``addBoundaryTimeObserver(forFractions:using:)``.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a fraction that is not within 0…1.
  public func addBoundaryTimeObserver(
    forFractions fractions: [Double], on actor: isolated any Actor,
    using body: @escaping (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(fractions: fractions)), on: actor, \.crossing, body)
  }

  /// Calls `body` on an actor like ``addBoundaryTimeObserver(forTimeRemaining:using:)``.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for a negative time; 0 is the end.
  public func addBoundaryTimeObserver(
    forTimeRemaining remaining: Duration, on actor: isolated any Actor,
    using body: @escaping (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(remaining: remaining)), on: actor, \.crossing, body)
  }

  /// Calls `body` on an actor with every event from now on, like ``addEventObserver(using:)``.
  ///
  /// - Parameters:
  ///   - actor: The actor that the caller runs on.
  ///   - body: Receives each event, and the snapshot of the decision that caused it.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addEventObserver(
    on actor: isolated any Actor, using body: @escaping (Player.Event, Player.Snapshot) -> Void
  ) -> Player.Observer {
    core.addObserver(of: .events, on: actor, \.event) { body($0.event, $0.snapshot) }
  }

  /// Calls `body` on an actor with the metadata that playback reaches, like ``addTimedMetadataObserver(advance:using:)``.
  ///
  /// - Parameters:
  ///   - advance: The media time by which each piece is delivered early, 0 to one day; clamped.
  ///   - actor: The actor, such as `MainActor.shared`, whose state `body` may use.
  ///   - body: Receives the metadata.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addTimedMetadataObserver(
    advance: Duration = .zero, on actor: isolated any Actor, using body: @escaping (Player.TimedMetadata) -> Void
  ) -> Player.Observer {
    core.addObserver(of: .metadata(advance: advance), on: actor, \.metadata, body)
  }
}
