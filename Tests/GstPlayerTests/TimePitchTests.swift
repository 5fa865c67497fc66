import GstPlayer
import TestSupport
import Testing

/// Tests of the pitch at other rates, by the zero crossings of a rendered sine of 440 Hz.
@Suite("Pitch", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimePitchTests {
  /// Plays a file from its start after a preparation, and returns the rendered samples.
  private func recorded(
    _ path: String, _ algorithm: Player.Configuration.TimePitchAlgorithm,
    _ prepare: (PlayerHarness) async throws -> Void
  ) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let harness = PlayerHarness(
        [fileURI(path)],
        configuration: Player.Configuration(audioSink: tap.sink(.everything), timePitchAlgorithm: algorithm))
      do {
        try await prepare(harness)
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      } catch {
        await harness.end()
        throw error
      }
      await harness.end()
      return try tap.recorded()
    }
  }

  /// Returns the frequency of the middle half of the samples.
  private func frequency(_ sound: [Int16]) -> Double {
    let middle = sound.dropFirst(sound.count / 4).dropLast(sound.count / 4)
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * 44_100 / Double(middle.count)
  }

  @Test(
    "At another rate the pitch is kept or follows the rate, and the duration is the same",
    arguments: Player.Configuration.TimePitchAlgorithm.allCases, [0.5, 1.5])
  func pitch(algorithm: Player.Configuration.TimePitchAlgorithm, rate: Double) async throws {
    let path = try await Media.sine(seconds: 1.5, format: .flac)
    let sound = try await recorded(path, algorithm) { $0.player.rate = rate }
    let expected = algorithm == .varispeed ? 440 * rate : 440
    #expect(abs(frequency(sound) - expected) < expected / 50)
    // The pitch filter drops up to 0.1 s at the end.
    #expect(abs(Double(sound.count) / 44_100 - 1.5 / rate) < 0.2)
  }

  @Test(
    "At the normal rate, and after returning to it, no sample is changed",
    arguments: Player.Configuration.TimePitchAlgorithm.allCases)
  func unchanged(algorithm: Player.Configuration.TimePitchAlgorithm) async throws {
    let path = try await Media.sine(seconds: 2, format: .wav)
    let original = try samples(ofWAV: path)
    let plain = try await recorded(path, algorithm) { _ in }
    expectSamples(plain, original)
    let back = try await recorded(path, algorithm) { harness in
      harness.player.rate = 2
      try await harness.ready()
      harness.player.rate = 1
    }
    expectSamples(back, original)
  }

  @Test("The position advances at the rate, and stays correct after rate changes and a seek")
  func position() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    let configuration = Player.Configuration(audioSink: "fakesink sync=true", timePitchAlgorithm: .varispeed)
    let harness = PlayerHarness([fileURI(path)], configuration: configuration)
    harness.player.rate = 2
    try await harness.playing(pausedAt: .seconds(2))
    let first = harness.player.snapshot
    #expect(first.position >= .seconds(2))
    harness.player.rate = 0.5
    #expect(harness.player.snapshot.position == first.position)
    let isSought = await harness.player.seek(to: .seconds(6)).isCompleted
    #expect(isSought && harness.player.snapshot.position == .seconds(6))
    harness.player.rate = 4
    try await harness.playToEnd()
    // The end came at the position. At any other position the file would be treated as truncated.
    #expect(harness.player.snapshot.duration == first.duration)
    await harness.end()
  }
}
