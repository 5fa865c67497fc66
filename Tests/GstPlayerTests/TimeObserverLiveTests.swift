import GstPlayer
import TestSupport
import Testing

@Suite("Boundary times, live", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverLiveTests {
  @Test("Every item of a gapless queue has its own fractions, including very short items")
  func fractions() async throws {
    let long = try await Media.continuousSine(samplesPerPart: 44_100)
    let short = try await Media.sine(seconds: 0.05)
    try await withPlayer([long[0], short, long[1], short, short].map(fileURI), inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(fractions: 0.5, 1, 0, 0.25)
      try await harness.playToEnd()
      try await recorder.end()
      let expected = [1000, 50, 1000, 50, 50].flatMap { length in
        [0, 0.25, 0.5, 1].map { Duration.microseconds(Double(length * 1000) * $0) }
      }
      #expect(recorder.boundaries == expected)
      #expect(recorder.crossings.map(\.item) == harness.items.flatMap { Array(repeating: $0, count: 4) })
    }
  }
}
