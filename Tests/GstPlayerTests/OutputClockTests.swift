import CGst
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The clock of an output") struct OutputClockTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let started = GST_AUDIO_RING_BUFFER_STATE_STARTED
  private let paused = GST_AUDIO_RING_BUFFER_STATE_PAUSED

  @Test("The time of a stream is not read for a tenth of a second after it has resumed")
  func resume() {
    var hold = ResumeHold()
    let allowed = [
      hold.allowsReading(in: started, now: start),
      hold.allowsReading(in: paused, now: start),
      hold.allowsReading(in: started, now: start),
      hold.allowsReading(in: started, now: start + .milliseconds(99)),
      hold.allowsReading(in: started, now: start + .milliseconds(100)),
    ]
    #expect(allowed == [true, true, false, false, true])
  }

  @Test("The time of a new stream is read at once")
  func newStream() {
    var hold = ResumeHold()
    let allowed = [
      hold.allowsReading(in: paused, now: start),
      hold.allowsReading(in: GST_AUDIO_RING_BUFFER_STATE_STOPPED, now: start),
      hold.allowsReading(in: started, now: start),
    ]
    #expect(allowed == [true, true, true])
  }
}
