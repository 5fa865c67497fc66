import Testing

@testable import Playback

/// A gapless successor that hangs while it is loaded.
@Suite("Late successors") struct LateSuccessorTests {
  @Test("A successor that does not reach the output within the load time-out is withdrawn", arguments: [10, nil])
  func withdrawn(duration: Double?) throws {
    var bench = Bench()
    bench.start(duration: duration)
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    let end: Duration = duration == nil ? .zero : .seconds(1)
    #expect(bench.pass(end + .milliseconds(9900)).orders.allSatisfy { $0 == .samplePosition })
    #expect(bench.pass(.milliseconds(100)).orders.contains(.withdraw(next.stream)))
    #expect(bench.end().events.prefix(1) == [.itemDidPlayToEnd(bench.items[0])])
    #expect(bench.current == bench.items[1])
    #expect(bench.effects.loads.count == 2)
    #expect(bench.pass(.seconds(10)).events.contains { if case .itemFailed = $0 { true } else { false } })
    #expect(bench.current == bench.items[2])
  }

  @Test("A pause does not count towards the time-out of a successor")
  func paused() throws {
    var bench = Bench(configuration: PlayerConfiguration(loadTimeout: .seconds(2)))
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    _ = bench.pause()
    bench.pass(.seconds(4))
    bench.step { $0.play(now: $1) }
    #expect(bench.pass(.seconds(1)).isEmpty)
    bench.run()
    #expect(!bench.pass(.milliseconds(2900)).orders.contains(.withdraw(next.stream)))
    #expect(bench.pass(.milliseconds(100)).orders.contains(.withdraw(next.stream)))
  }

  @Test("A successor that reports its buffering level is given more time")
  func buffering() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(9))
    let next = try bench.takeOffer()
    bench.pass(.seconds(10))
    bench.step { $0.buffering(next.stream, percent: 3, StreamProgress(), now: $1) }
    #expect(!bench.pass(.milliseconds(9900)).orders.contains(.withdraw(next.stream)))
    #expect(bench.pass(.milliseconds(100)).orders.contains(.withdraw(next.stream)))
  }

  @Test(
    "If a successor keeps the current item from its preroll or its start, the item is loaded without it",
    arguments: [false, true])
  func blocked(hasPrerolled: Bool) throws {
    var bench = Bench()
    bench.step { $0.play(now: $1) }
    _ = try bench.takeOffer()
    if hasPrerolled { bench.settle() }
    #expect(bench.pass(.milliseconds(9900)).loads.isEmpty)
    #expect(bench.pass(.milliseconds(100)).loads.count == 1)
    #expect(bench.current == bench.items[0])
    bench.settle()
    bench.run()
    #expect(bench.offer() == nil)
  }
}
