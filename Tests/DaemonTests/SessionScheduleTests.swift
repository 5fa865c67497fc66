import Testing

@testable import PlayerdService

@Suite("Schedule of session writes")
struct SessionScheduleTests {
  private let start = SuspendingClock.Instant.now

  private func at(_ milliseconds: Int) -> SuspendingClock.Instant { start.advanced(by: .milliseconds(milliseconds)) }

  @Test("Without changes and playback nothing is written")
  func rest() {
    var schedule = SessionSchedule()
    #expect(schedule.due(isPlaying: false, now: start) == nil)
    schedule.wrote(at: start)
    #expect(schedule.due(isPlaying: false, now: at(60_000)) == nil)
  }

  @Test("A write is due half a second after the last change, and at most two seconds after the first")
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
    schedule.changed(at: at(3000))
    #expect(schedule.due(isPlaying: false, now: at(3000)) == at(3500))
  }

  @Test("During playback a write is due at least every five seconds, and earlier after a change")
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
