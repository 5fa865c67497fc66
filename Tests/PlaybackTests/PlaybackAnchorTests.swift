import Testing

@testable import Playback

/// The playhead as computed from the published anchor, compared with the playhead of the machine.
@Suite("Published position anchor") struct PlaybackAnchorTests {
  private var harness = MachineHarness()
  private var keeper = AnchorKeeper()
  private var changes: [Player.Snapshot.Anchor] = []

  private mutating func follow() {
    if keeper.follow(harness.playhead, now: harness.now) { changes.append(keeper.anchor) }
  }

  private mutating func step(_ act: (inout MachineHarness) -> Void) {
    act(&harness)
    follow()
  }

  /// Advances the clock with the wake-ups of the machine and the keeper, as the player does.
  private mutating func advance(_ seconds: Double) {
    let end = harness.now + .seconds(seconds)
    while let wake = keeper.nextWake(harness.playhead, now: harness.now), wake <= end {
      harness.advance(max(.zero, wake - harness.now))
      follow()
    }
    harness.advance(max(.zero, end - harness.now))
    follow()
  }

  private var reported: Duration { keeper.anchor.position(atMonotonicNanoseconds: harness.now.nanoseconds) }

  @Test("A start from 0 publishes one anchor, and steady playback none")
  mutating func start() {
    step { $0.start() }
    #expect(
      changes == [Player.Snapshot.Anchor(position: .zero, monotonicNanoseconds: harness.now.nanoseconds, rate: 1)])
    advance(9)
    #expect(changes.count == 1)
    #expect(reported == .seconds(9))
  }

  @Test("A pause publishes one anchor at its position, and resuming another one")
  mutating func pause() {
    step { $0.start() }
    advance(2.5)
    step { _ = $0.pause() }
    #expect(changes.count == 2)
    #expect(changes.last?.rate == 0 && changes.last?.position == .seconds(2.5))
    advance(3)
    step { _ = $0.play() }
    #expect(changes.count == 2)
    step { $0.run() }
    #expect(changes.count == 3)
    #expect(changes.last?.rate == 1 && reported == .seconds(2.5))
  }

  @Test("A seek publishes two anchors: one that stands at the target, then one that runs", arguments: [7.0, 2.001])
  mutating func seek(target: Double) {
    step { $0.start() }
    advance(2)
    step { _ = $0.seek(target) }
    advance(0.03)
    step { $0.settle() }
    step { $0.run(measured: target) }
    #expect(changes.dropFirst().map(\.rate) == [0, 1])
    #expect(changes.dropFirst().map(\.position) == [.seconds(target), .seconds(target)])
  }

  @Test("A seek while paused publishes one anchor, however small the distance")
  mutating func pausedSeek() {
    step { $0.startPaused() }
    let count = changes.count
    step { _ = $0.seek(0.001) }
    step { $0.settle() }
    #expect(changes.count == count + 1)
    #expect(reported == .milliseconds(1))
  }

  @Test("A new rate is published in the anchor")
  mutating func rate() {
    step { $0.start() }
    advance(2)
    step { $0.decide(.setRate(2)) }
    step { $0.run(measured: 2) }
    #expect(changes.dropFirst().map(\.rate) == [2] && changes.last?.position == .seconds(2))
    advance(1)
    #expect(reported == .seconds(4))
  }

  @Test("A gapless transition publishes one anchor, at the instant of the first sample")
  mutating func gapless() throws {
    step { $0.start() }
    advance(9)
    let next = try harness.prepareNext()
    advance(1)
    let first = harness.now
    step { $0.enterNext(next) }
    advance(2)
    #expect(changes.count == 2)
    #expect(changes.last == Player.Snapshot.Anchor(position: .zero, monotonicNanoseconds: first.nanoseconds, rate: 1))
  }

  @Test("A stall publishes an anchor that stands")
  mutating func stall() {
    step { $0.start() }
    advance(2)
    step { $0.buffer(0) }
    #expect(changes.last?.rate == 0 && changes.last?.position == .seconds(2))
  }

  @Test(
    "A small drift publishes no anchor; a larger one does, at once", arguments: [(0.015, 1), (-0.05, 2), (0.05, 2)])
  mutating func drift(by seconds: Double, count: Int) {
    step { $0.start() }
    harness.now = harness.now + .milliseconds(140)
    step { $0.sample(.seconds(0.14 + seconds)) }
    advance(1)
    #expect(changes.count == count)
    #expect((reported - .seconds(1.14 + seconds)).seconds.magnitude < 0.021)
  }

  @Test(
    "A second small correction publishes an anchor at the instant at which both exceed 20 ms", arguments: [-1.0, 1])
  mutating func repeatedDrift(direction: Double) throws {
    step { $0.start(duration: 1000) }
    for second in [5.0, 10] {
      advance(5)
      let measured = second + direction * (second == 5 ? 0.015 : 0.03)
      step { $0.sample(.seconds(measured)) }
    }
    #expect(changes.count == 1)
    let wake = try #require(keeper.nextWake(harness.playhead, now: harness.now))
    #expect(((wake - harness.now).seconds - 0.501).magnitude < 1e-6)
  }

  @Test(
    "A gradual correction publishes an anchor with its speed, and one at its end; they differ by at most 20 ms",
    arguments: [-0.9, 0.9])
  mutating func bend(by seconds: Double) {
    step { $0.start(duration: 1000) }
    advance(5)
    step { $0.sample(.seconds(5 + seconds)) }
    #expect(changes.count == 1)
    for _ in 0..<1000 {
      advance(0.1)
      #expect((reported - harness.position).seconds.magnitude <= 0.0202)
    }
    #expect(changes.dropFirst().map(\.rate) == [seconds < 0 ? 0.99 : 1.01, 1])
    advance(100)
    #expect(changes.count == 3)
    #expect(keeper.nextWake(harness.playhead, now: harness.now) == nil)
  }
}
