import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

/// Tests of crossfades that do not begin, and of the silence at the end of a file, by the samples at the output.
@Suite("Samples with crossfades", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct CrossfadeAlbumTests {
  private static let formats = Media.Format.allCases.filter { $0 != .wav }.map(\.rawValue) + ["opus"]

  /// Returns the tracks of an album, which are one sine.
  private func album(_ format: String) async throws -> [String] {
    let encoded = Media.Format(rawValue: format)
    let paths = try await Media.continuousSine(
      parts: 3, samplesPerPart: 150_011, format: encoded ?? .flac, album: "Album")
    guard encoded == nil else { return paths }
    let film = try #require(Film.audioContainers.first { $0.description == "Ogg with Opus" })
    var parts: [String] = []
    for path in paths { parts.append(try await made(film, sound: path, seconds: 3.5)) }
    return parts
  }

  @Test(
    "The tracks of an album have the same samples with crossfades and without, and none is missing",
    arguments: formats)
  func album(format: String) async throws {
    let paths = try await album(format)
    var recordings: [[Int16]] = []
    for isCrossfading in [false, true] {
      try await withTappedPlayer(paths.map(fileURI)) { harness, tap in
        if isCrossfading { harness.player.crossfade = .seconds(1) }
        try await harness.playToEnd()
        recordings.append(try tap.recorded())
        let changes = harness.significantEvents.count { if case .currentItemChanged = $0 { true } else { false } }
        #expect(changes == 2)
      }
    }
    expectSamples(recordings[1], recordings[0])
    // GStreamer decodes some lengths of Vorbis with an extra sample, and Opus is resampled twice.
    #expect(abs(recordings[0].count - 3 * 150_011) <= (format == "opus" ? 6 : 3), "\(recordings[0].count)")
  }

  @Test("The next item follows the last sound of a file with silence at its end, and the file keeps its duration")
  func silence() async throws {
    try await withTemporaryDirectory { directory in
      let (sound, silence) = (PCM().sine(frequency: 441, count: 7 * 44_100), [Int32](repeating: 0, count: 3 * 44_100))
      let paths = [
        try directory.write(PCM().wav(sound + silence), to: "1.wav"),
        try directory.write(PCM().wav([Int32](sound.prefix(3 * 44_100))), to: "2.wav"),
      ]
      let tap = try Tap(directory)
      var configuration = Player.Configuration(audioSink: tap.sink(.everything))
      configuration.crossfade = Player.Crossfade(length: .seconds(1))
      configuration.silenceTrimming = .init(cacheFolder: directory.file("cache"))
      try await LoudnessCache.fill(directory.file("cache"), with: paths)
      let harness = PlayerHarness(paths.map(fileURI), configuration: configuration)
      try await harness.playToEnd()
      #expect(
        harness.significantEvents == [
          .currentItemChanged(from: harness.items[0], to: harness.items[1]), .itemDidPlayToEnd(harness.items[0]),
          .itemDidPlayToEnd(harness.items[1]), .queueEnded,
        ])
      await harness.end()
      // The overlap of 1 s ends up to 0.1 s after the last sound of the first one.
      let recorded = try tap.recorded()
      #expect(abs(recorded.count - (7 * 44_100 + 4_410 + 2 * 44_100)) <= 4_410, "\(recorded.count) samples")
    }
  }
}
