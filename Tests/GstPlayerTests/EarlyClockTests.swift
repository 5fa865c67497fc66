import Testing

@testable import GstPlayer

@Suite("A clock that runs before the sound") struct EarlyClockTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("It stands until its lead has been played, and a moment longer")
  func stands() {
    var clock = EarlyClock(lead: .seconds(3))
    #expect(clock.stands(now: at(100)))
    clock.setPlaying(true, now: at(100))
    #expect(clock.stands(now: at(103.1)))
    #expect(!clock.stands(now: at(103.2)))
  }

  @Test("A pause is not part of the running time")
  func paused() {
    var clock = EarlyClock(lead: .seconds(3))
    clock.setPlaying(true, now: at(0))
    clock.setPlaying(false, now: at(1))
    #expect(clock.runningTime(now: at(50)) == .seconds(1))
    #expect(clock.stands(now: at(50)))
    clock.setPlaying(true, now: at(50))
    #expect(clock.runningTime(now: at(51.5)) == .seconds(2.5))
    #expect(!clock.stands(now: at(53)))
  }
}
