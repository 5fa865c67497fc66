import GstPlayer
import TestSupport
import Testing

@Suite("Ends, heard", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveEndTests {
  @Test(
    "An end is told when it is heard, and not when the data has been read: of an item before another, and of a loop",
    arguments: [LoopMode.none, .track])
  func whenHeard(loop: LoopMode) async throws {
    let length = 88_211
    let paths = try await Media.continuousSine(parts: 3, samplesPerPart: length)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      let heard = EventLog<Int>()
      let observation = stage.player.addEventObserver { event in
        if case .itemDidPlayToEnd = event { heard.append((try? tap.heard().count) ?? -1) }
      }
      stage.player.setLoop(loop)
      stage.player.play()
      try await heard.first("two ends", from: 1, within: 30)
      stage.player.stop()
      observation.cancel()
      // Each has been read when half of it is still to be heard; a busy machine may be late with what it writes.
      for (count, end) in zip(heard.elements, [length, 2 * length]) { #expect(count > end - length / 4) }
    }
  }
}
