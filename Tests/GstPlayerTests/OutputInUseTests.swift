import Playback
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("The device that is heard") struct OutputInUseTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("Its end concerns the device that is heard, and for a moment the one that was heard before")
  func concerned() {
    var use = OutputInUse()
    #expect(!use.concerns("headset", now: at(0)))
    use.heard(on: "headset", now: at(0))
    #expect(use.concerns("headset", now: at(100)))
    #expect(!use.concerns("speakers", now: at(100)))
    use.heard(on: "speakers", now: at(100))
    #expect(use.concerns("headset", now: at(101)))
    #expect(use.concerns("speakers", now: at(101)))
    #expect(!use.concerns("headset", now: at(102)))
  }

  @Test("A device that had gone before anybody watched is missing among those that there are")
  func missing() {
    var use = OutputInUse()
    #expect(use.missing(among: ["speakers"], now: at(0)) == nil)
    use.heard(on: "headset", now: at(0))
    #expect(use.missing(among: ["headset", "speakers"], now: at(1)) == nil)
    #expect(use.missing(among: ["speakers"], now: at(1)) == "headset")
    #expect(use.missing(among: [], now: at(1)) == nil, "a server that does not answer")
    use.heard(on: "speakers", now: at(1))
    #expect(use.missing(among: ["speakers"], now: at(2)) == "headset")
    #expect(use.missing(among: ["speakers"], now: at(4)) == nil)
  }
}
