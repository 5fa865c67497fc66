import Testing

@testable import Playback

@Suite("Position anchor") struct PositionAnchorTests {
  let start = MonotonicTime(nanoseconds: 5_000_000_000)

  private func at(_ seconds: Double) -> MonotonicTime { start + .seconds(seconds) }

  @Test("A standing position does not change")
  func standing() {
    let anchor = PositionAnchor(position: .seconds(7))
    #expect(!anchor.isRunning)
    #expect(anchor.position(at: start) == .seconds(7))
    #expect(anchor.position(at: at(1e9)) == .seconds(7))
    #expect(anchor.instant(reaching: .seconds(9), from: start) == nil)
  }

  @Test(
    "A running position advances by wall time times the rate",
    arguments: [(1.0, 4.0, 14.0), (2, 4, 18), (0.5, 4, 12), (0.25, 8, 12), (4, 2.5, 20)])
  func running(rate: Double, elapsed: Double, expected: Double) {
    let anchor = PositionAnchor(position: .seconds(10), instant: start, rate: rate)
    #expect(anchor.isRunning)
    #expect(anchor.position(at: start) == .seconds(10))
    #expect(anchor.position(at: at(elapsed)) == .seconds(expected))
  }

  @Test("A week of playback at rate 1 is exact to the nanosecond")
  func exact() {
    let anchor = PositionAnchor(position: .zero, instant: start, rate: 1)
    let week = Duration.seconds(7 * 86_400) + .nanoseconds(1)
    #expect(anchor.position(at: start + week) == week)
  }

  @Test("Before its instant an anchor has its own position")
  func before() {
    let anchor = PositionAnchor(position: .seconds(10), instant: start, rate: 1)
    #expect(anchor.position(at: at(-3)) == .seconds(10))
  }

  @Test("A forward correction is applied at once")
  func correctedForward() {
    let anchor = PositionAnchor(position: .zero, instant: start, rate: 1).corrected(
      to: .seconds(2.01), at: at(2), gently: false)
    #expect(anchor.position(at: at(2)) == .seconds(2.01))
    #expect(anchor.position(at: at(3)) == .seconds(3.01))
  }

  @Test("A small backward correction holds the position until the playhead has reached it")
  func correctedBackward() {
    let anchor = PositionAnchor(position: .zero, instant: start, rate: 1).corrected(
      to: .seconds(1.9), at: at(2), gently: false)
    #expect(anchor.position(at: at(2)) == .seconds(2))
    #expect(anchor.position(at: at(2.05)) == .seconds(2))
    #expect(anchor.position(at: at(2.1)) == .seconds(2))
    #expect(anchor.position(at: at(3)) == .seconds(2.9))
  }

  @Test("Repeated backward corrections never move the shown position back")
  func neverBack() {
    var anchor = PositionAnchor(position: .zero, instant: start, rate: 1)
    var last = Duration.zero
    for step in 1...200 {
      let now = start + .milliseconds(step * 10)
      #expect(anchor.position(at: now) >= last)
      last = anchor.position(at: now)
      if step % 7 == 0 {
        anchor = anchor.corrected(to: last - .milliseconds(step % 30), at: now, gently: step % 2 == 0)
      }
      #expect(anchor.position(at: now) >= last)
    }
  }

  @Test("A gentle correction changes the speed by 1 % until it is reached", arguments: [1.0, 2, 0.5])
  func gentle(rate: Double) {
    let playhead = PositionAnchor(position: .zero, instant: start, rate: rate)
    let there = playhead.position(at: at(10))
    let behind = playhead.corrected(to: there - .milliseconds(100), at: at(10), gently: true)
    #expect(behind.position(at: at(10)) == there)
    #expect(behind.position(at: at(15)) == there + .seconds(5 * rate) - .milliseconds(50))
    #expect(behind.position(at: at(30)) == there + .seconds(20 * rate) - .milliseconds(100))
    let ahead = playhead.corrected(to: there + .milliseconds(100), at: at(10), gently: true)
    #expect(ahead.position(at: at(15)) == there + .seconds(5 * rate) + .milliseconds(50))
    #expect(ahead.position(at: at(30)) == there + .seconds(20 * rate) + .milliseconds(100))
  }

  @Test("A gentle correction of 10 ms changes the speed by 0.025 %", arguments: [-10, 10])
  func small(milliseconds: Int) {
    let playhead = PositionAnchor(position: .zero, instant: start, rate: 1)
    let corrected = playhead.corrected(to: .seconds(10) + .milliseconds(milliseconds), at: at(10), gently: true)
    #expect(corrected.position(at: at(14)) == .seconds(14) + .milliseconds(milliseconds / 10))
    #expect(corrected.position(at: at(60)) == .seconds(60) + .milliseconds(milliseconds))
    #expect(corrected.bendTime(after: at(20)) == .seconds(30))
  }

  @Test("A backward correction beyond the tolerance is a discontinuity and is applied at once")
  func discontinuity() {
    let anchor = PositionAnchor(position: .zero, instant: start, rate: 1)
    let target = Duration.seconds(2) - PositionAnchor.tolerance
    #expect(anchor.corrected(to: target, at: at(2), gently: false).position(at: at(2)) == target)
    #expect(anchor.corrected(to: target + .nanoseconds(1), at: at(2), gently: false).position(at: at(2)) == .seconds(2))
  }

  @Test("A correction keeps the rate", arguments: [0.5, 1, 2])
  func correctionKeepsRate(rate: Double) {
    let anchor = PositionAnchor(position: .zero, instant: start, rate: rate).corrected(
      to: .seconds(20), at: at(2), gently: false)
    #expect(anchor.rate == rate)
    #expect(anchor.position(at: at(4)) == .seconds(20 + 2 * rate))
  }

  @Test(
    "An anchor computes the instant at which a position is reached",
    arguments: [(1.0, 15.0, 5.0), (2, 15, 2.5), (0.5, 15, 10), (1, 10, 0), (1, 3, 0)])
  func reaching(rate: Double, target: Double, after: Double) {
    let anchor = PositionAnchor(position: .seconds(10), instant: start, rate: rate)
    #expect(anchor.instant(reaching: .seconds(target), from: start) == at(after))
  }

  @Test(
    "During a correction an anchor computes the instant of a position to the nanosecond",
    arguments: [-900, -100, -30, -1, 1, 30, 900] as [Int], [0.25, 1.0, 4])
  func reachingCorrected(drift: Int, rate: Double) throws {
    let playhead = PositionAnchor(position: .zero, instant: start, rate: rate)
    let there = playhead.position(at: at(10))
    for isGentle in [true, false] {
      let corrected = playhead.corrected(to: there + .milliseconds(drift), at: at(10), gently: isGentle)
      let shown = corrected.position(at: at(10))
      for ahead in [1, 10, 95, 105, 800, 5_000, 400_000] {
        let target = shown + .milliseconds(ahead)
        let instant = try #require(corrected.instant(reaching: target, from: at(10)))
        #expect(corrected.crossing(of: target, before: at(10_000)) == instant)
        #expect(corrected.position(at: instant + .nanoseconds(10)) >= target)
        #expect(corrected.position(at: instant + .nanoseconds(-10)) <= target)
      }
      // A position behind the playhead counts as reached.
      #expect(corrected.instant(reaching: shown - .seconds(1), from: at(11)) == at(11))
      #expect(corrected.crossing(of: shown - .seconds(1), before: at(11)) == at(10))
    }
  }

  @Test("Durations saturate at the ends of the nanosecond clock")
  func saturation() {
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(-1.5).wholeNanoseconds == -1_500_000_000)
  }
}
