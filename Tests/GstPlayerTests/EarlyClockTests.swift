import Testing

@testable import GstPlayer

@Suite("The clock of an output that runs before the first sample") struct EarlyClockTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("The clock is stalled until its lead has been played, plus a tolerance")
  func isClockAhead() {
    var clock = ClockLeadCorrection(lead: .seconds(3))
    #expect(clock.isClockAhead(now: at(100)))
    clock.setPlaying(true, now: at(100))
    #expect(clock.isClockAhead(now: at(103.1)))
    #expect(!clock.isClockAhead(now: at(103.2)))
  }

  @Test("A pause does not count as running time")
  func paused() {
    var clock = ClockLeadCorrection(lead: .seconds(3))
    clock.setPlaying(true, now: at(0))
    clock.setPlaying(false, now: at(1))
    #expect(clock.runningTime(now: at(50)) == .seconds(1))
    #expect(clock.isClockAhead(now: at(50)))
    clock.setPlaying(true, now: at(50))
    #expect(clock.runningTime(now: at(51.5)) == .seconds(2.5))
    #expect(!clock.isClockAhead(now: at(53)))
  }
}
