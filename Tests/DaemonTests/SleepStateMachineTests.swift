import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService

@Suite("Steps before and after the machine's sleep")
struct SleepStateMachineTests {
  private func steps(
    _ events: [SleepStateMachine.Event], _ policy: SleepPolicy = .pause, inhibits: Bool = false
  ) -> [SleepStateMachine.Step] {
    var machine = SleepStateMachine()
    return events.flatMap { machine.steps(for: $0, policy: policy, inhibits: inhibits) }
  }

  @Test("Before sleep playback is paused and the session saved, then the lock is released; playback stays paused")
  func pause() {
    #expect(
      steps([.began, .playing(true), .sleep, .playing(false), .wake])
        == [.takeDelay, .pause, .save, .releaseDelay, .takeDelay, .emitPosition])
  }

  @Test("With the policy resume playback resumes after sleep if it was playing before")
  func resume() {
    #expect(
      steps([.playing(true), .sleep, .playing(false), .wake], .resume)
        == [.pause, .save, .releaseDelay, .takeDelay, .emitPosition, .play])
    #expect(
      steps([.playing(false), .sleep, .wake], .resume)
        == [.pause, .save, .releaseDelay, .takeDelay, .emitPosition],
      "a pending request is paused, although the player does not play")
    #expect(
      steps([.playing(true), .sleep, .playing(false), .wake, .wake], .resume)
        == [.pause, .save, .releaseDelay, .takeDelay, .emitPosition, .play, .takeDelay, .emitPosition])
    #expect(steps([.playing(true), .sleep, .playing(false), .wake, .sleep, .wake], .resume).count { $0 == .play } == 1)
  }

  @Test("With the policy off, playback is not paused or resumed, and the session is saved")
  func off() {
    #expect(
      steps([.playing(true), .sleep, .wake], .off) == [.save, .releaseDelay, .takeDelay, .emitPosition])
  }

  @Test("Before a shutdown the session is saved and the lock released; a cancelled shutdown takes the lock again")
  func shutdown() {
    #expect(steps([.playing(true), .shutdown, .shutdownCancelled]) == [.save, .releaseDelay, .takeDelay])
  }

  @Test("The block lock is held only during playback, and only if configured")
  func inhibit() {
    let events: [SleepStateMachine.Event] = [.playing(true), .playing(true), .playing(false), .playing(false)]
    #expect(steps(events, inhibits: true) == [.takeBlock, .releaseBlock])
    #expect(steps(events) == [])
  }
}
