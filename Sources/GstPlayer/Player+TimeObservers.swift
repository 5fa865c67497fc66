extension Player {
  /// Calls `body` whenever play passes a multiple of `interval`, and whenever it starts, stops, stalls or jumps.
  ///
  /// The interval counts media time: at twice the speed the calls come twice as often, and none come while paused.
  /// Calls are made one at a time on a queue of the player's own; a body that takes longer than the interval gets the
  /// calls late, not at once.
  ///
  /// The counterpart of `AVPlayer.addPeriodicTimeObserver(forInterval:queue:using:)`.
  ///
  /// - Parameters:
  ///   - interval: Media time, 1 ms or more.
  ///   - body: Receives the position.
  /// - Returns: The observation; it ends when the last reference to it goes.
  /// - Throws: ``PlayerError`` with the code `invalid-argument` when the interval is too short.
  public func addPeriodicTimeObserver(
    forInterval interval: Duration, using body: @escaping @Sendable (Duration) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    guard interval >= .milliseconds(1) else {
      throw PlayerError(.invalidArgument, "the interval \(interval) is shorter than a millisecond")
    }
    return core.addObserver(.periodic(interval)) { notice in
      if case .time(let position) = notice { body(position) }
    }
  }

  /// Calls `body` each time that play traverses one of `times`, in whatever item is current.
  ///
  /// A seek across a boundary does not traverse it. A boundary at 0 is traversed by a start from 0, one at the duration
  /// by the end, just before ``PlayerEvent/itemDidPlayToEnd(_:)``; one beyond never. Thousands of boundaries cost one
  /// pending timer.
  ///
  /// The counterpart of `AVPlayer.addBoundaryTimeObserver(forTimes:queue:using:)`.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a negative time.
  public func addBoundaryTimeObserver(
    forTimes times: [Duration], using body: @escaping @Sendable (BoundaryCrossing) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    guard !times.isEmpty else { throw PlayerError(.invalidArgument, "there is no time among the boundaries") }
    if let negative = times.first(where: { $0 < .zero }) {
      throw PlayerError(.invalidArgument, "the boundary \(negative) is negative")
    }
    return core.addObserver(.times(Array(Set(times)).sorted())) { notice in
      if case .crossing(let crossing) = notice { body(crossing) }
    }
  }

  /// Calls `body` each time that play traverses one of `fractions` of the duration of whatever item is current.
  ///
  /// Half of every item is `[0.5]`. An item whose duration is not known has no such boundaries until it is.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a fraction that is not within 0…1.
  public func addBoundaryTimeObserver(
    forFractions fractions: [Double], using body: @escaping @Sendable (BoundaryCrossing) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    guard !fractions.isEmpty else { throw PlayerError(.invalidArgument, "there is no fraction among the boundaries") }
    if let wrong = fractions.first(where: { !(0...1).contains($0) }) {
      throw PlayerError(.invalidArgument, "the fraction \(wrong) is not within 0…1")
    }
    return core.addObserver(.fractions(Array(Set(fractions)).sorted())) { notice in
      if case .crossing(let crossing) = notice { body(crossing) }
    }
  }

  /// The position as a sequence, as ``addPeriodicTimeObserver(forInterval:using:)`` tells it; a slow reader gets the
  /// newest.
  public func times(every interval: Duration) throws(PlayerError) -> AsyncStream<Duration> {
    let (stream, continuation) = AsyncStream.makeStream(of: Duration.self, bufferingPolicy: .bufferingNewest(1))
    let observation = try addPeriodicTimeObserver(forInterval: interval) { continuation.yield($0) }
    continuation.onTermination = { _ in observation.cancel() }
    core.finishWhenClosed { continuation.finish() }
    return stream
  }

  /// Boundaries as a sequence, as ``addBoundaryTimeObserver(forTimes:using:)`` tells them; the newest 1 024 wait for a
  /// slow reader.
  public func boundaries(at times: [Duration]) throws(PlayerError) -> AsyncStream<BoundaryCrossing> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BoundaryCrossing.self, bufferingPolicy: .bufferingNewest(1024))
    let observation = try addBoundaryTimeObserver(forTimes: times) { continuation.yield($0) }
    continuation.onTermination = { _ in observation.cancel() }
    core.finishWhenClosed { continuation.finish() }
    return stream
  }
}
