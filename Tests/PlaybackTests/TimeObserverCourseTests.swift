import Testing

@testable import Playback

@Suite("Time observers over the course of play") struct TimeObserverCourseTests {
  // MARK: Boundaries

  @Test("A boundary at 0 is told at a start from 0, one at the duration before the end, one beyond never")
  func fromStartToEnd() {
    var bench = ObserverBench(2)
    bench.observe(times: 0, 4, 10, 10.001)
    bench.start()
    bench.pass(9)
    bench.pass(2)
    bench.step { $0.end() }
    let items = bench.bench.items
    #expect(
      bench.told == [
        .crossing(1, 0), .crossing(1, 4), .crossing(1, 10), .event(.itemDidPlayToEnd(items[0])),
        .event(.currentItemChanged(from: items[0], to: items[1])),
      ])
  }

  @Test("An end that comes a moment early tells the rest, the duration included, and only then the end")
  func earlyEnd() {
    var bench = ObserverBench()
    bench.observe(times: 9.9, 10)
    bench.observe(every: 5)
    bench.start()
    bench.pass(9.8)
    bench.forget()
    bench.step { $0.end() }
    let item = bench.bench.items[0]
    #expect(
      bench.told == [
        .crossing(1, 9.9), .crossing(1, 10), .tick(10), .event(.itemDidPlayToEnd(item)), .event(.queueEnded), .tick(0),
      ])
  }

  @Test("The instant of a crossing is computed, however late it is noticed", arguments: [1.0, 2, 0.5])
  func instant(rate: Double) throws {
    var bench = ObserverBench()
    bench.observe(times: 2, 5)
    bench.step { $0.step { $0.setRate(rate, now: $1) } }
    bench.step { _ = $0.play() }
    bench.step { $0.settle(duration: 1000) }
    if rate != 1 { bench.step { $0.settle(duration: 1000) } }
    bench.step { $0.run() }
    let start = bench.bench.now
    bench.stand(77)
    bench.step { _ in }
    #expect(bench.boundaries.isEmpty)
    bench.measure()
    bench.step { _ in }
    try #require(bench.boundaries == [2, 5])
    let instants = bench.crossings.map(\.monotonicNanoseconds)
    #expect(instants == [2, 5].map { (start + .seconds($0 / rate)).nanoseconds })
    #expect(bench.crossings.map(\.position) == [.seconds(77 * rate), .seconds(77 * rate)])
  }

  @Test("A seek across a boundary does not tell it, whichever way")
  func seekAcross() {
    var bench = ObserverBench()
    bench.observe(times: 3, 5)
    bench.start()
    bench.pass(1)
    bench.seek(4)
    bench.pass(0.5)
    bench.seek(2)
    bench.pass(0.5)
    bench.seek(6)
    bench.pass(1)
    #expect(bench.boundaries.isEmpty)
  }

  @Test("A seek onto a boundary tells it once, when play goes on; also from a pause")
  func seekOnto() {
    var bench = ObserverBench()
    bench.observe(times: 3)
    bench.start()
    bench.pass(1)
    bench.seek(3)
    bench.pass(1)
    #expect(bench.boundaries == [3])
    bench.step { _ = $0.pause() }
    bench.seek(3)
    bench.pass(1)
    #expect(bench.boundaries == [3])
    bench.step { _ = $0.play() }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(bench.boundaries == [3, 3])
  }

  @Test("After a seek back a boundary is told again")
  func seekBack() {
    var bench = ObserverBench()
    bench.observe(times: 2, 3)
    bench.start()
    bench.pass(2.5)
    bench.seek(1)
    bench.pass(3)
    #expect(bench.boundaries == [2, 2, 3])
  }

  @Test("A pause, a stall and another rate neither repeat a boundary nor lose one")
  func interruptions() {
    var bench = ObserverBench()
    bench.observe(times: 1, 2, 3, 4)
    bench.start(duration: 100)
    bench.pass(1.5)
    bench.step { _ = $0.pause() }
    bench.pass(100)
    #expect(bench.boundaries == [1])
    // Paused so long that the output was let go.
    #expect(bench.bench.machine.phase.isReleased)
    bench.step { _ = $0.play() }
    for _ in 0..<2 { bench.step { $0.settle(duration: 100) } }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(bench.boundaries == [1, 2])
    bench.step { $0.buffer(10) }
    bench.pass(30)
    bench.step { $0.buffer(100) }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(bench.boundaries == [1, 2, 3])
    bench.step { $0.step { $0.setRate(4, now: $1) } }
    bench.step { $0.settle(duration: 100) }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(bench.boundaries == [1, 2, 3, 4])
  }

  @Test(
    "When the pipeline runs anew, as after the loss of its clock, and is a little off, none is repeated or lost",
    arguments: [-0.05, -0.012, 0.012, 0.05])
  func runsAnew(offset: Double) {
    var bench = ObserverBench()
    bench.observe(times: 2.96, 2.995, 3, 3.005, 3.04, 3.1)
    bench.observe(fractions: 0.0299, 0.0302)
    bench.start(duration: 100)
    bench.pass(3)
    bench.step { $0.run(measured: 3 + offset) }
    bench.pass(0.3)
    #expect(bench.boundaries == [2.96, 2.99, 2.995, 3, 3.005, 3.02, 3.04, 3.1])
  }

  @Test("A tick tells the position that a reader gets at that moment")
  func ticksAreTrue() {
    var bench = ObserverBench()
    bench.observe(every: 0.7)
    bench.start()
    for _ in 0..<5 {
      bench.pass(0.7)
      #expect(bench.ticks.last.map { $0 <= bench.bench.position / .seconds(1) } == true)
    }
    bench.step { _ = $0.pause() }
    #expect(bench.ticks.last == bench.bench.position / .seconds(1))
    bench.step { _ = $0.seek(2) }
    bench.step { $0.settle() }
    #expect(bench.ticks.last == 2)
    #expect(bench.bench.position == .seconds(2))
  }

  @Test("Stop, then play, tells them from 0 again")
  func stopAndPlay() {
    var bench = ObserverBench()
    bench.observe(times: 0, 2)
    bench.start()
    bench.pass(3)
    bench.step { _ = $0.stop() }
    bench.pass(10)
    bench.start()
    bench.pass(3)
    #expect(bench.boundaries == [0, 2, 0, 2])
  }

  @Test("A track that is looped, from its end or without a gap, tells them each time round", arguments: [false, true])
  func loop(isGapless: Bool) throws {
    var bench = ObserverBench(loop: .track)
    bench.observe(times: 0, 4, 10)
    bench.start()
    for _ in 0..<3 {
      bench.pass(9)
      if isGapless {
        let stream = try bench.bench.takeOffer().stream
        bench.step { $0.startNext(stream, in: 1) }
        bench.pass(1.1)
      } else {
        bench.pass(1)
        bench.step { $0.end() }
        bench.step { $0.settle() }
        bench.step { $0.run() }
        bench.pass(0.1)
      }
    }
    #expect(bench.boundaries == [0, 4, 10, 0, 4, 10, 0, 4, 10, 0])
  }

  @Test("Across a gapless change each item has its own fractions, and the old one's are told first")
  func gapless() throws {
    var bench = ObserverBench(2)
    bench.observe(fractions: 0, 0.5, 1)
    bench.start()
    bench.pass(9)
    let stream = try bench.bench.takeOffer().stream
    bench.step { $0.startNext(stream, in: 1, duration: 4) }
    bench.pass(2)
    bench.pass(3.1)
    let items = bench.bench.items
    #expect(
      bench.told == [
        .crossing(1, 0), .crossing(1, 5), .crossing(1, 10), .event(.itemDidPlayToEnd(items[0])),
        .event(.currentItemChanged(from: items[0], to: items[1])), .crossing(1, 0), .crossing(1, 2), .crossing(1, 4),
      ])
    #expect(bench.crossings.map(\.item) == [0, 0, 0, 1, 1, 1].map { items[$0] })
  }

  @Test("Fractions wait for the duration, and those behind it by then are not told")
  func unknownDuration() {
    var bench = ObserverBench()
    bench.observe(fractions: 0.25, 0.5, 0.75)
    bench.start(duration: nil)
    bench.pass(4)
    #expect(bench.nextWake == nil)
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(10)) } }
    bench.pass(4)
    #expect(bench.boundaries == [5, 7.5])
  }

  // MARK: Waking

  @Test("Without an observer nothing wakes; nor with one while nothing moves")
  func noWake() {
    var bench = ObserverBench(2)
    #expect(bench.nextWake == nil)
    bench.start()
    bench.pass(2)
    #expect(bench.nextWake == nil)
    bench.observe(times: 5)
    bench.observe(every: 0.01)
    #expect(bench.nextWake != nil)
    bench.step { _ = $0.seek(1) }
    #expect(bench.nextWake == nil)
    bench.step { $0.settle() }
    bench.step { _ = $0.pause() }
    #expect(bench.nextWake == nil)
    bench.step { _ = $0.play() }
    bench.step { $0.run() }
    #expect(bench.nextWake != nil)
    bench.step { $0.buffer(10) }
    #expect(bench.nextWake == nil)
    bench.step { _ = $0.next() }
    #expect(bench.nextWake == nil)
    bench.step { _ = $0.stop() }
    #expect(bench.nextWake == nil)
  }

  @Test("A boundary that is behind, or beyond the duration, wakes nobody")
  func noWakeInVain() {
    var bench = ObserverBench()
    bench.observe(times: 1, 11)
    bench.start()
    bench.pass(2)
    #expect(bench.boundaries == [1])
    #expect(bench.nextWake == nil)
  }

  @Test("A thousand boundaries wait for one instant, and all arrive once, in order")
  func thousand() throws {
    var bench = ObserverBench()
    let all = (1...1000).map { Duration.milliseconds($0 * 7) }
    bench.observe(.times(all))
    bench.start()
    #expect(bench.nextWake == bench.bench.now + .milliseconds(7) + .microseconds(1))
    bench.pass(8)
    #expect(bench.crossings.map(\.boundary) == all)
    // The player itself looks at the position twice after a start.
    #expect(bench.wakes <= 1002)
    #expect(bench.nextWake == nil)
  }
}
