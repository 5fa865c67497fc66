import Testing

@testable import Playback

@Suite("Boundary time observers during playback") struct BoundaryTimeObserverTests {
  // MARK: Boundaries

  @Test("A boundary at 0 fires at a start from 0, one at the duration before the end, one beyond it never")
  func fromStartToEnd() {
    var harness = ObserverHarness(2)
    harness.observe(times: 0, 4, 10, 10.001)
    harness.start()
    harness.advance(9)
    harness.advance(2)
    harness.step { $0.end() }
    let items = harness.harness.items
    #expect(
      harness.reported == [
        .crossing(1, 0), .crossing(1, 4), .crossing(1, 10), .event(.itemDidPlayToEnd(items[0])),
        .event(.currentItemChanged(from: items[0], to: items[1])),
      ])
  }

  @Test("An early end fires the remaining boundaries, including the duration, before the end is reported")
  func earlyEnd() {
    var harness = ObserverHarness()
    harness.observe(times: 9.9, 10)
    harness.observe(every: 5)
    harness.start()
    harness.advance(9.8)
    harness.forget()
    harness.step { $0.end() }
    let item = harness.harness.items[0]
    #expect(
      harness.reported == [
        .crossing(1, 9.9), .crossing(1, 10), .tick(10), .event(.itemDidPlayToEnd(item)), .event(.queueEnded), .tick(0),
      ])
  }

  @Test("The instant of a crossing is computed, even if it is noticed late", arguments: [1.0, 2, 0.5])
  func instant(rate: Double) throws {
    var harness = ObserverHarness()
    harness.observe(times: 2, 5)
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: 1000) }
    if rate != 1 { harness.step { $0.settle(duration: 1000) } }
    harness.step { $0.run() }
    let start = harness.harness.now
    harness.stand(77)
    harness.step { _ in }
    #expect(harness.boundaries.isEmpty)
    harness.measure()
    harness.step { _ in }
    try #require(harness.boundaries == [2, 5])
    let instants = harness.crossings.map(\.monotonicNanoseconds)
    #expect(instants == [2, 5].map { (start + .seconds($0 / rate)).nanoseconds })
    #expect(harness.crossings.map(\.position) == [.seconds(77 * rate), .seconds(77 * rate)])
  }

  @Test("A seek across a boundary does not fire it, in either direction")
  func seekAcross() {
    var harness = ObserverHarness()
    harness.observe(times: 3, 5)
    harness.start()
    harness.advance(1)
    harness.seek(4)
    harness.advance(0.5)
    harness.seek(2)
    harness.advance(0.5)
    harness.seek(6)
    harness.advance(1)
    #expect(harness.boundaries.isEmpty)
  }

  @Test("A seek onto a boundary fires it once, when playback resumes, also after a pause")
  func seekOnto() {
    var harness = ObserverHarness()
    harness.observe(times: 3)
    harness.start()
    harness.advance(1)
    harness.seek(3)
    harness.advance(1)
    #expect(harness.boundaries == [3])
    harness.step { _ = $0.pause() }
    harness.seek(3)
    harness.advance(1)
    #expect(harness.boundaries == [3])
    harness.step { _ = $0.play() }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [3, 3])
  }

  @Test("After a seek back a boundary fires again")
  func seekBack() {
    var harness = ObserverHarness()
    harness.observe(times: 2, 3)
    harness.start()
    harness.advance(2.5)
    harness.seek(1)
    harness.advance(3)
    #expect(harness.boundaries == [2, 2, 3])
  }

  @Test("A pause, a stall and a rate change do not repeat or skip a boundary")
  func interruptions() {
    var harness = ObserverHarness()
    harness.observe(times: 1, 2, 3, 4)
    harness.start(duration: 100)
    harness.advance(1.5)
    harness.step { _ = $0.pause() }
    harness.advance(100)
    #expect(harness.boundaries == [1])
    // The pause was long enough to release the output.
    #expect(harness.harness.isReleased)
    harness.step { _ = $0.play() }
    for _ in 0..<2 { harness.step { $0.settle(duration: 100) } }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [1, 2])
    harness.step { $0.buffer(10) }
    harness.advance(30)
    harness.step { $0.buffer(100) }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [1, 2, 3])
    harness.step { $0.decide(.setRate(4)) }
    harness.step { $0.settle(duration: 100) }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [1, 2, 3, 4])
  }

  @Test(
    "A restart of the output at a slightly different position does not repeat or skip a boundary",
    arguments: [-0.05, -0.012, 0.012, 0.05])
  func runsAnew(offset: Double) {
    var harness = ObserverHarness()
    harness.observe(times: 2.96, 2.995, 3, 3.005, 3.04, 3.1)
    harness.observe(fractions: 0.0299, 0.0302)
    harness.start(duration: 100)
    harness.advance(3)
    harness.step { $0.run(measured: 3 + offset) }
    harness.advance(0.3)
    #expect(harness.boundaries == [2.96, 2.99, 2.995, 3, 3.005, 3.02, 3.04, 3.1])
  }

  @Test("A tick has the position that a reader gets at that instant")
  func ticksAreTrue() {
    var harness = ObserverHarness()
    harness.observe(every: 0.7)
    harness.start()
    for _ in 0..<5 {
      harness.advance(0.7)
      #expect(harness.ticks.last.map { $0 <= harness.harness.position / .seconds(1) } == true)
    }
    harness.step { _ = $0.pause() }
    #expect(harness.ticks.last == harness.harness.position / .seconds(1))
    harness.step { _ = $0.seek(2) }
    harness.step { $0.settle() }
    #expect(harness.ticks.last == 2)
    #expect(harness.harness.position == .seconds(2))
  }

  @Test("Boundaries fire again from 0 after a stop and a play")
  func stopAndPlay() {
    var harness = ObserverHarness()
    harness.observe(times: 0, 2)
    harness.start()
    harness.advance(3)
    harness.step { _ = $0.stop() }
    harness.advance(10)
    harness.start()
    harness.advance(3)
    #expect(harness.boundaries == [0, 2, 0, 2])
  }

  @Test("A looped track fires its boundaries in each repetition, with or without a gap", arguments: [false, true])
  func loop(isGapless: Bool) throws {
    var harness = ObserverHarness(loop: .track)
    harness.observe(times: 0, 4, 10)
    harness.start()
    for _ in 0..<3 {
      harness.advance(9)
      if isGapless {
        let stream = try harness.prepareNext()
        harness.advance(1)
        harness.enterNext(stream)
      } else {
        harness.advance(1)
        harness.step { $0.end() }
        harness.step { $0.settle() }
        harness.step { $0.run() }
      }
      harness.advance(0.1)
    }
    #expect(harness.boundaries == [0, 4, 10, 0, 4, 10, 0, 4, 10, 0])
  }

  @Test("In a gapless transition each item has its own fractions, and the old item's fractions fire first")
  func gapless() throws {
    var harness = ObserverHarness(2)
    harness.observe(fractions: 0, 0.5, 1)
    harness.start()
    harness.advance(9)
    let stream = try harness.prepareNext(duration: 4)
    harness.advance(1)
    harness.enterNext(stream)
    harness.advance(1)
    harness.advance(3.1)
    let items = harness.harness.items
    #expect(
      harness.reported == [
        .crossing(1, 0), .crossing(1, 5), .crossing(1, 10), .event(.itemDidPlayToEnd(items[0])),
        .event(.currentItemChanged(from: items[0], to: items[1])), .crossing(1, 0), .crossing(1, 2), .crossing(1, 4),
      ])
    #expect(harness.crossings.map(\.item) == [0, 0, 0, 1, 1, 1].map { items[$0] })
  }

  @Test("Fractions wait for the duration; fractions behind the playhead by then do not fire")
  func unknownDuration() {
    var harness = ObserverHarness()
    harness.observe(fractions: 0.25, 0.5, 0.75)
    harness.start(duration: nil)
    harness.advance(4)
    #expect(harness.nextWake == nil)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(10)))) }
    harness.advance(4)
    #expect(harness.boundaries == [5, 7.5])
  }

  // MARK: Wake-ups

  @Test("No wake-up is scheduled without observers or while the position stands")
  func noWake() {
    var harness = ObserverHarness(2)
    #expect(harness.nextWake == nil)
    harness.start()
    harness.advance(2)
    #expect(harness.nextWake == nil)
    harness.observe(times: 5)
    harness.observe(every: 0.01)
    #expect(harness.nextWake != nil)
    harness.step { _ = $0.seek(1) }
    #expect(harness.nextWake == nil)
    harness.step { $0.settle() }
    harness.step { _ = $0.pause() }
    #expect(harness.nextWake == nil)
    harness.step { _ = $0.play() }
    harness.step { $0.run() }
    #expect(harness.nextWake != nil)
    harness.step { $0.buffer(10) }
    #expect(harness.nextWake == nil)
    harness.step { _ = $0.next() }
    #expect(harness.nextWake == nil)
    harness.step { _ = $0.stop() }
    #expect(harness.nextWake == nil)
  }

  @Test("A boundary behind the playhead or beyond the duration schedules no wake-up")
  func noWakeInVain() {
    var harness = ObserverHarness()
    harness.observe(times: 1, 11)
    harness.start()
    harness.advance(2)
    #expect(harness.boundaries == [1])
    #expect(harness.nextWake == nil)
  }

  @Test("A thousand boundaries need one timer, and all fire once in order")
  func thousand() throws {
    var harness = ObserverHarness()
    let all = (1...1000).map { Duration.milliseconds($0 * 7) }
    harness.observe(.times(all))
    harness.start()
    #expect(harness.nextWake == harness.harness.now + .milliseconds(7) + .microseconds(1))
    harness.advance(8)
    #expect(harness.crossings.map(\.boundary) == all)
    // The player itself queries the position three times after a start.
    #expect(harness.wakes <= 1003)
    #expect(harness.nextWake == nil)
  }
}
