extension Player {
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
