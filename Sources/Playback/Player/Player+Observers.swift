extension Player {
  /// An observer of a player's time or events; it ends when ``cancel()`` is called or its last reference is released.
  ///
  /// An observer without an actor is called on the player's serial queue: all of them one at a time, in the order of
  /// the player's decisions. A boundary at the end of an item is reported before ``Player/Event/itemDidPlayToEnd(_:)``,
  /// which precedes ``Player/Event/currentItemChanged(from:to:)``. Boundaries of the next item follow. A long call
  /// delays only the later calls.
  ///
  /// An observer on an actor, such as ``Player/addPeriodicTimeObserver(forInterval:on:using:)``, is called there. The
  /// calls of one observer are in this order; calls of different observers may not be.
  ///
  /// The counterpart of the token of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`. After `cancel()` has
  /// returned, no new call of the observer begins; a call on another thread may still be running, unless it was called
  /// on the observer's actor. `cancel()` may be called anywhere, also inside the observer's own call, and more than
  /// once.
  public final class Observer: Sendable {
    private let delivery: ObserverDelivery
    private let remove: @Sendable () -> Void

    init(_ delivery: ObserverDelivery, remove: @escaping @Sendable () -> Void) {
      self.delivery = delivery
      self.remove = remove
    }

    deinit { cancel() }

    /// Ends the observation.
    public func cancel() {
      if delivery.cancel() { remove() }
    }
  }
}

/// Observers that are called on the executor of the player.
extension Player {
  // MARK: Events

  /// Calls `body` with every event from now on, in order with the calls of the time observers.
  ///
  /// It is called on the serial queue of the player's observers, see ``Player/Observer``. No event is dropped, even if a
  /// call takes long; later events are queued.
  ///
  /// - Parameter body: Receives each event, and the snapshot of the decision that caused it. All events of one decision
  ///   have the same snapshot. Later commands and events are not in it; ``snapshot`` read in the call may be newer.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addEventObserver(
    using body: @escaping @Sendable (Player.Event, Player.Snapshot) -> Void
  ) -> Player.Observer {
    core.addObserver(of: .events, \.event) { body($0.event, $0.snapshot) }
  }

  // MARK: Times

  /// Calls `body` whenever playback passes a multiple of `interval`, and whenever it starts, stops, stalls, jumps or
  /// ends.
  ///
  /// The interval is media time: at rate 2, calls are twice as frequent, and there are none while paused. Calls are
  /// made one at a time on the player's own queue. If several multiples pass during a long call, only the latest is
  /// reported. Starts, stops, jumps and ends are always reported. The end of an item is reported just before
  /// ``Player/Event/itemDidPlayToEnd(_:)``, and then the position after it.
  ///
  /// The counterpart of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`.
  ///
  /// - Parameters:
  ///   - interval: Media time, 1 ms or more.
  ///   - body: Receives the position.
  /// - Returns: The observation; it ends when its last reference is released.
  /// - Throws: ``PlayerError`` with the code `invalid-argument` if the interval is too short.
  public func addPeriodicTimeObserver(
    forInterval interval: Duration, using body: @escaping @Sendable (Duration) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(interval: interval)), \.time, body)
  }

  /// Calls `body` each time that playback crosses one of `times` in the current item, whichever item that is.
  ///
  /// Only forward playback crosses a boundary; a seek does not. A start from 0 crosses a boundary at 0. The end of the
  /// item crosses one at the duration, just before ``Player/Event/itemDidPlayToEnd(_:)``; boundaries beyond it are
  /// never crossed. Thousands of boundaries use one pending timer.
  ///
  /// If the process was suspended, the position is measured before boundaries are reported. Those crossed in the
  /// meantime are reported once and in order; the others when playback reaches them.
  ///
  /// The counterpart of `AVPlayer.addBoundaryTimeObserver(forTimes:queue:using:)`.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a negative time.
  public func addBoundaryTimeObserver(
    forTimes times: [Duration], using body: @escaping @Sendable (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(times: times)), \.crossing, body)
  }

  /// Calls `body` each time that playback crosses one of `fractions` of the duration of the current item.
  ///
  /// The middle of every item is `[0.5]`. While the duration of an item is unknown, it has no such boundaries. If an
  /// estimated duration changes, each fraction is still reported only once, and at once if playback has already passed
  /// it. If an item ends early, all remaining fractions are reported by its end.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a fraction that is not within 0…1.
  public func addBoundaryTimeObserver(
    forFractions fractions: [Double], using body: @escaping @Sendable (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(fractions: fractions)), \.crossing, body)
  }

  /// Calls `body` once per playback of an item, when the given wall time remains of it at the current rate.
  ///
  /// It is useful to prepare something before the next item begins. If less time remains at the start, after a jump or
  /// after a change of rate, the call follows as soon as playback runs. A jump back before the boundary repeats the
  /// call; a change of rate alone does not. The call is not made for an item of unknown duration, or while the position
  /// does not advance.
  ///
  /// `AVPlayer` does not have a counterpart; the boundary moves with the duration and the rate.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for a negative time; 0 is the end.
  public func addBoundaryTimeObserver(
    forTimeRemaining remaining: Duration, using body: @escaping @Sendable (Player.BoundaryCrossing) -> Void
  ) throws(PlayerError) -> Player.Observer {
    core.addObserver(of: .times(try .init(remaining: remaining)), \.crossing, body)
  }

  /// Returns the positions that ``addPeriodicTimeObserver(forInterval:using:)`` reports as a sequence; a slow reader
  /// receives only the latest.
  public func times(every interval: Duration) throws(PlayerError) -> AsyncStream<Duration> {
    core.sequence(of: .times(try .init(interval: interval)), \.time, limit: 1)
  }

  /// Returns the crossings that ``addBoundaryTimeObserver(forTimes:using:)`` reports as a sequence; it buffers the
  /// latest 1,024 for a slow reader.
  public func boundaries(at times: [Duration]) throws(PlayerError) -> AsyncStream<Player.BoundaryCrossing> {
    core.sequence(of: .times(try .init(times: times)), \.crossing)
  }

  /// Returns the crossings that ``addBoundaryTimeObserver(forFractions:using:)`` reports as a sequence; it buffers the
  /// latest 1,024 for a slow reader.
  public func boundaries(atFractions fractions: [Double]) throws(PlayerError) -> AsyncStream<Player.BoundaryCrossing> {
    core.sequence(of: .times(try .init(fractions: fractions)), \.crossing)
  }

  /// Returns the crossings that ``addBoundaryTimeObserver(forTimeRemaining:using:)`` reports as a sequence; it buffers
  /// the latest 1,024 for a slow reader.
  public func boundaries(
    atTimeRemaining remaining: Duration
  ) throws(PlayerError) -> AsyncStream<Player.BoundaryCrossing> {
    core.sequence(of: .times(try .init(remaining: remaining)), \.crossing)
  }

  // MARK: Metadata

  /// Calls `body` with each chapter, line of lyrics, title of a radio station and ID3 tag of HTTP Live Streaming when
  /// playback reaches its time.
  ///
  /// Playback delivers every piece of metadata that it passes. A seek delivers the one of each kind that applies at its
  /// target, unless that is the last one again. Metadata that applied before the call is not delivered. Calls are made
  /// one at a time on the player's own queue, in order with the calls of the other observers.
  ///
  /// Chapters and lyrics of an item that is only a part of its media are not delivered, because their times count from the start of
  /// the whole media.
  ///
  /// The counterpart of `AVPlayerItemMetadataOutput`, for all items of the player.
  ///
  /// - Parameters:
  ///   - advance: The media time by which each piece is delivered early, 0 to one day; clamped. A piece that is known
  ///     later, and one at the start of an item, is delivered as soon as possible.
  ///   - body: Receives the metadata.
  /// - Returns: The observation; it ends when its last reference is released.
  public func addTimedMetadataObserver(
    advance: Duration = .zero, using body: @escaping @Sendable (TimedMetadata) -> Void
  ) -> Player.Observer {
    core.addObserver(of: .metadata(advance: advance), \.metadata, body)
  }

  /// Returns the metadata that ``addTimedMetadataObserver(advance:using:)`` delivers as a sequence.
  ///
  /// - Parameter advance: The media time by which each piece is delivered early, 0 to one day; clamped.
  /// - Returns: The sequence; it buffers the latest 1,024 for a slow reader, and ends when the player is closed.
  public func timedMetadata(advance: Duration = .zero) -> AsyncStream<TimedMetadata> {
    core.sequence(of: .metadata(advance: advance), \.metadata)
  }
}

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

/// Validates observed values.
extension TimeObservers.Kind {
  init(interval: Duration) throws(PlayerError) {
    guard interval >= .milliseconds(1) else { throw .invalid("the interval \(interval) is shorter than 1 ms") }
    self = .periodic(interval.limited)
  }

  init(times: [Duration]) throws(PlayerError) {
    guard !times.isEmpty else { throw .invalid("the list of boundary times is empty") }
    if let negative = times.first(where: { $0 < .zero }) { throw .invalid("the boundary \(negative) is negative") }
    self = .times(Set(times.map(\.limited)).sorted())
  }

  init(remaining: Duration) throws(PlayerError) {
    guard remaining >= .zero else { throw .invalid("the time remaining \(remaining) is negative") }
    self = .remaining(remaining.limited)
  }

  init(fractions: [Double]) throws(PlayerError) {
    guard !fractions.isEmpty else { throw .invalid("the list of boundary fractions is empty") }
    if let wrong = fractions.first(where: { !(0...1).contains($0) }) {
      throw .invalid("the fraction \(wrong) is not between 0 and 1")
    }
    self = .fractions(Set(fractions).sorted())
  }
}
