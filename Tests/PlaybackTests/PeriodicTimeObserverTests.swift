import Testing

@testable import Playback

@Suite("Periodic time observers during playback") struct PeriodicTimeObserverTests {
  @Test("A start at any position ticks once; the next tick is at the next multiple", arguments: [0.0, 1, 1.25])
  func start(position: Double) {
    var harness = ObserverHarness(2)
    harness.observe(every: 0.5)
    harness.step { _ = $0.play() }
    if position > 0 { harness.step { _ = $0.seek(position) } }
    harness.step { $0.settle() }
    if position > 0 { harness.step { $0.settle() } }
    harness.forget()
    harness.step { _ = $0.pause() }
    harness.forget()
    harness.step { _ = $0.play() }
    harness.step { $0.run(measured: position) }
    harness.advance(0.2)
    #expect(harness.ticks == [position])
    harness.advance(0.31)
    #expect(harness.ticks.count == 2)
  }

  @Test("A seek onto a multiple and an item change tick once each")
  func jumpOntoMultiple() throws {
    var harness = ObserverHarness(2)
    harness.observe(every: 0.5)
    harness.start()
    harness.advance(0.2)
    harness.forget()
    harness.seek(3)
    harness.advance(0.2)
    #expect(harness.ticks == [3])
    harness.forget()
    let stream = try harness.prepareNext()
    harness.advance(0.1)
    harness.enterNext(stream)
    harness.advance(0.2)
    #expect(harness.ticks.filter { $0 < 0.5 } == [0])
  }

  @Test("A seek to the end, the start there and the end tick once each")
  func endAfterSeek() {
    var harness = ObserverHarness()
    harness.observe(every: 5)
    harness.start()
    harness.advance(1)
    harness.step { _ = $0.pause() }
    harness.forget()
    harness.seek(10)
    harness.step { _ = $0.play() }
    harness.step { $0.run(measured: 10) }
    #expect(harness.ticks == [10, 10])
    harness.step { $0.end() }
    #expect(harness.ticks == [10, 10, 10, 0])
  }

  @Test("The end of an item that has repeated without a sample ticks once")
  func repetitionWithoutSample() throws {
    var harness = ObserverHarness(1, loop: .track)
    harness.observe(every: 3)
    harness.start()
    let empty = try harness.prepareNext()
    let next = try harness.harness.requireOffer(after: empty).stream
    harness.step { $0.settleNext(next) }
    harness.advance(9.9)
    harness.forget()
    harness.enterNext(next)
    #expect(harness.harness.snapshot.loopCount == 2)
    #expect(harness.ticks == [10, 0])
  }

  @Test("An observer added between the start and the first sample is called at the start")
  func addedWhileLoading() {
    var harness = ObserverHarness()
    harness.step { _ = $0.play() }
    harness.observe(every: 0.5)
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.advance(0.2)
    #expect(harness.ticks.map { $0.rounded() } == [0])
  }

  @Test("A tick at a position that proves too far ahead suppresses no multiple")
  func tickedTooFarAhead() {
    var harness = ObserverHarness()
    harness.observe(every: 1)
    harness.start(duration: 100)
    harness.advance(0.5)
    harness.stand(77)
    harness.step { _ = $0.pause() }
    harness.step { _ = $0.play() }
    harness.forget()
    harness.step { $0.run(measured: 0.5) }
    harness.advance(2)
    #expect(harness.ticks.map { ($0 * 2).rounded() / 2 } == [0.5, 1, 2])
  }

  @Test("Ticks are at multiples of media time, at any rate", arguments: [1.0, 2, 0.5])
  func multiples(rate: Double) {
    var harness = ObserverHarness()
    harness.observe(every: 0.5)
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: 100) }
    #expect(harness.ticks == [0])
    harness.forget()
    if rate != 1 { harness.step { $0.settle(duration: 100) } }
    harness.step { $0.run() }
    harness.advance(4 / rate)
    harness.advance(0.01)
    // Each wake-up may be up to 1 µs late.
    let expected = (1...8).map { Double($0) / 2 }
    #expect(harness.ticks.count == expected.count)
    #expect(zip(harness.ticks, expected).allSatisfy { ($1...$1 + 0.00001).contains($0) })
  }

  @Test("A pause, a start, a seek, an item change and a stop tick once each; nothing ticks while paused")
  func discontinuities() {
    var harness = ObserverHarness(2)
    harness.observe(every: 1000)
    harness.start()
    harness.advance(3)
    harness.forget()
    harness.step { _ = $0.pause() }
    #expect(harness.ticks == [3])
    harness.advance(2)
    harness.seek(7)
    #expect(harness.ticks == [3, 7])
    harness.advance(2)
    harness.step { _ = $0.play() }
    harness.step { $0.run() }
    #expect(harness.ticks == [3, 7, 7])
    harness.advance(1)
    harness.seek(2)
    #expect(harness.ticks == [3, 7, 7, 2])
    harness.step { _ = $0.pause() }
    #expect(harness.ticks == [3, 7, 7, 2, 2])
    harness.step { _ = $0.next() }
    #expect(harness.ticks == [3, 7, 7, 2, 2, 0])
    harness.advance(100)
    #expect(harness.ticks.count == 6)
    harness.step { _ = $0.stop() }
    #expect(harness.ticks.count == 6)
  }

  @Test("A stall and its end tick once each, with nothing in between")
  func stall() {
    var harness = ObserverHarness()
    harness.observe(every: 1000)
    harness.start()
    harness.advance(3)
    harness.forget()
    harness.step { $0.buffer(40) }
    harness.advance(20)
    #expect(harness.ticks == [3])
    harness.step { $0.buffer(100) }
    harness.step { $0.run() }
    #expect(harness.ticks == [3, 3])
  }
}
