import Testing

@testable import Playback

@Suite("Retry delays") struct RetryPauseTests {
  private func instant(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("The retry delay of the output doubles up to 10 s and is reset when an output opens")
  func output() {
    var output = OutputState()
    #expect((0..<7).map { _ in output.fail() } == [0.5, 1, 2, 4, 8, 10, 10].map { .seconds($0) })
    output.recover()
    #expect(output.fail() == .milliseconds(500))
  }

  @Test("The retry delay of a broadcast doubles up to 30 s; the time limit counts from the first loss")
  func broadcast() {
    var search = Reconnection(at: instant(0))
    var pauses = [search.backOff]
    for second in 1...6 {
      search = search.next(at: instant(second))
      pauses.append(search.backOff)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(search.since == instant(0))
  }

  @Test("A broadcast that has played for 20 s counts as recovered", arguments: [(19, 0, 2), (20, 30, 1)])
  func recovery(played: Int, since: Int, pause: Int) {
    var search = Reconnection(at: instant(0))
    search.succeed(at: instant(30 - played))
    search.succeed(at: instant(29))
    let next = search.next(at: instant(30))
    #expect(next.since == instant(since) && next.backOff == .seconds(pause) && next.found == nil)
  }

  @Test("The engine moves the end of a running fade-out and does not start one")
  func fade() {
    var fade = Fade()
    fade.ends(in: .zero, longest: .zero, now: instant(1))
    #expect(fade == Fade() && fade.due == nil)
    fade.pause(over: .seconds(1), now: instant(3))
    #expect(fade.pauseDue == instant(5))
    fade.ends(in: .milliseconds(980), longest: .seconds(1), now: instant(1))
    #expect(fade.pauseDue == instant(2) && fade.stopDue == nil && fade.due == instant(2))
    // The fade-out of the pause continues.
    let begins = fade.stop(over: .seconds(1), now: instant(1))
    #expect(!begins)
    #expect(fade.stopDue == instant(2) && !fade.isPausing)
    fade = Fade()
    let beginsAlone = fade.stop(over: .seconds(1), now: instant(3))
    #expect(beginsAlone)
    fade.ends(in: .milliseconds(980), longest: .seconds(1), now: instant(2))
    #expect(fade.stopDue == instant(3) && fade.pauseDue == nil && fade.due == instant(3))
  }
}
