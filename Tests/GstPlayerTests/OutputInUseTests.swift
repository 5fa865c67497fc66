import Playback
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The audio device in use") struct OutputInUseTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("The removal of a device concerns playback if it is in use, or was until shortly before")
  func concerned() {
    var use = OutputInUse()
    #expect(!use.isInUse("headset", now: at(0)))
    use.recordDevice(on: "headset", now: at(0))
    #expect(use.isInUse("headset", now: at(100)))
    #expect(!use.isInUse("speakers", now: at(100)))
    use.recordDevice(on: "speakers", now: at(100))
    #expect(use.isInUse("headset", now: at(101)))
    #expect(use.isInUse("speakers", now: at(101)))
    #expect(!use.isInUse("headset", now: at(102)))
  }

  @Test("A device removed before monitoring began is missing from the list")
  func missing() {
    var use = OutputInUse()
    #expect(use.missing(among: ["speakers"], now: at(0)) == nil)
    use.recordDevice(on: "headset", now: at(0))
    #expect(use.missing(among: ["headset", "speakers"], now: at(1)) == nil)
    #expect(use.missing(among: ["speakers"], now: at(1)) == "headset")
    #expect(use.missing(among: [], now: at(1)) == nil, "the server does not answer")
    use.recordDevice(on: "speakers", now: at(1))
    #expect(use.missing(among: ["speakers"], now: at(2)) == "headset")
    #expect(use.missing(among: ["speakers"], now: at(4)) == nil)
  }
}
