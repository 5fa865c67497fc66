import Playback
import Testing

@testable import GstPlayer

@Suite("The end of decoded audio at the output") struct StreamMeterTests {
  @Test("That all decoded audio has reached the output is reported once for each measurement")
  func reportedOnce() {
    let meter = StreamMeter()
    meter.decode(until: .seconds(2))
    #expect(meter.deliver(until: .seconds(1)) == nil)
    #expect(meter.deliver(until: .milliseconds(1_950))?.dataEnd == .seconds(2))
    #expect(meter.deliver(until: .seconds(2)) == nil)
    #expect(meter.takeProgress().dataEnd == .seconds(2))
    #expect(meter.deliver(until: .seconds(2)) != nil)
  }

  @Test("While more audio is decoded than has reached the output, nothing is reported")
  func moreDecoded() {
    let meter = StreamMeter()
    for second in 1...10 {
      meter.decode(until: .seconds(second + 1))
      #expect(meter.deliver(until: .seconds(second)) == nil)
    }
    #expect(meter.takeProgress().dataEnd == nil)
  }
}
