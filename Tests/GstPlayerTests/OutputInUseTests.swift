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

  @Test("A device removed before monitoring began is missing from the list, once; an empty list says nothing")
  func missing() {
    var use = OutputInUse()
    var missing: [AudioOutput.ID?] = []
    missing.append(use.removeMissing(among: ["speakers"], now: at(0)))
    use.recordDevice(on: "headset", now: at(0))
    missing.append(use.removeMissing(among: ["headset", "speakers"], now: at(1)))
    missing.append(use.removeMissing(among: [], now: at(1)))
    use.recordDevice(on: "speakers", now: at(1))
    missing.append(use.removeMissing(among: ["speakers"], now: at(4)))
    use.recordDevice(on: "headset", now: at(5))
    use.recordDevice(on: "speakers", now: at(6))
    missing.append(use.removeMissing(among: ["speakers"], now: at(7)))
    missing.append(use.removeMissing(among: ["speakers"], now: at(7)))
    missing.append(use.removeMissing(among: ["lamp"], now: at(7)))
    #expect(missing == [nil, nil, nil, nil, "headset", nil, "speakers"])
  }

  @Test("A removal counts once, also when another device is used after it")
  func removed() {
    var use = OutputInUse()
    use.recordDevice(on: "headset", now: at(0))
    let isFirst = use.remove("headset", now: at(1))
    use.recordDevice(on: "speakers", now: at(1))
    let missing = use.removeMissing(among: ["speakers"], now: at(2))
    let isSecond = use.remove("headset", now: at(2))
    #expect(isFirst && missing == nil && !isSecond)
  }

  @Test("The dummy of a server without devices is none: its removal concerns nothing, that of the device before does")
  func dummy() {
    var use = OutputInUse()
    use.recordDevice(on: "headset", now: at(0))
    use.recordDevice(on: "auto_null", now: at(1))
    #expect(!use.isInUse("auto_null", now: at(1)))
    #expect(use.isInUse("headset", now: at(2)))
    let missing = use.removeMissing(among: ["speakers"], now: at(5))
    #expect(missing == nil)
  }
}
