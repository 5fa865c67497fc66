import TestSupport
import Testing

@testable import GstPlayer

@Suite("Awaited preparation of media", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PreparationLiveTests {
  @Test("A prepared item is ready and paused at its start, and nothing of it has been rendered")
  func ready() async throws {
    let uri = fileURI(try await Media.sine(seconds: 1))
    try await withTappedPlayer([uri]) { harness, tap in
      try await deadline(20, "the item is ready") { [player = harness.player] in try await player.prepare() }
      let snapshot = harness.player.snapshot
      #expect(snapshot.itemStatus == .readyToPlay)
      #expect(snapshot.transport == .paused)
      #expect(snapshot.position == .zero)
      #expect(snapshot.duration == .seconds(1))
      #expect(try tap.recorded().isEmpty)
      try await harness.playToEnd()
    }
  }

  @Test("Preparing a missing file throws its error")
  func missing() async throws {
    try await withPlayer([fileURI(Media.missing)]) { harness in
      let error = await #expect(throws: PlayerError.self) {
        try await deadline(20, "the item fails") { [player = harness.player] in try await player.prepare() }
      }
      #expect(error?.code == .notFound)
    }
  }
}
