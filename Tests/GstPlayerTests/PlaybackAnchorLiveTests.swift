import GstPlayer
import TestSupport
import Testing

@Suite("The playback anchor", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PlaybackAnchorLiveTests {
  @Test("The anchor runs during playback, agrees with the position, and stops when the player is paused or closed")
  func follows() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 60, format: .wav))], inFastTime: false) { harness in
      try await harness.playing()
      let playing = harness.player.snapshot
      #expect(playing.anchor.rate == 1)
      #expect(playing.anchor.monotonicNanoseconds > 0)
      harness.player.pause()
      let paused = harness.player.snapshot
      #expect(paused.anchor.rate == 0)
      #expect(paused.anchor.position == paused.position)
      // The position of the pause, computed from the anchor that was read during playback.
      let expected = playing.anchor.position(atMonotonicNanoseconds: paused.anchor.monotonicNanoseconds)
      let deviation = (expected - paused.position) / .seconds(1)
      #expect(abs(deviation) < 0.2)
      harness.player.play()
      try await harness.reaches("runs again") { $0.anchor.rate == 1 }
      await harness.player.close()
      #expect(harness.player.snapshot.anchor.rate == 0)
      #expect(harness.player.snapshot.anchor.position == .zero)
    }
  }
}
