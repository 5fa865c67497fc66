import Testing

@testable import Playback

@Suite("Time observers after the process has stood") struct TimeObserverLateTests {
  /// A process that stood for ten minutes, 1.2 s after the start of an item.
  private func stood() -> ObserverBench {
    var bench = ObserverBench()
    bench.observe(times: 1, 2, 3, 602)
    bench.observe(fractions: 0.0025, 0.6)
    bench.observe(.remaining(.seconds(700)))
    bench.observe(every: 0.5)
    bench.start(duration: 1000)
    bench.pass(1.2)
    bench.forget()
    bench.stand(600)
    return bench
  }

  @Test("When the process has stood and play has gone on, each boundary on the way is told once, in order")
  func stoodAlone() {
    var bench = stood()
    bench.pass(0.01)
    #expect(bench.told.isEmpty)
    #expect(bench.bench.effects.last == .command(.samplePosition))
    bench.measure()
    bench.pass(1)
    #expect(bench.boundaries == [2, 2.5, 3, 300, 600, 602])
    #expect(bench.ticks.first.map { abs($0 - 601.2) < 0.1 } == true)
    #expect(bench.ticks.count <= 4)
  }

  @Test("When play has stood with the process, each boundary is told once, when it is reached")
  func stoodTogether() {
    var bench = stood()
    bench.pass(0.01)
    bench.step { $0.step { $0.sampled($0.token, position: .seconds(1.3), now: $1) } }
    #expect(bench.boundaries.isEmpty)
    bench.pass(0.5)
    #expect(bench.boundaries.isEmpty)
    bench.pass(1.3)
    #expect(bench.boundaries == [2, 2.5, 3])
    #expect(bench.ticks.map { ($0 * 10).rounded() / 10 } == [1.3, 1.5, 2, 2.5, 3])
  }

  @Test("A measurement that does not come is waited for but a moment")
  func stoodUnmeasured() {
    var bench = stood()
    bench.pass(0.19)
    #expect(bench.told.isEmpty)
    bench.pass(0.02)
    #expect(bench.boundaries == [2, 2.5, 3, 300, 600])
    #expect(bench.bench.effects.filter { $0 == .command(.samplePosition) }.count <= 3)
    bench.pass(1)
    #expect(bench.boundaries == [2, 2.5, 3, 300, 600, 602])
  }

  @Test("When the item has ended meanwhile, each boundary is told once, and then the end")
  func stoodBeyondEnd() {
    var bench = stood()
    bench.stand(1000)
    bench.step { $0.end() }
    let item = bench.bench.items[0]
    #expect(bench.boundaries == [2, 2.5, 3, 300, 600, 602])
    #expect(bench.told.suffix(4) == [.tick(1000), .event(.itemDidPlayToEnd(item)), .event(.queueEnded), .tick(0)])
    bench.pass(1)
    #expect(bench.boundaries.count == 6)
  }
}
