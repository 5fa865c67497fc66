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

  @Test("A negative rate is ignored, and playback continues forwards", arguments: [Media.Format.wav, .ogg])
  func backwards(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1, format: format)
    for ask: @Sendable (Player) -> Void in [
      { $0.rate = -1 }, { $0.playImmediately(atRate: -2) },
      {
        $0.defaultRate = -0.5
        $0.pause()
        $0.play()
      },
    ] {
      try await withPlayer([fileURI(path)], inFastTime: false) { harness in
        try await harness.playing()
        ask(harness.player)
        #expect(harness.player.snapshot.rate == 1)
        #expect(harness.player.snapshot.defaultRate == nil)
        try await harness.event(.queueEnded)
        #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      }
    }
  }
}
