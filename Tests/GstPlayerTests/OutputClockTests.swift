import CGst
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The clock of an output") struct OutputClockTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let started = GST_AUDIO_RING_BUFFER_STATE_STARTED
  private let paused = GST_AUDIO_RING_BUFFER_STATE_PAUSED
  private let stopped = GST_AUDIO_RING_BUFFER_STATE_STOPPED

  /// Returns the clock of a stream that was paused at 10 s and has started again.
  private func resumed() -> StreamClock {
    var clock = StreamClock()
    let begin = MonotonicTime(nanoseconds: 990_000_000_000)
    _ = clock.allowsReading(in: stopped, now: begin)
    _ = clock.allowsReading(in: started, now: begin)
    _ = clock.checked(.seconds(5), in: started, now: begin + .seconds(5))
    _ = clock.checked(.seconds(10), in: paused, now: start)
    return clock
  }

  @Test("The time of a stream is not read for a tenth of a second after it has resumed")
  func resume() {
    var clock = resumed()
    let allowed = [0, 99, 100].map { clock.allowsReading(in: started, now: start + .milliseconds($0)) }
    #expect(allowed == [false, false, true])
  }

  @Test("The time of a new stream is not read before a tenth of a second after its first start")
  func newStream() {
    var clock = StreamClock()
    let allowed = [
      clock.allowsReading(in: stopped, now: start),
      clock.allowsReading(in: stopped, now: start + .seconds(3)),
      clock.allowsReading(in: started, now: start + .seconds(3) + .milliseconds(99)),
      clock.allowsReading(in: started, now: start + .seconds(3) + .milliseconds(100)),
    ]
    #expect(allowed == [false, false, false, true])
  }

  @Test("A stream is behind only for a tenth of a second after a start, and its delay is unknown before it")
  func delay() {
    let clock = resumed()
    #expect(clock.delay(in: paused, now: start) == nil)
    #expect(clock.delay(in: started, now: start + .milliseconds(60)) == .milliseconds(60))
    #expect(clock.delay(in: started, now: start + .milliseconds(100)) == .zero)
  }

  @Test("Instead of a time that the stream cannot have reached, the time since its start counts, without pauses")
  func impossible() {
    var clock = resumed()
    let end = start + .seconds(2)
    _ = clock.allowsReading(in: started, now: end)
    let playing = [11.99, 12.02, 400].map { clock.checked(.seconds($0), in: started, now: end) }
    #expect(playing == [.seconds(11.99), .seconds(12.02), .seconds(12)])
    let pauses = [0.0, 60].map { clock.checked(.seconds(4000), in: paused, now: end + .seconds($0)) }
    #expect(pauses == [.seconds(12), .seconds(12)])
    _ = clock.allowsReading(in: started, now: end + .seconds(61))
    let later = clock.checked(.seconds(4000), in: started, now: end + .seconds(61))
    #expect(later == .seconds(13))
  }

  @Test("At each usual sample rate, the first sample of a stream is due between two samples after its start")
  func lead() {
    for rate in [
      8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ] {
      let samples = StreamClock.lead / .seconds(1) * Double(rate)
      #expect(samples >= 1 && abs(samples - samples.rounded()) > 0.17, "\(rate)")
    }
  }

  @Test("A stream whose time has not advanced has not begun, and is not read for another tenth of a second")
  func lateStart() {
    var clock = resumed()
    let now = start + .milliseconds(150)
    _ = clock.allowsReading(in: started, now: now)
    #expect(clock.delay(in: started, now: now) == .zero)
    _ = clock.checked(.seconds(10), in: started, now: now)
    #expect(clock.delay(in: started, now: now + .milliseconds(30)) == .milliseconds(30))
    let allowed = [99, 100].map { clock.allowsReading(in: started, now: now + .milliseconds($0)) }
    #expect(allowed == [false, true])
  }

  @Test("The delay of a stream whose time is impossible is unknown")
  func noDelay() {
    var clock = resumed()
    let now = start + .seconds(2)
    _ = clock.allowsReading(in: started, now: now)
    _ = clock.checked(.seconds(400), in: started, now: now)
    #expect(clock.delay(in: started, now: now) == nil)
  }

  @Test("A server that is ahead after a pause is followed from the first reading on, at each start")
  func serverAhead() {
    var clock = resumed()
    for number in 1...2 {
      // PipeWire plays the samples that it has read, and counts silence.
      let ahead = Duration.seconds(10) + .milliseconds(90 * number)
      let playing = start + .seconds(2 * number - 1)
      _ = clock.allowsReading(in: started, now: playing)
      let first = clock.checked(ahead + (playing - start), in: started, now: playing)
      #expect(first == ahead + (playing - start))
      #expect(clock.delay(in: started, now: playing) == .zero)
      #expect(clock.error(in: started, now: playing) == .zero)
      let end = start + .seconds(2 * number)
      let last = clock.checked(ahead + (end - start), in: paused, now: end)
      #expect(last == ahead + (end - start))
    }
  }

  @Test("A time that the stream cannot have reached is not followed after a pause")
  func resumedAtAnImpossibleTime() {
    var clock = resumed()
    let now = start + .milliseconds(200)
    _ = clock.allowsReading(in: started, now: now)
    let times = [10.9, 400].map { clock.checked(.seconds($0), in: started, now: now) }
    #expect(times == [.milliseconds(10_200), .milliseconds(10_200)])
  }

  @Test("From a second after its start, a new stream whose time stays ahead is followed without its lead, and is known")
  func newStreamAhead() {
    var clock = StreamClock()
    _ = clock.allowsReading(in: stopped, now: start)
    for (elapsed, delay) in [(500, nil), (999, nil), (1000, Duration.zero), (30_000, .zero), (400_000, .zero)] {
      let now = start + .milliseconds(elapsed)
      _ = clock.allowsReading(in: started, now: now)
      // A measurement begins with the delay, and reads the clock only if the delay is known.
      if elapsed >= 1000 { #expect(clock.delay(in: started, now: now) == .zero) }
      let time = clock.checked(.milliseconds(200 + elapsed), in: started, now: now)
      #expect(time == .milliseconds(elapsed))
      #expect(clock.delay(in: started, now: now) == delay, "\(elapsed)")
    }
    let end = start + .seconds(401)
    let slower = clock.checked(.milliseconds(401_190), in: started, now: end)
    #expect(slower == .milliseconds(400_990))
    #expect(clock.error(in: started, now: end) == .milliseconds(200))
  }

  @Test("A stream that played between two readings is noticed by its time")
  func unnoticed() {
    var clock = resumed()
    let end = start + .seconds(2)
    let time = clock.checked(.seconds(11.9), in: paused, now: end)
    #expect(time == .seconds(11.9))
  }
}
