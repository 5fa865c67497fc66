import GstPlayer
import TestSupport
import Testing

/// Another speed at the same pitch, in a real pipeline.
@Suite("Tempo", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TempoTests {
  @Test("At another speed a file of smaller samples follows one of larger, skipped to or after a stop")
  func smallerSamples() async throws {
    // Decoded to 32 bits, and to 16.
    let large = try await Media.sine(seconds: 5, format: .ogg)
    let small = try await Media.sine(seconds: 5, format: .wav)
    try await withPlayer([fileURI(large), fileURI(small)]) { stage in
      stage.player.setRate(1.5)
      for _ in 1...3 {
        for item in stage.items {
          stage.player.play(item.id)
          try await stage.playing()
          #expect(stage.player.snapshot.currentItem == item && stage.player.snapshot.rate == 1.5)
          stage.player.stop()
        }
      }
      for item in stage.items {
        stage.player.play(item.id)
        try await stage.playing()
      }
      #expect(stage.failures.isEmpty)
    }
  }
}
