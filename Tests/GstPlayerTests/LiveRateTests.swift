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

  @Test(
    "Nothing plays backwards: whatever asks for it gets the slowest rate, and play goes on forwards",
    arguments: [Media.Format.wav, .ogg])
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
        try await stage.playing(pausedAt: .milliseconds(300))
        let start = stage.player.snapshot.position
        stage.player.play()
        ask(stage.player)
        #expect(stage.player.snapshot.rate == 0.25)
        // Not before it has gone on at that rate.
        let later = try stage.player.boundaries(at: [start + .milliseconds(30)])
        try await deadline(20, "play goes on") { for await _ in later.prefix(1) {} }
        stage.player.setRate(4)
        try await stage.event(.itemDidPlayToEnd(stage.items[0]))
        #expect(stage.failures.isEmpty)
      }
    }
  }
}
