import GstPlayer
import TestSupport
import Testing

@Suite("Remaining time, live") struct TimeObserverRemainingLiveTests {
  @Test("Remaining times are reported for each item", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func live() async throws {
    let parts = try await Media.continuousSine(samplesPerPart: 44_100)
    try await withPlayer([fileURI(parts[0]), fileURI(parts[1])], inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(remaining: .milliseconds(300))
      try recorder.listen(remaining: .seconds(60))
      try await harness.playToEnd()
      try await recorder.end()
      #expect(recorder.boundaries == [0, 700, 0, 700].map { .milliseconds($0) })
      #expect(recorder.crossings.map(\.item) == [0, 0, 1, 1].map { harness.items[$0] })
    }
  }
}
