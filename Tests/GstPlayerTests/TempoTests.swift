import GstPlayer
import TestSupport
import Testing

/// Tests of other rates at the same pitch, in a real pipeline.
@Suite("Tempo", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TempoTests {
  @Test("At another rate, a file with smaller samples plays after one with larger samples, by a skip or after a stop")
  func smallerSamples() async throws {
    // The decoders output samples of 32 and of 16 bits.
    // The test may be delayed while they play, so they are long.
    let large = try await Media.sine(seconds: 60, format: .ogg)
    let small = try await Media.sine(seconds: 60, format: .wav)
    try await withPlayer([fileURI(large), fileURI(small)], inFastTime: false) { harness in
      harness.player.rate = 1.5
      for _ in 1...3 {
        for item in harness.items {
          harness.player.play(item: item.id)
          try await harness.playing()
          #expect(harness.player.snapshot.currentItem == item && harness.player.snapshot.rate == 1.5)
          harness.player.stop()
        }
      }
      for item in harness.items {
        harness.player.play(item: item.id)
        try await harness.playing()
      }
      #expect(harness.failures.isEmpty)
    }
  }
}
