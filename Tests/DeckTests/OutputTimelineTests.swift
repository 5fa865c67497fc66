import Testing

@testable import GstPlayer

@Suite struct OutputTimelineTests {
  @Test("A frame is found at its own time, at every rate", arguments: [8_000, 11_025, 44_100, 48_000, 96_000, 384_000])
  func roundTrip(rate: Int) {
    let timeline = OutputTimeline(rate: rate, from: 1_000)
    for frame in stride(from: Int64(1_000), to: 4_000_000, by: 997) {
      // A time is rounded down to a nanosecond, which may lie in the frame before.
      #expect(timeline.frame(at: timeline.time(of: frame) + 1) == frame)
    }
  }

  @Test("After a silence, the frames continue at their new time")
  func silence() {
    var timeline = OutputTimeline(rate: 1_000)
    timeline.restart(500, at: 2_000_000_000)
    #expect(timeline.time(of: 499) == 499_000_000)
    #expect(timeline.time(of: 500) == 2_000_000_000)
    #expect(timeline.time(of: 600) == 2_100_000_000)
    #expect(timeline.frame(at: 499_000_000) == 499)
    #expect(timeline.frame(at: 1_000_000_000) == 500)
    #expect(timeline.frame(at: 2_100_000_000) == 600)
  }

  @Test("Frames that are written again have the time of the last writing alone")
  func replacement() {
    var timeline = OutputTimeline(rate: 1_000)
    timeline.restart(500, at: 2_000_000_000)
    timeline.restart(300, at: 400_000_000)
    #expect(timeline.time(of: 299) == 299_000_000)
    #expect(timeline.time(of: 500) == 600_000_000)
    #expect(timeline.frame(at: 600_000_000) == 500)
  }

  @Test("Forgotten entries do not change later times")
  func forgetting() {
    var timeline = OutputTimeline(rate: 1_000)
    timeline.restart(500, at: 2_000_000_000)
    timeline.restart(700, at: 5_000_000_000)
    timeline.forget(before: 600)
    #expect(timeline.time(of: 650) == 2_150_000_000)
    #expect(timeline.time(of: 700) == 5_000_000_000)
  }
}
