import GstPlayer
import TestSupport
import Testing

@Suite("The anchor of what plays", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PlaybackAnchorLiveTests {
  @Test("It runs while the item plays, agrees with the position, and stands when paused or closed")
  func follows() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 2))]) { stage in
      try await stage.playing()
      let playing = stage.player.snapshot
      #expect(playing.anchor.rate == 1)
      #expect(playing.anchor.monotonicNanoseconds > 0)
      stage.player.pause()
      let paused = stage.player.snapshot
      #expect(paused.anchor.rate == 0)
      #expect(paused.anchor.position == paused.position)
      // Where the anchor that was read while playing says that the pause came.
      let expected = playing.anchor.position(atMonotonicNanoseconds: paused.anchor.monotonicNanoseconds)
      let deviation = (expected - paused.position) / .seconds(1)
      #expect(abs(deviation) < 0.2)
      stage.player.play()
      try await stage.reaches("runs again") { $0.anchor.rate == 1 }
      await stage.player.close()
      #expect(stage.player.snapshot.anchor.rate == 0)
      #expect(stage.player.snapshot.anchor.position == .zero)
    }
  }
}
