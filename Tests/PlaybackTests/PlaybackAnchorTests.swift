import Testing

@testable import Playback

/// The course as a reader of the anchor knows it, beside the course as the machine has it.
@Suite("The anchor that readers are given") struct PlaybackAnchorTests {
  private var bench = Bench()
  private var keeper = AnchorKeeper()
  private var changes: [Player.Anchor] = []

  private mutating func follow() {
    if keeper.follow(bench.machine.course(at: bench.now), now: bench.now) { changes.append(keeper.anchor) }
  }

  private mutating func step(_ act: (inout Bench) -> Void) {
    act(&bench)
    follow()
  }

  /// Lets time pass as the player does: it wakes up where the machine or the keeper wants it.
  private mutating func pass(_ seconds: Double) {
    let end = bench.now + .seconds(seconds)
    while let wake = keeper.nextWake(bench.machine.course(at: bench.now), now: bench.now), wake <= end {
      bench.pass(max(.zero, wake - bench.now))
      follow()
    }
    bench.pass(max(.zero, end - bench.now))
    follow()
  }

  private var told: Duration { keeper.anchor.position(atMonotonicNanoseconds: bench.now.nanoseconds) }

  @Test("A start from the beginning is one change, and steady play is none")
  mutating func start() {
    step { $0.start() }
    #expect(changes == [Player.Anchor(position: .zero, monotonicNanoseconds: bench.now.nanoseconds, rate: 1)])
    pass(9)
    #expect(changes.count == 1)
    #expect(told == .seconds(9))
  }

  @Test("A pause is one change, at the position; going on is one more")
  mutating func pause() {
    step { $0.start() }
    pass(2.5)
    step { _ = $0.pause() }
    #expect(changes.count == 2)
    #expect(changes.last?.rate == 0 && changes.last?.position == .seconds(2.5))
    pass(3)
    step { _ = $0.play() }
    #expect(changes.count == 2)
    step { $0.run() }
    #expect(changes.count == 3)
    #expect(changes.last?.rate == 1 && told == .seconds(2.5))
  }

  @Test("A seek is two changes: the target stands, then it runs", arguments: [7.0, 2.001])
  mutating func seek(target: Double) {
    step { $0.start() }
    pass(2)
    step { _ = $0.seek(target) }
    pass(0.03)
    step { $0.settle() }
    step { $0.run(measured: target) }
    #expect(changes.dropFirst().map(\.rate) == [0, 1])
    #expect(changes.dropFirst().map(\.position) == [.seconds(target), .seconds(target)])
  }

  @Test("While paused a seek is one change, however small")
  mutating func pausedSeek() {
    step { $0.startPaused() }
    let count = changes.count
    step { _ = $0.seek(0.001) }
    step { $0.settle() }
    #expect(changes.count == count + 1)
    #expect(told == .milliseconds(1))
  }

  @Test("Another speed is told with the speed")
  mutating func rate() {
    step { $0.start() }
    pass(2)
    step { $0.step { $0.setRate(2, now: $1) } }
    step { $0.settle() }
    step { $0.run(measured: 2) }
    #expect(changes.dropFirst().map(\.rate) == [0, 2])
    pass(1)
    #expect(told == .seconds(4))
  }

  @Test("A gapless change of items is one change, at the instant of the first sample")
  mutating func gapless() throws {
    step { $0.start() }
    pass(9)
    let next = try bench.takeOffer()
    step { $0.startNext(next.stream, in: 1) }
    let first = bench.now + .seconds(1)
    pass(3)
    #expect(changes.count == 2)
    #expect(changes.last == Player.Anchor(position: .zero, monotonicNanoseconds: first.nanoseconds, rate: 1))
  }

  @Test("A stall holds it")
  mutating func stall() {
    step { $0.start() }
    pass(2)
    step { $0.buffer(0) }
    #expect(changes.last?.rate == 0 && changes.last?.position == .seconds(2))
  }

  @Test(
    "A small drift is not worth a change; a larger one is, at once", arguments: [(0.015, 1), (-0.05, 2), (0.05, 2)])
  mutating func drift(by seconds: Double, count: Int) {
    step { $0.start() }
    bench.now = bench.now + .milliseconds(140)
    step { $0.step { $0.sampled($0.token, position: .seconds(0.14 + seconds), now: $1) } }
    pass(1)
    #expect(changes.count == count)
    #expect((told - .seconds(1.14 + seconds)).inSeconds.magnitude < 0.021)
  }

  @Test("A course that is being bent is never further away than 20 ms", arguments: [-0.9, 0.9])
  mutating func bend(by seconds: Double) {
    step { $0.start(duration: 1000) }
    pass(5)
    step { $0.step { $0.sampled($0.token, position: .seconds(5 + seconds), now: $1) } }
    #expect(changes.count == 1)
    for _ in 0..<1000 {
      pass(0.1)
      #expect((told - bench.position).inSeconds.magnitude <= 0.0202)
    }
    #expect((30...46).contains(changes.count))
    let end = changes.count
    pass(100)
    #expect(changes.count == end)
    #expect(keeper.nextWake(bench.machine.course(at: bench.now), now: bench.now) == nil)
  }
}
