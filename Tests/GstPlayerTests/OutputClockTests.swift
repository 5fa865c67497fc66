import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The clock of an output") struct OutputClockTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  @Test("A time of the output that is ahead of the time that has passed is rejected, and a later one is accepted")
  func impossible() {
    var bound = OutputTimeBound(now: start)
    let accepted = [
      bound.accepts(.seconds(60), now: start + .seconds(60)),
      // Wrong times of libpulse 16, just after a resume.
      bound.accepts(.seconds(3600) * 1_000_000, now: start + .seconds(61)),
      bound.accepts(.seconds(3600), now: start + .seconds(61)),
      bound.accepts(.seconds(60.002), now: start + .seconds(61)),
    ]
    #expect(accepted == [true, false, false, true])
  }

  @Test("The time of a new stream starts again, and that of a stream that was paused continues")
  func restart() {
    var bound = OutputTimeBound(now: start)
    let accepted = [
      bound.accepts(.seconds(60), now: start + .seconds(60)),
      bound.accepts(.zero, now: start + .seconds(61)),
      bound.accepts(.seconds(9), now: start + .seconds(70)),
      bound.accepts(.seconds(9.01), now: start + .seconds(7_200)),
    ]
    #expect(accepted == [true, true, true, true])
  }
}
