import Testing

@testable import Playback

@Suite("Time observers with inaccurate clocks and durations") struct TimeObserverHazardTests {
  @Test("A slow start delays boundaries and skips none", arguments: [5, 40, 90])
  func slowStart(milliseconds: Int) {
    var harness = ObserverHarness()
    harness.observe(times: 0.155, 0.3, 0.6, 5)
    harness.start(duration: 100)
    harness.advance(0.15)
    let behind = Duration.milliseconds(150 - milliseconds)
    harness.step { $0.sample(behind) }
    harness.advance(0.8)
    #expect(harness.boundaries == [0.155, 0.3, 0.6])
    harness.advance(5)
    #expect(harness.boundaries == [0.155, 0.3, 0.6, 5])
  }

  @Test("A clock correction adjusts the playhead and skips no boundary", arguments: [-900, -50, -3, 3, 50, 900])
  func wavering(milliseconds: Int) {
    var harness = ObserverHarness()
    harness.observe(times: 4, 5.1, 20)
    harness.observe(every: 10)
    harness.start(duration: 100)
    harness.advance(5)
    harness.step { $0.sample(.milliseconds(5000 + milliseconds)) }
    harness.advance(0.2)
    #expect(harness.boundaries == [4, 5.1])
    harness.advance(20)
    #expect(harness.boundaries == [4, 5.1, 20])
    #expect(harness.ticks.filter { $0 >= 10 }.map { $0.rounded() } == [10, 20])
  }

  @Test("The instant of a crossing agrees with the positions that readers saw", arguments: [-90, -5, 5, 90])
  func instants(milliseconds: Int) throws {
    var harness = ObserverHarness()
    harness.observe(times: 0.5, 3)
    harness.start(duration: 100)
    harness.advance(0.15)
    let measured = Duration.milliseconds(150 + milliseconds)
    harness.step { $0.sample(measured) }
    harness.advance(4)
    try #require(harness.crossings.map(\.boundary) == [.milliseconds(500), .seconds(3)])
    for crossing in harness.crossings {
      let position = harness.harness.playhead.anchor.position(
        at: MonotonicTime(nanoseconds: crossing.monotonicNanoseconds))
      #expect(abs((position - crossing.boundary) / .seconds(1)) < 0.000_01)
    }
  }

  @Test("If the output falls seconds behind, the position jumps back and the boundaries after it fire again")
  func fallenBehind() {
    var harness = ObserverHarness()
    harness.observe(times: 48, 49, 52)
    harness.start(duration: 100)
    harness.advance(50)
    harness.step { $0.sample(.seconds(47)) }
    harness.advance(10)
    #expect(harness.boundaries.suffix(3) == [48, 49, 52])
  }

  @Test("An output that is seconds ahead skips no boundary on the way")
  func farAhead() {
    var harness = ObserverHarness()
    harness.observe(times: 49, 60)
    harness.start(duration: 100)
    harness.advance(50)
    harness.step { $0.sample(.seconds(55)) }
    harness.advance(10)
    #expect(harness.boundaries == [49, 60])
  }

  @Test("A duration that grows repeats no fraction")
  func growingDuration() {
    var harness = ObserverHarness()
    harness.observe(fractions: 0.5, 1)
    harness.start(duration: 10)
    harness.advance(5.5)
    #expect(harness.boundaries == [5])
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(12)))) }
    harness.advance(1)
    #expect(harness.boundaries == [5])
  }

  @Test("A duration that shrinks skips no fraction")
  func shrinkingDuration() {
    var harness = ObserverHarness()
    harness.observe(fractions: 0.5, 1)
    harness.start(duration: 10)
    harness.advance(4.5)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(8)))) }
    harness.advance(0.1)
    #expect(harness.boundaries == [4])
  }

  @Test("A next item that ended before its start was noticed fires all its fractions")
  func shortSuccessor() throws {
    var harness = ObserverHarness(2)
    harness.observe(fractions: 0, 0.5, 1)
    harness.start()
    harness.advance(9.9)
    let stream = try harness.prepareNext(duration: 0.02)
    harness.stand(0.2)
    harness.enterNext(stream)
    harness.step { $0.end() }
    let items = harness.harness.items
    #expect(harness.boundaries == [0, 5, 10, 0, 0.01, 0.02])
    #expect(harness.crossings.map(\.item) == [0, 0, 0, 1, 1, 1].map { items[$0] })
  }

  @Test("A varying duration fires each fraction once; a claimed duration below the position is ignored")
  func waveringDuration() {
    var harness = ObserverHarness()
    harness.observe(fractions: 0.25, 0.5, 0.75, 1)
    harness.start(duration: 10)
    for (index, duration) in [12.0, 8, 14, 9, 11, 10].enumerated() {
      harness.advance(1)
      harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(duration)))) }
      #expect(harness.crossings.count <= index + 1)
    }
    let reported = harness.crossings.count
    harness.advance(1)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(5)))) }
    harness.advance(0.1)
    #expect(reported == 2)
    #expect(harness.crossings.count == 2)
    harness.step { $0.end() }
    #expect(harness.crossings.count == 4)
  }

  @Test("An item that ends early fires all its fractions at its end")
  func cutShort() {
    var harness = ObserverHarness()
    harness.observe(fractions: 0.25, 0.5, 1)
    harness.start(duration: 20)
    harness.advance(8)
    #expect(harness.boundaries == [5])
    harness.step { $0.end() }
    #expect(harness.boundaries == [5, 4, 8])
  }

  @Test("The end ticks every periodic observer once, the oldest first, before the event")
  func endTicks() {
    var harness = ObserverHarness()
    let observers = [3.0, 1000, 5, 10, 7].map { harness.observe(every: $0) }
    harness.start()
    harness.advance(10.2)
    let place = harness.ticking.count
    harness.step { $0.end() }
    let end = Array(harness.ticking[place...].prefix(3))
    // The end is a multiple of 5 and 10; these observers were notified when it was reached.
    #expect(end == [observers[0], observers[1], observers[4]])
    #expect(harness.ticks.filter { $0 == 10 }.count == 5)
  }

  @Test("Simultaneous ticks reach the oldest observer first")
  func ticksInOrder() {
    var harness = ObserverHarness()
    let observers = (0..<12).map { _ in harness.observe(every: 1) }
    harness.start()
    harness.advance(2.5)
    #expect(harness.ticking.count.isMultiple(of: 12))
    for start in stride(from: 0, to: harness.ticking.count, by: 12) {
      #expect(Array(harness.ticking[start...].prefix(12)) == observers)
    }
  }

  @Test("Fractions that map to the same instant fire once")
  func sameInstant() {
    var harness = ObserverHarness()
    harness.observe(.fractions([0.3, 0.1 + 0.2]))
    harness.start(duration: 1)
    harness.advance(0.9)
    #expect(harness.boundaries == [0.3])
  }

  @Test("A boundary that is centuries ahead does not prevent other wake-ups", arguments: [1.0, 0.25])
  func centuries(rate: Double) {
    var harness = ObserverHarness()
    harness.observe(.times([.seconds(Int64.max)]))
    harness.observe(.periodic(.seconds(Int64.max)))
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: nil) }
    if rate != 1 { harness.step { $0.settle(duration: nil) } }
    harness.step { $0.run() }
    // The start at 0 is a multiple of any interval.
    harness.advance(0.001)
    harness.forget()
    let due = harness.nextWake
    #expect(due.map { $0 > harness.harness.now + .seconds(1_000_000) } ?? true)
    // The first position query is due 150 ms after the start.
    harness.step { _ in }
    let place = harness.harness.effects.count
    harness.advance(0.2)
    #expect(harness.harness.effects[place...].contains(.command(.samplePosition(of: harness.token))))
    #expect(harness.boundaries.isEmpty)
  }

  @Test("An observer added while playing or paused receives no past boundaries", arguments: [false, true])
  func addedLater(isPaused: Bool) {
    var harness = ObserverHarness()
    harness.start()
    harness.advance(3)
    if isPaused { harness.step { _ = $0.pause() } }
    harness.observe(times: 0, 2, 4)
    harness.observe(fractions: 0, 0.1, 0.5)
    harness.observe(every: 2)
    harness.advance(0.1)
    #expect(harness.reported.isEmpty)
    if isPaused {
      harness.step { _ = $0.play() }
      harness.step { $0.run() }
    }
    harness.advance(3)
    #expect(harness.boundaries == [4, 5])
    harness.observe(times: 1, 7)
    harness.advance(2)
    #expect(harness.boundaries == [4, 5, 7])
  }
}
