import Testing

@testable import mpris_playerd

@Suite("What is done as the machine sleeps")
struct SleepCourseTests {
  private func steps(
    _ events: [SleepCourse.Event], _ policy: SleepPolicy = .pause, inhibits: Bool = false
  ) -> [SleepCourse.Step] {
    var course = SleepCourse()
    return events.flatMap { course.steps(for: $0, policy: policy, inhibits: inhibits) }
  }

  @Test("What plays is paused, what is to last is written, and then the machine is let go; afterwards it stays paused")
  func pause() {
    #expect(
      steps([.began, .playing(true), .sleep, .playing(false), .wake])
        == [.takeDelay, .pause, .save, .releaseDelay, .takeDelay, .tellPosition])
  }

  @Test("What played is played on, where that is configured; what was paused stays paused")
  func resume() {
    #expect(
      steps([.playing(true), .sleep, .playing(false), .wake], .resume)
        == [.pause, .save, .releaseDelay, .takeDelay, .tellPosition, .play])
    #expect(
      steps([.playing(false), .sleep, .wake], .resume) == [.save, .releaseDelay, .takeDelay, .tellPosition])
    #expect(
      steps([.playing(true), .sleep, .playing(false), .wake, .wake], .resume)
        == [.pause, .save, .releaseDelay, .takeDelay, .tellPosition, .play, .takeDelay, .tellPosition])
    #expect(steps([.playing(true), .sleep, .playing(false), .wake, .sleep, .wake], .resume).count { $0 == .play } == 1)
  }

  @Test("Left alone, the music is neither paused nor played; its place is written all the same")
  func off() {
    #expect(
      steps([.playing(true), .sleep, .wake], .off) == [.save, .releaseDelay, .takeDelay, .tellPosition])
  }

  @Test("A shutdown is let go when all is written, and waited for again when it does not take place")
  func shutdown() {
    #expect(steps([.playing(true), .shutdown, .shutdownCancelled]) == [.save, .releaseDelay, .takeDelay])
  }

  @Test("Only while it plays the machine is kept awake, and only where that is configured")
  func inhibit() {
    let events: [SleepCourse.Event] = [.playing(true), .playing(true), .playing(false), .playing(false)]
    #expect(steps(events, inhibits: true) == [.takeBlock, .releaseBlock])
    #expect(steps(events) == [])
  }
}
