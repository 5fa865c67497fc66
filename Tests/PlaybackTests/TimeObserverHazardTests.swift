import Testing

@testable import Playback

@Suite("Time observers and what is uncertain of play") struct TimeObserverHazardTests {
  @Test("A start that took its moment delays boundaries and loses none", arguments: [5, 40, 90])
  func slowStart(milliseconds: Int) {
    var bench = ObserverBench()
    bench.observe(times: 0.155, 0.3, 0.6, 5)
    bench.start(duration: 100)
    bench.pass(0.15)
    let behind = Duration.milliseconds(150 - milliseconds)
    bench.step { $0.step { $0.sampled($0.token, position: behind, now: $1) } }
    bench.pass(0.8)
    #expect(bench.boundaries == [0.155, 0.3, 0.6])
    bench.pass(5)
    #expect(bench.boundaries == [0.155, 0.3, 0.6, 5])
  }

  @Test("A clock that wavers bends the course and loses no boundary", arguments: [-900, -50, -3, 3, 50, 900])
  func wavering(milliseconds: Int) {
    var bench = ObserverBench()
    bench.observe(times: 4, 5.1, 20)
    bench.observe(every: 10)
    bench.start(duration: 100)
    bench.pass(5)
    bench.step { $0.step { $0.sampled($0.token, position: .milliseconds(5000 + milliseconds), now: $1) } }
    bench.pass(0.2)
    #expect(bench.boundaries == [4, 5.1])
    bench.pass(20)
    #expect(bench.boundaries == [4, 5.1, 20])
    #expect(bench.ticks.filter { $0 >= 10 }.map { $0.rounded() } == [10, 20])
  }

  @Test("The instant of a crossing agrees with the course that readers saw", arguments: [-90, -5, 5, 90])
  func instants(milliseconds: Int) throws {
    var bench = ObserverBench()
    bench.observe(times: 0.5, 3)
    bench.start(duration: 100)
    bench.pass(0.15)
    let measured = Duration.milliseconds(150 + milliseconds)
    bench.step { $0.step { $0.sampled($0.token, position: measured, now: $1) } }
    bench.pass(4)
    try #require(bench.crossings.map(\.boundary) == [.milliseconds(500), .seconds(3)])
    for crossing in bench.crossings {
      let position = bench.bench.machine.timebase.anchor.position(
        at: MonotonicTime(nanoseconds: crossing.monotonicNanoseconds))
      #expect(abs((position - crossing.boundary) / .seconds(1)) < 0.000_01)
    }
  }

  @Test("An output that fell seconds behind is a jump: the boundaries behind it are told again, none is lost")
  func fallenBehind() {
    var bench = ObserverBench()
    bench.observe(times: 48, 49, 52)
    bench.start(duration: 100)
    bench.pass(50)
    bench.step { $0.step { $0.sampled($0.token, position: .seconds(47), now: $1) } }
    bench.pass(10)
    #expect(bench.boundaries.suffix(3) == [48, 49, 52])
  }

  @Test("Nor is one on the way lost when the output is seconds ahead")
  func farAhead() {
    var bench = ObserverBench()
    bench.observe(times: 49, 60)
    bench.start(duration: 100)
    bench.pass(50)
    bench.step { $0.step { $0.sampled($0.token, position: .seconds(55), now: $1) } }
    bench.pass(10)
    #expect(bench.boundaries == [49, 60])
  }

  @Test("A duration that turns out longer repeats no fraction")
  func growingDuration() {
    var bench = ObserverBench()
    bench.observe(fractions: 0.5, 1)
    bench.start(duration: 10)
    bench.pass(5.5)
    #expect(bench.boundaries == [5])
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(12)) } }
    bench.pass(1)
    #expect(bench.boundaries == [5])
  }

  @Test("A duration that turns out shorter loses no fraction")
  func shrinkingDuration() {
    var bench = ObserverBench()
    bench.observe(fractions: 0.5, 1)
    bench.start(duration: 10)
    bench.pass(4.5)
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(8)) } }
    bench.pass(0.1)
    #expect(bench.boundaries == [4])
  }

  @Test("A successor that ended before its start was noticed has had all its fractions")
  func shortSuccessor() throws {
    var bench = ObserverBench(2)
    bench.observe(fractions: 0, 0.5, 1)
    bench.start()
    bench.pass(9.9)
    let stream = try bench.bench.takeOffer().stream
    bench.step { $0.startNext(stream, in: 0.1, duration: 0.02) }
    bench.stand(0.2)
    bench.step { $0.step { $0.endOfStream(stream, now: $1) } }
    let items = bench.bench.items
    #expect(bench.boundaries == [0, 5, 10, 0, 0.01, 0.02])
    #expect(bench.crossings.map(\.item) == [0, 0, 0, 1, 1, 1].map { items[$0] })
  }

  @Test("A duration that wavers tells each fraction once, and one that shrinks below the position the rest at the end")
  func waveringDuration() {
    var bench = ObserverBench()
    bench.observe(fractions: 0.25, 0.5, 0.75, 1)
    bench.start(duration: 10)
    for (index, duration) in [12.0, 8, 14, 9, 11, 10].enumerated() {
      bench.pass(1)
      bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(duration)) } }
      #expect(bench.crossings.count <= index + 1)
    }
    let told = bench.crossings.count
    bench.pass(1)
    bench.step { $0.step { machine, _ in machine.durationChanged(machine.token, .seconds(5)) } }
    bench.pass(0.1)
    #expect(told == 2)
    #expect(bench.crossings.count == 4)
    bench.step { $0.end() }
    #expect(bench.crossings.count == 4)
  }

  @Test("An item that was cut off short has had all its fractions when it ends")
  func cutShort() {
    var bench = ObserverBench()
    bench.observe(fractions: 0.25, 0.5, 1)
    bench.start(duration: 20)
    bench.pass(8)
    #expect(bench.boundaries == [5])
    bench.step { $0.end() }
    #expect(bench.boundaries == [5, 4, 8])
  }

  @Test("The end is told to every periodic observer once, the oldest first, before the event")
  func endTicks() {
    var bench = ObserverBench()
    let observers = [3.0, 1000, 5, 10, 7].map { bench.observe(every: $0) }
    bench.start()
    bench.pass(10.2)
    let place = bench.ticking.count
    bench.step { $0.end() }
    let end = Array(bench.ticking[place...].prefix(3))
    // Of 5 and of 10 it is a multiple, and was told when it was reached.
    #expect(end == [observers[0], observers[1], observers[4]])
    #expect(bench.ticks.filter { $0 == 10 }.count == 5)
  }

  @Test("Ticks that fall together come to the oldest observer first")
  func ticksInOrder() {
    var bench = ObserverBench()
    let observers = (0..<12).map { _ in bench.observe(every: 1) }
    bench.start()
    bench.pass(2.5)
    #expect(bench.ticking.count.isMultiple(of: 12))
    for start in stride(from: 0, to: bench.ticking.count, by: 12) {
      #expect(Array(bench.ticking[start...].prefix(12)) == observers)
    }
  }

  @Test("Fractions that come to the same instant are told once")
  func sameInstant() {
    var bench = ObserverBench()
    bench.observe(.fractions([0.3, 0.1 + 0.2]))
    bench.start(duration: 1)
    bench.pass(0.9)
    #expect(bench.boundaries == [0.3])
  }

  @Test("A boundary that is centuries away hides no other wake-up", arguments: [1.0, 0.25])
  func centuries(rate: Double) {
    var bench = ObserverBench()
    bench.observe(.times([.seconds(Int64.max)]))
    bench.observe(.periodic(.seconds(Int64.max)))
    bench.step { $0.step { $0.setRate(rate, now: $1) } }
    bench.step { _ = $0.play() }
    bench.step { $0.settle(duration: nil) }
    if rate != 1 { bench.step { $0.settle(duration: nil) } }
    bench.step { $0.run() }
    // The start is a multiple of any interval.
    bench.pass(0.001)
    bench.forget()
    let due = bench.nextWake
    #expect(due.map { $0 > bench.bench.now + .seconds(1_000_000) } ?? true)
    // The first look at the position, 150 ms after the start.
    bench.step { _ in }
    let place = bench.bench.effects.count
    bench.pass(0.2)
    #expect(bench.bench.effects[place...].contains(.command(.samplePosition)))
    #expect(bench.boundaries.isEmpty)
  }

  @Test("An observer that is added while playing or paused gets nothing of the past", arguments: [false, true])
  func addedLater(isPaused: Bool) {
    var bench = ObserverBench()
    bench.start()
    bench.pass(3)
    if isPaused { bench.step { _ = $0.pause() } }
    bench.observe(times: 0, 2, 4)
    bench.observe(fractions: 0, 0.1, 0.5)
    bench.observe(every: 2)
    bench.pass(0.1)
    #expect(bench.told.isEmpty)
    if isPaused {
      bench.step { _ = $0.play() }
      bench.step { $0.run() }
    }
    bench.pass(3)
    #expect(bench.boundaries == [4, 5])
    bench.observe(times: 1, 7)
    bench.pass(2)
    #expect(bench.boundaries == [4, 5, 7])
  }
}
