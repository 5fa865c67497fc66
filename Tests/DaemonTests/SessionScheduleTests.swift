import Testing

@testable import mpris_playerd

@Suite("When a session is written")
struct SessionScheduleTests {
  private let start = SuspendingClock.Instant.now

  private func at(_ milliseconds: Int) -> SuspendingClock.Instant { start.advanced(by: .milliseconds(milliseconds)) }

  @Test("Never while nothing changes and nothing plays")
  func rest() {
    var schedule = SessionSchedule()
    #expect(schedule.due(isPlaying: false, now: start) == nil)
    schedule.wrote(at: start)
    #expect(schedule.due(isPlaying: false, now: at(60_000)) == nil)
  }

  @Test("Half a second after a change, or after the last of several, and never later than two seconds")
  func changes() {
    var schedule = SessionSchedule()
    schedule.changed(at: at(0))
    #expect(schedule.due(isPlaying: false, now: at(0)) == at(500))
    schedule.changed(at: at(400))
    #expect(schedule.due(isPlaying: false, now: at(400)) == at(900))
    for time in stride(from: 800, through: 1400, by: 200) { schedule.changed(at: at(time)) }
    #expect(schedule.due(isPlaying: false, now: at(1400)) == at(1500))
    schedule.wrote(at: at(1500))
    #expect(schedule.due(isPlaying: false, now: at(1500)) == nil)
  }

  @Test("While it plays at least every five seconds, and sooner when something changes")
  func playing() {
    var schedule = SessionSchedule()
    #expect(schedule.due(isPlaying: true, now: at(0)) == at(4500))
    schedule.wrote(at: at(1000))
    #expect(schedule.due(isPlaying: true, now: at(2000)) == at(5500))
    schedule.changed(at: at(2000))
    #expect(schedule.due(isPlaying: true, now: at(2000)) == at(2500))
    schedule.wrote(at: at(2500))
    #expect(schedule.due(isPlaying: false, now: at(2500)) == nil)
  }
}
