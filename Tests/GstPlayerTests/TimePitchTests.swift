import GstPlayer
import TestSupport
import Testing

/// The pitch at another speed, heard: how often a sine of 440 Hz comes through zero.
@Suite("Pitch", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimePitchTests {
  /// Plays a file at a speed from its start; gives what was heard.
  private func heard(
    _ path: String, _ algorithm: TimePitchAlgorithm, _ prepare: (Stage) async throws -> Void
  ) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let stage = Stage(
        [fileURI(path)],
        configuration: PlayerConfiguration(audioSink: tap.sink(.everything), timePitchAlgorithm: algorithm))
      do {
        try await prepare(stage)
        try await stage.playOut()
        #expect(stage.failures.isEmpty)
      } catch {
        await stage.end()
        throw error
      }
      await stage.end()
      return try tap.heard()
    }
  }

  /// The frequency of the middle half of a sound.
  private func frequency(_ sound: [Int16]) -> Double {
    let middle = sound.dropFirst(sound.count / 4).dropLast(sound.count / 4)
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * 44_100 / Double(middle.count)
  }

  @Test(
    "At another speed the pitch is kept, or follows the speed; the length is the same",
    arguments: TimePitchAlgorithm.allCases, [0.5, 1.5])
  func pitch(algorithm: TimePitchAlgorithm, rate: Double) async throws {
    let path = try await Media.sine(seconds: 3, format: .flac)
    let sound = try await heard(path, algorithm) { $0.player.setRate(rate) }
    let expected = algorithm == .varispeed ? 440 * rate : 440
    #expect(abs(frequency(sound) - expected) < expected / 50)
    // The pitch filter swallows up to a tenth of a second at the end.
    #expect(abs(Double(sound.count) / 44_100 - 3 / rate) < 0.2)
  }

  @Test("Without another speed, and back at the usual one, not a sample is changed")
  func unchanged() async throws {
    let path = try await Media.sine(seconds: 2, format: .wav)
    let original = try samples(ofWAV: path)
    let plain = try await heard(path, .varispeed) { _ in }
    #expect(difference(plain, original) == nil)
    let back = try await heard(path, .varispeed) { stage in
      stage.player.setRate(2)
      try await stage.ready()
      stage.player.setRate(1)
    }
    #expect(difference(back, original) == nil)
  }

  @Test("The position runs at the speed, and holds through changes of it and a seek")
  func position() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    let configuration = PlayerConfiguration(audioSink: "fakesink sync=true", timePitchAlgorithm: .varispeed)
    let stage = Stage([fileURI(path)], configuration: configuration)
    stage.player.setRate(2)
    try await stage.playing(pausedAt: .seconds(2))
    let first = stage.player.snapshot
    #expect(first.position >= .seconds(2))
    stage.player.setRate(0.5)
    #expect(stage.player.snapshot.position == first.position)
    let isSought = await stage.player.seek(to: .seconds(6))
    #expect(isSought && stage.player.snapshot.position == .seconds(6))
    stage.player.setRate(4)
    try await stage.playOut()
    // The end has come where the position was: elsewhere, the file would count as cut off there.
    #expect(stage.player.snapshot.duration == first.duration)
    await stage.end()
  }
}
