import TestSupport
import Testing

@testable import Playback

@Suite("Boundaries at a time that remains") struct TimeObserverRemainingTests {
  private func bench(_ remaining: Double..., items: Int = 1, loop: LoopMode = .none) -> ObserverBench {
    var bench = ObserverBench(items, loop: loop)
    for seconds in remaining { bench.observe(.remaining(.seconds(seconds))) }
    return bench
  }

  /// Sets the speed, with the seek that it takes.
  private func setRate(_ rate: Double, _ bench: inout ObserverBench, duration: Double? = 100) {
    bench.step { $0.step { $0.setRate(rate, now: $1) } }
    bench.step { $0.settle(duration: duration) }
    if bench.bench.machine.loaded.isWanted { bench.step { $0.run() } }
  }

  @Test("Each is told once, the longest first, and none wakes anybody again")
  func once() {
    var bench = bench(5, 0, 20)
    bench.start(duration: 100)
    bench.pass(79.9)
    #expect(bench.boundaries.isEmpty)
    bench.pass(20)
    #expect(bench.boundaries == [80, 95])
    bench.pass(0.2)
    bench.step { $0.end() }
    #expect(bench.boundaries == [80, 95, 100])
    #expect(bench.told.last { if case .crossing = $0 { true } else { false } } == .crossing(2, 100))
    #expect(bench.nextWake == nil)
  }

  @Test("At another speed it is so much wall time earlier or later", arguments: [(2.0, 90.0), (0.5, 97.5), (4, 80)])
  func rates(rate: Double, boundary: Double) {
    var bench = bench(5)
    bench.step { $0.step { $0.setRate(rate, now: $1) } }
    bench.step { _ = $0.play() }
    for _ in 0..<2 { bench.step { $0.settle(duration: 100) } }
    bench.step { $0.run() }
    bench.pass(100 / rate - 5.001)
    #expect(bench.boundaries.isEmpty)
    bench.pass(0.002)
    #expect(bench.boundaries == [boundary])
    bench.pass(10)
    #expect(bench.boundaries == [boundary])
  }

  @Test("A higher speed that leaves less tells it at once; a lower one puts it off, and does not tell it again")
  func changesOfRate() {
    var faster = bench(5)
    faster.start(duration: 100)
    faster.pass(92)
    setRate(2, &faster)
    faster.pass(0.01)
    #expect(faster.boundaries == [92])
    setRate(1, &faster)
    faster.pass(20)
    #expect(faster.boundaries == [92])

    var slower = bench(5)
    slower.start(duration: 100)
    slower.pass(90)
    setRate(0.5, &slower)
    slower.pass(14)
    #expect(slower.boundaries.isEmpty)
    slower.pass(2)
    #expect(slower.boundaries == [97.5])
    setRate(0.25, &slower)
    slower.pass(30)
    #expect(slower.boundaries == [97.5])
  }

  @Test("An item that is shorter is told as it begins, each time")
  func shorter() {
    var bench = bench(5, loop: .track)
    bench.start(duration: 3)
    bench.pass(0.1)
    #expect(bench.boundaries == [0])
    bench.pass(3)
    bench.step { $0.end() }
    bench.step { $0.settle(duration: 3) }
    bench.step { $0.run() }
    bench.pass(0.1)
    #expect(bench.boundaries == [0, 0])
    bench.pass(1)
    bench.seek(0, duration: 3)
    bench.pass(1)
    #expect(bench.boundaries == [0, 0, 0])
    bench.seek(0.5, duration: 3)
    bench.pass(1)
    #expect(bench.boundaries == [0, 0, 0])
  }

  @Test("A seek back before it lets it be told again, one after it does not; a seek into what is left tells it at once")
  func seeks() {
    var bench = bench(5, 2)
    bench.start(duration: 100)
    bench.pass(1)
    bench.seek(96, duration: 100)
    #expect(bench.boundaries.isEmpty)
    bench.pass(0.5)
    #expect(bench.boundaries == [96])
    bench.seek(97, duration: 100)
    bench.pass(0.5)
    bench.seek(95.5, duration: 100)
    bench.pass(0.5)
    #expect(bench.boundaries == [96])
    bench.pass(2.5)
    #expect(bench.boundaries == [96, 98])
    bench.seek(97, duration: 100)
    bench.pass(1.5)
    #expect(bench.boundaries == [96, 98, 98])
    bench.seek(50, duration: 100)
    bench.pass(49)
    #expect(bench.boundaries == [96, 98, 98, 95, 98])
    bench.seek(95, duration: 100)
    bench.pass(1)
    #expect(bench.boundaries == [96, 98, 98, 95, 98, 95])
  }

  @Test("A pause, short or so long that the output is let go, and a stall tell it no second time")
  func interruptions() {
    var bench = bench(5)
    bench.start(duration: 100)
    bench.pass(96)
    bench.step { _ = $0.pause() }
    bench.pass(100)
    #expect(bench.bench.machine.phase.isReleased)
    bench.step { _ = $0.play() }
    for _ in 0..<2 { bench.step { $0.settle(duration: 100) } }
    bench.step { $0.run() }
    bench.pass(1)
    bench.step { $0.buffer(10) }
    bench.step { $0.buffer(100) }
    bench.step { $0.run() }
    bench.pass(1)
    #expect(bench.boundaries == [95])
  }

  @Test("Of an unknown duration it is never told; of one that becomes known at once when less is left")
  func durations() {
    var bench = bench(5)
    bench.start(duration: nil)
    bench.pass(500)
    #expect(bench.boundaries.isEmpty)
    #expect(bench.nextWake == nil)
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(510)) } }
    bench.pass(1)
    #expect(bench.boundaries.isEmpty)
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(504)) } }
    bench.pass(0.1)
    #expect(bench.boundaries == [499])
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(600)) } }
    bench.pass(100)
    #expect(bench.boundaries == [499])
  }

  @Test("Every item of a gapless queue has its own, one that ended before its start was noticed too")
  func items() throws {
    var bench = bench(2, items: 2)
    bench.start()
    bench.pass(9)
    let stream = try bench.bench.takeOffer().stream
    bench.step { $0.startNext(stream, in: 1, duration: 0.5) }
    bench.stand(3)
    bench.step { $0.step { $0.endOfStream(stream, now: $1) } }
    let items = bench.bench.items
    #expect(bench.boundaries == [8, 0])
    #expect(bench.crossings.map(\.item) == items)
  }

  @Test("A skip lets the next item's be told, and stop and play those of the same one again")
  func skips() {
    var bench = bench(5, items: 2)
    bench.start()
    bench.pass(6)
    bench.step { _ = $0.next() }
    bench.step { $0.settle(duration: 20) }
    bench.step { $0.run() }
    bench.pass(16)
    bench.step { _ = $0.stop() }
    bench.start(duration: 20)
    bench.pass(16)
    #expect(bench.boundaries == [5, 15, 15])
  }

  @Test("One that is added when less is left waits for the next passage")
  func late() {
    var bench = bench(loop: .track)
    bench.start()
    bench.pass(7)
    bench.observe(.remaining(.seconds(5)))
    bench.pass(3.1)
    #expect(bench.boundaries.isEmpty)
    bench.step { $0.end() }
    bench.step { $0.settle() }
    bench.step { $0.run() }
    bench.pass(6)
    #expect(bench.boundaries == [5])
  }

  @Test("The longest time is told as an item begins, at any speed", arguments: [1.0, 0.25, 4])
  func longest(rate: Double) {
    var bench = bench()
    bench.observe(.remaining(.seconds(Int64.max)))
    bench.start(duration: 100)
    bench.pass(0.01)
    setRate(rate, &bench)
    bench.pass(1)
    #expect(bench.boundaries == [0])
  }
}
