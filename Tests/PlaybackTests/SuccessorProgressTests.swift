import Testing

@testable import Playback

/// The rules of data that arrives for the next item while the current one plays.
@Suite("Data of the next item") struct SuccessorProgressTests {
  @Test(
    "Data that the next item has received before it is current is part of its received range",
    arguments: [
      .progressed(.decoded(until: .seconds(5))), .ranOut(.ended(at: .seconds(5))),
    ] as [StreamEvent])
  func receivedRange(event: StreamEvent) throws {
    var harness = MachineHarness(2, scheme: "http")
    harness.start(duration: 60)
    let next = try harness.prepareNext(duration: 60)
    harness.report(.stream(next, event))
    harness.enterNext(next)
    #expect(harness.snapshot.loadedTimeRanges == [.zero ..< .seconds(5)])
  }
}
