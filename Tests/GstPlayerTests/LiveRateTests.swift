import GstPlayer
import TestSupport
import Testing

@Suite("Rates, heard", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LiveRateTests {
  @Test("At twice the rate the next item goes twice as fast as well")
  func nextItem() async throws {
    let length = 66_151
    let paths = try await Media.continuousSine(samplesPerPart: length)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      stage.player.setRate(2)
      try await stage.playOut()
      // The pitch filter swallows up to a tenth of a second at the end of each.
      #expect((length - 9000...length + 1000).contains(try tap.heard().count))
      #expect(stage.player.snapshot.rate == 2)
      #expect(stage.story.contains(.currentItemChanged(from: stage.items[0], to: stage.items[1])))
    }
  }

  @Test("A negative rate is ignored, and play goes on forwards", arguments: [Media.Format.wav, .ogg])
  func backwards(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1, format: format)
    for ask: @Sendable (Player) -> Void in [
      { $0.setRate(-1) }, { $0.playImmediately(atRate: -2) },
      {
        $0.setDefaultRate(-0.5)
        $0.pause()
        $0.play()
      },
    ] {
      try await withPlayer([fileURI(path)]) { stage in
        try await stage.playing()
        ask(stage.player)
        #expect(stage.player.snapshot.rate == 1)
        #expect(stage.player.snapshot.defaultRate == nil)
        try await stage.event(.queueEnded)
        #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      }
    }
  }
}
