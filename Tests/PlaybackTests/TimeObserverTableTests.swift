import Testing

@testable import Playback

@Suite("Time observer table") struct TimeObserverTableTests {
  typealias Crossing = TimeObservers.Crossing

  /// Returns observers numbered from 1.
  private func observers(_ kinds: TimeObservers.Kind...) -> TimeObservers {
    var observers = TimeObservers()
    for (index, kind) in kinds.enumerated() { observers.add(kind, as: UInt64(index + 1)) }
    return observers
  }

  private func playbackRun(_ start: Double, _ includesStart: Bool = false, of duration: Double? = nil)
    -> TimeObservers.PlaybackRun
  {
    TimeObservers.PlaybackRun(
      start: .seconds(start), includesStart: includesStart, duration: duration.map { .seconds($0) })
  }

  private func crossing(_ observer: UInt64, _ boundary: Double) -> Crossing {
    Crossing(observer: observer, boundary: .seconds(boundary))
  }

  @Test("Without observers nothing fires and nothing is due")
  func none() {
    let none = TimeObservers()
    #expect(none.crossings(in: playbackRun(0, true), upTo: .seconds(100)).isEmpty)
    #expect(none.ticks(in: playbackRun(0, true), upTo: .seconds(100)).isEmpty)
    #expect(none.nextDue(in: playbackRun(0, true)) == nil)
  }

  @Test(
    "A segment includes its end, and its start only if playback starts there",
    arguments: [
      (0.0, true, 0.0, [0.0]), (0, true, 4, [0, 1, 3]), (0, false, 4, [1, 3]), (0, false, 0.5, []),
      (1, true, 1, [1]), (1, false, 1, []), (1, false, 3, [3]), (1, true, 2.9, [1]), (3, false, 9, [8]),
      (3, true, 9, [3, 8]), (8, false, 100, []), (8.1, true, 100, []),
    ])
  func stretches(start: Double, includesStart: Bool, end: Double, expected: [Double]) {
    let times = observers(.times([.zero, .seconds(1), .seconds(3), .seconds(8)]))
    #expect(
      times.crossings(in: playbackRun(start, includesStart), upTo: .seconds(end)) == expected.map { crossing(1, $0) })
  }

  @Test(
    "The next time is the first one that is not behind the playhead",
    arguments: [
      (0.0, true, 0.0), (0, false, 1), (0.5, true, 1), (1, true, 1), (1, false, 3), (2, false, 3), (7.9, true, 8),
      (8, true, 8), (8, false, nil), (50, true, nil),
    ] as [(Double, Bool, Double?)])
  func next(start: Double, includesStart: Bool, expected: Double?) {
    let times = observers(.times([.zero, .seconds(1), .seconds(3), .seconds(8)]))
    #expect(times.nextDue(in: playbackRun(start, includesStart)) == expected.map { .seconds($0) })
  }

  @Test(
    "Fractions are relative to the duration",
    arguments: [(8.0, [0.0, 2, 4, 8]), (100, [0, 25, 50, 100]), (0, [0])] as [(Double, [Double])])
  func fractions(duration: Double, expected: [Double]) {
    let fractions = observers(.fractions([0, 0.25, 0.5, 1]))
    let crossings = fractions.crossings(in: playbackRun(0, true, of: duration), upTo: .seconds(1000))
    #expect(crossings.map(\.boundary) == expected.map { .seconds($0) })
  }

  @Test("Fractions of an unknown duration never fire")
  func fractionsOfUnknown() {
    let fractions = observers(.fractions([0, 0.5, 1]))
    #expect(fractions.crossings(in: playbackRun(0, true), upTo: .seconds(1000)).isEmpty)
    #expect(fractions.nextDue(in: playbackRun(0, true)) == nil)
  }

  @Test("The fraction 1 is the duration to the nanosecond", arguments: [1, 3, 1_020_113_379, Int64.max])
  func whole(nanoseconds: Int64) {
    let duration = Duration.nanoseconds(nanoseconds)
    let playbackRun = TimeObservers.PlaybackRun(start: .zero, includesStart: false, duration: duration)
    #expect(observers(.fractions([1])).nextDue(in: playbackRun) == duration)
  }

  @Test("Crossings of several observers are in order of time, then of registration")
  func order() {
    let several = observers(
      .times([.seconds(1), .seconds(4)]), .fractions([0.1, 0.4]), .times([.seconds(1), .seconds(2)]),
      .periodic(.seconds(1)))
    #expect(
      several.crossings(in: playbackRun(0, true, of: 10), upTo: .seconds(4)) == [
        crossing(1, 1), crossing(2, 1), crossing(3, 1), crossing(3, 2), crossing(1, 4), crossing(2, 4),
      ])
    // The order in which two observers are read differs between runs of the program.
    for (first, second) in [(4.0, 2.0), (2, 4)] {
      let two = observers(.times([.seconds(first)]), .times([.seconds(second)]))
      #expect(two.crossings(in: playbackRun(0), upTo: .seconds(4)).map(\.boundary) == [.seconds(2), .seconds(4)])
    }
  }

  @Test(
    "A periodic observer is due at the multiples of its interval",
    arguments: [
      (1000, 0, true, 0), (1000, 0, false, 1000), (1000, 1, true, 1000), (1000, 999, false, 1000),
      (1000, 1000, true, 1000), (1000, 1000, false, 2000), (250, 7300, false, 7500), (10_000, 7300, false, 10_000),
      (1, 3_600_000, false, 3_600_001), (3, 1_000_000_000, false, 1_000_000_002),
    ])
  func multiples(interval: Int, start: Int, includesStart: Bool, expected: Int) {
    let periodic = observers(.periodic(.milliseconds(interval)))
    let due = Duration.milliseconds(expected)
    let playbackRun = TimeObservers.PlaybackRun(
      start: .milliseconds(start), includesStart: includesStart, duration: nil)
    #expect(periodic.nextDue(in: playbackRun) == due)
    #expect(periodic.ticks(in: playbackRun, upTo: due - .nanoseconds(1)).isEmpty)
    #expect(periodic.ticks(in: playbackRun, upTo: due) == [1])
  }

  @Test(
    "A multiple up to the last tick at a start or a jump is not due again",
    arguments: [(0.0, 0.0, 1.0), (0, 0.02, 1), (0, 1, 2), (3, 3, 4), (3, 2.9, 3), (3, 2, 3)])
  func ticked(start: Double, position: Double, expected: Double) {
    var both = observers(.periodic(.seconds(1)))
    var playbackRun = playbackRun(start, true)
    playbackRun.ticked = .init(observers: [1], position: .seconds(position))
    #expect(both.nextDue(in: playbackRun) == .seconds(expected))
    #expect(both.ticks(in: playbackRun, upTo: .seconds(expected) - .nanoseconds(1)).isEmpty)
    #expect(both.ticks(in: playbackRun, upTo: .seconds(expected)) == [1])
    both.add(.periodic(.seconds(1)), as: 2)
    #expect(both.nextDue(in: playbackRun) == .seconds(start))
    #expect(both.ticks(in: playbackRun, upTo: .seconds(start)).contains(2))
  }

  @Test("A segment that spans many multiples ticks once")
  func oneTick() {
    #expect(observers(.periodic(.milliseconds(1))).ticks(in: playbackRun(0), upTo: .seconds(3600)) == [1])
  }

  @Test("The earliest of all kinds is next", arguments: [(0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0)])
  func earliest(start: Double, expected: Double) {
    let all = observers(
      .times([.milliseconds(700), .seconds(5)]), .fractions([0.09, 0.9]), .periodic(.milliseconds(500)))
    #expect(all.nextDue(in: playbackRun(start, of: 10)) == .seconds(expected))
  }

  @Test("A removed observer is not due; only periodic observers receive jumps")
  func removed() {
    var both = observers(.times([.seconds(1)]), .periodic(.seconds(2)))
    #expect(both.periodic == [2])
    both.remove(1)
    #expect(both.nextDue(in: playbackRun(0)) == .seconds(2))
    #expect(both.crossings(in: playbackRun(0), upTo: .seconds(9)).isEmpty)
    both.remove(2)
    #expect(both.nextDue(in: playbackRun(0)) == nil)
  }

  @Test("The longest times and intervals are never due and do not overflow")
  func longest() {
    let longest = observers(.periodic(.seconds(Int64.max)), .times([.seconds(Int64.max)]))
    let due = longest.nextDue(in: playbackRun(3))
    #expect(due == .nanoseconds(Int64.max))
    #expect(longest.ticks(in: playbackRun(3), upTo: .seconds(1e9)).isEmpty)
    #expect(longest.crossings(in: playbackRun(3), upTo: .seconds(1e9)).isEmpty)
  }
}
