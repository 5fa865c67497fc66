import GstPlayer
import TestSupport
import Testing

@Suite("Item ends, by the rendered samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveEndTests {
  @Test(
    "The end of an item, also in a loop, is reported when its last sample is rendered, not when it is read",
    arguments: [Player.LoopMode.none, .track])
  func whenHeard(loop: Player.LoopMode) async throws {
    let length = 88_211
    let paths = try await Media.continuousSine(parts: 3, samplesPerPart: length)
    try await withTappedPlayer(paths.map(fileURI)) { harness, tap in
      let recorded = EventLog<Int>()
      let observation = harness.player.addEventObserver { event, _ in
        if case .itemDidPlayToEnd = event { recorded.append((try? tap.recorded().count) ?? -1) }
      }
      harness.player.loop = loop
      harness.player.play()
      try await recorded.first("two ends", from: 1, within: 30)
      harness.player.stop()
      observation.cancel()
      // Each item has been read completely when half of it is rendered. On a busy machine the writes of the tap may be
      // late.
      for (count, end) in zip(recorded.elements, [length, 2 * length]) { #expect(count > end - length / 4) }
    }
  }
}
