extension Player {
  /// Calls `body` whenever play passes a multiple of `interval`, and whenever it starts, stops, stalls, jumps or ends.
  ///
  /// The interval counts media time: at twice the speed the calls come twice as often, and none come while paused.
  /// Calls are made one at a time on a queue of the player's own. Of the multiples that are passed while a call takes
  /// long, the newest is told and the others are left out; starts, stops, jumps and ends are told always. The end of an item is told just before ``PlayerEvent/itemDidPlayToEnd(_:)``, and where the
  /// position is after it, next.
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
    core.addObserver(try TimeObservers.Kind(interval: interval)) { notice in
      if case .time(let position) = notice { body(position) }
    }
  }

  /// Calls `body` each time that play traverses one of `times`, in whatever item is current.
  ///
  /// Play goes forwards only. A seek across a boundary does not traverse it. A boundary at 0 is traversed by a start from 0, one at the duration
  /// by the end, just before ``PlayerEvent/itemDidPlayToEnd(_:)``; one beyond never. Thousands of boundaries cost one
  /// pending timer. When the process was stopped for a while, the position is measured before anything is told: what
  /// play went through meanwhile is told once and in order, the rest when it is reached.
  ///
  /// The counterpart of `AVPlayer.addBoundaryTimeObserver(forTimes:queue:using:)`.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a negative time.
  public func addBoundaryTimeObserver(
    forTimes times: [Duration], using body: @escaping @Sendable (BoundaryCrossing) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    core.addObserver(try TimeObservers.Kind(times: times)) { notice in
      if case .crossing(let crossing) = notice { body(crossing) }
    }
  }

  /// Calls `body` each time that play traverses one of `fractions` of the duration of whatever item is current.
  ///
  /// Half of every item is `[0.5]`. An item whose duration is not known has no such boundaries until it is. Where a
  /// duration is estimated and turns out to be another, a fraction is told once all the same, and at once where it is
  /// behind by then; of an item that ends early all are told by its end.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for an empty list or a fraction that is not within 0…1.
  public func addBoundaryTimeObserver(
    forFractions fractions: [Double], using body: @escaping @Sendable (BoundaryCrossing) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    core.addObserver(try TimeObservers.Kind(fractions: fractions)) { notice in
      if case .crossing(let crossing) = notice { body(crossing) }
    }
  }

  /// Calls `body` once in each passage through an item, when so much wall time remains of it at the present speed.
  ///
  /// For what is to be ready before the next item begins. A shorter item, or what is left after a jump or a change of
  /// speed, is told at once as it plays. Going back before it lets it be told again, another speed alone does not. An
  /// item whose duration is not known is never told, nor is anything while play stands.
  ///
  /// `AVPlayer` has no counterpart; it is a boundary that moves with the duration and the speed.
  ///
  /// - Throws: ``PlayerError`` with the code `invalid-argument` for a negative time; 0 is the end.
  public func addBoundaryTimeObserver(
    forTimeRemaining remaining: Duration, using body: @escaping @Sendable (BoundaryCrossing) -> Void
  ) throws(PlayerError) -> PlayerObservation {
    core.addObserver(try TimeObservers.Kind(remaining: remaining)) { notice in
      if case .crossing(let crossing) = notice { body(crossing) }
    }
  }

  /// The position as a sequence, as ``addPeriodicTimeObserver(forInterval:using:)`` tells it; a slow reader gets the
  /// newest.
  public func times(every interval: Duration) throws(PlayerError) -> AsyncStream<Duration> {
    let kind = try TimeObservers.Kind(interval: interval)
    return core.sequence(of: kind, bufferingPolicy: .bufferingNewest(1)) { notice in
      if case .time(let position) = notice { position } else { nil }
    }
  }

  /// Boundaries as a sequence, as ``addBoundaryTimeObserver(forTimes:using:)`` tells them; the newest 1 024 wait for a
  /// slow reader.
  public func boundaries(at times: [Duration]) throws(PlayerError) -> AsyncStream<BoundaryCrossing> {
    let kind = try TimeObservers.Kind(times: times)
    return core.sequence(of: kind, bufferingPolicy: .bufferingNewest(1024)) { notice in
      if case .crossing(let crossing) = notice { crossing } else { nil }
    }
  }
}

extension PlayerCore {
  /// An observer as a sequence: it goes when its reader does, and ends with the player.
  fileprivate func sequence<Element: Sendable>(
    of kind: TimeObservers.Kind, bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ element: @escaping @Sendable (ObserverDelivery.Notice) -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
    let observation = addObserver(kind) { notice in
      if let element = element(notice) { continuation.yield(element) }
    } ending: {
      continuation.finish()
    }
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }
}

/// The rules for what may be observed.
extension TimeObservers.Kind {
  init(interval: Duration) throws(PlayerError) {
    guard interval >= .milliseconds(1) else {
      throw PlayerError(.invalidArgument, "the interval \(interval) is shorter than a millisecond")
    }
    self = .periodic(interval.limited)
  }

  init(times: [Duration]) throws(PlayerError) {
    guard !times.isEmpty else { throw PlayerError(.invalidArgument, "there is no time among the boundaries") }
    if let negative = times.first(where: { $0 < .zero }) {
      throw PlayerError(.invalidArgument, "the boundary \(negative) is negative")
    }
    self = .times(Set(times.map(\.limited)).sorted())
  }

  init(remaining: Duration) throws(PlayerError) {
    guard remaining >= .zero else {
      throw PlayerError(.invalidArgument, "the time remaining \(remaining) is negative")
    }
    self = .remaining(remaining.limited)
  }

  init(fractions: [Double]) throws(PlayerError) {
    guard !fractions.isEmpty else { throw PlayerError(.invalidArgument, "there is no fraction among the boundaries") }
    if let wrong = fractions.first(where: { !(0...1).contains($0) }) {
      throw PlayerError(.invalidArgument, "the fraction \(wrong) is not within 0…1")
    }
    self = .fractions(Set(fractions).sorted())
  }
}
