import GstPlayer
import TestSupport
import Testing

@Suite("Playback rates, by the rendered samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveRateTests {
  @Test("At rate 2 the next item also plays at rate 2")
  func nextItem() async throws {
    let length = 66_151
    let paths = try await Media.continuousSine(samplesPerPart: length)
    try await withTappedPlayer(paths.map(fileURI)) { harness, tap in
      harness.player.rate = 2
      try await harness.playToEnd()
      // The pitch filter drops up to 0.1 s at the end of each item.
      #expect((length - 9000...length + 1000).contains(try tap.recorded().count))
      #expect(harness.player.snapshot.rate == 2)
      #expect(harness.significantEvents.contains(.currentItemChanged(from: harness.items[0], to: harness.items[1])))
    }
  }
}
