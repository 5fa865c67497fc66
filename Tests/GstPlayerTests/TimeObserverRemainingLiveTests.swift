import GstPlayer
import TestSupport
import Testing

@Suite("Remaining time, live") struct TimeObserverRemainingLiveTests {
  @Test("It is told of what plays", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func live() async throws {
    let parts = try await Media.continuousSine(samplesPerPart: 44_100)
    try await withPlayer([fileURI(parts[0]), fileURI(parts[1])]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(remaining: .milliseconds(300))
      try ear.listen(remaining: .seconds(60))
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == [0, 700, 0, 700].map { .milliseconds($0) })
      #expect(ear.crossings.map(\.item) == [0, 0, 1, 1].map { stage.items[$0] })
    }
  }
}
