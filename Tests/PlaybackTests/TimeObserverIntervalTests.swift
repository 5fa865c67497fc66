import Testing

@testable import Playback

@Suite("Periodic time observers over the course of play") struct TimeObserverIntervalTests {
  @Test("A start is one tick, wherever it is; the next one is at the next multiple", arguments: [0.0, 1, 1.25])
  func start(position: Double) {
    var bench = ObserverBench(2)
    bench.observe(every: 0.5)
    bench.step { _ = $0.play() }
    if position > 0 { bench.step { _ = $0.seek(position) } }
    bench.step { $0.settle() }
    if position > 0 { bench.step { $0.settle() } }
    bench.forget()
    bench.step { _ = $0.pause() }
    bench.forget()
    bench.step { _ = $0.play() }
    bench.step { $0.run(measured: position) }
    bench.pass(0.2)
    #expect(bench.ticks == [position])
    bench.pass(0.31)
    #expect(bench.ticks.count == 2)
  }

  @Test("A seek onto a multiple, and a change of items, are one tick each")
  func jumpOntoMultiple() throws {
    var bench = ObserverBench(2)
    bench.observe(every: 0.5)
    bench.start()
    bench.pass(0.2)
    bench.forget()
    bench.seek(3)
    bench.pass(0.2)
    #expect(bench.ticks == [3])
    bench.forget()
    let stream = try bench.bench.takeOffer().stream
    bench.step { $0.startNext(stream, in: 0.1) }
    bench.pass(0.3)
    #expect(bench.ticks.filter { $0 < 0.5 } == [0])
  }

  @Test("A seek to the end, the start there and the end are one tick each")
  func endAfterSeek() {
    var bench = ObserverBench()
    bench.observe(every: 5)
    bench.start()
    bench.pass(1)
    bench.step { _ = $0.pause() }
    bench.forget()
    bench.seek(10)
    bench.step { _ = $0.play() }
    bench.step { $0.run(measured: 10) }
    #expect(bench.ticks == [10, 10])
    bench.step { $0.end() }
    #expect(bench.ticks == [10, 10, 10, 0])
  }

  @Test("An observer that is added between the start and the first sample is called at the start")
  func addedWhileLoading() {
    var bench = ObserverBench()
    bench.step { _ = $0.play() }
    bench.observe(every: 0.5)
    bench.step { $0.settle() }
    bench.step { $0.run() }
    bench.pass(0.2)
    #expect(bench.ticks.map { $0.rounded() } == [0])
  }

  @Test("A tick at a position that proves to be too far ahead suppresses no multiple")
  func tickedTooFarAhead() {
    var bench = ObserverBench()
    bench.observe(every: 1)
    bench.start(duration: 100)
    bench.pass(0.5)
    bench.stand(77)
    bench.step { _ = $0.pause() }
    bench.step { _ = $0.play() }
    bench.forget()
    bench.step { $0.run(measured: 0.5) }
    bench.pass(2)
    #expect(bench.ticks.map { $0.rounded() } == [1, 2])
  }

  @Test("Ticks fall on the multiples of media time, at any rate", arguments: [1.0, 2, 0.5])
  func multiples(rate: Double) {
    var bench = ObserverBench()
    bench.observe(every: 0.5)
    bench.step { $0.step { $0.setRate(rate, now: $1) } }
    bench.step { _ = $0.play() }
    bench.step { $0.settle(duration: 100) }
    #expect(bench.ticks == [0])
    bench.forget()
    if rate != 1 { bench.step { $0.settle(duration: 100) } }
    bench.step { $0.run() }
    bench.pass(4 / rate)
    bench.pass(0.01)
    // A microsecond's grace at each wake-up.
    let expected = (1...8).map { Double($0) / 2 }
    #expect(bench.ticks.count == expected.count)
    #expect(zip(bench.ticks, expected).allSatisfy { ($1...$1 + 0.00001).contains($0) })
  }

  @Test("A pause, a start, a seek, an item and a stop are one tick each; none comes while paused")
  func discontinuities() {
    var bench = ObserverBench(2)
    bench.observe(every: 1000)
    bench.start()
    bench.pass(3)
    bench.forget()
    bench.step { _ = $0.pause() }
    #expect(bench.ticks == [3])
    bench.pass(2)
    bench.seek(7)
    #expect(bench.ticks == [3, 7])
    bench.pass(2)
    bench.step { _ = $0.play() }
    bench.step { $0.run() }
    #expect(bench.ticks == [3, 7, 7])
    bench.pass(1)
    bench.seek(2)
    #expect(bench.ticks == [3, 7, 7, 2])
    bench.step { _ = $0.pause() }
    #expect(bench.ticks == [3, 7, 7, 2, 2])
    bench.step { _ = $0.next() }
    #expect(bench.ticks == [3, 7, 7, 2, 2, 0])
    bench.pass(100)
    #expect(bench.ticks.count == 6)
    bench.step { _ = $0.stop() }
    #expect(bench.ticks.count == 6)
  }

  @Test("A stall and its end are one tick each; none comes in between")
  func stall() {
    var bench = ObserverBench()
    bench.observe(every: 1000)
    bench.start()
    bench.pass(3)
    bench.forget()
    bench.step { $0.buffer(40) }
    bench.pass(20)
    #expect(bench.ticks == [3])
    bench.step { $0.buffer(100) }
    bench.step { $0.run() }
    #expect(bench.ticks == [3, 3])
  }
}
