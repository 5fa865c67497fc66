import GstPlayer
import TestSupport
import Testing

/// Tests of loudness tags by the peak of the rendered samples.
@Suite("ReplayGain", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ReplayGainTests {
  /// Writes a sine whose tags contain a gain of −6.02 dB for the track and −12.04 dB for the album.
  private func loudFile(in directory: TemporaryDirectory) async throws -> String {
    let wav = try await Media.sine(seconds: 1, format: .wav)
    let path = directory.file("loud.flac")
    let tags = ["TRACK_GAIN=-6.02 dB", "TRACK_PEAK=1.0", "ALBUM_GAIN=-12.04 dB", "ALBUM_PEAK=1.0"]
    let options = tags.flatMap { ["-T", "REPLAYGAIN_\($0)"] }
    let result = try await run(["flac", "--silent", "-f", "-o", path] + options + [wav])
    #expect(result.succeeded, "\(result.error)")
    return path
  }

  private func peak(of path: String, _ gain: Player.Configuration.ReplayGain?, in directory: TemporaryDirectory)
    async throws -> Double
  {
    let tap = try Tap(directory)
    let player = Player(
      configuration: Player.Configuration(audioSink: tap.sink(.sinceLastBreak), replayGain: gain))
    let events = player.events()
    player.append(contentsOf: [Player.Item(uri: fileURI(path))])
    player.play()
    try await deadline(20, "the file plays to its end") {
      for await event in events where event == .queueEnded { return }
    }
    await player.close()
    return Double(try tap.recorded().reduce(0) { max($0, abs(Int($1))) })
  }

  @Test("The track or album gain and the pre-amp are applied; without a setting the level is unchanged")
  func gains() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await loudFile(in: directory)
      let plain = try await peak(of: path, nil, in: directory)
      let track = try await peak(of: path, Player.Configuration.ReplayGain(mode: .track), in: directory)
      let album = try await peak(of: path, Player.Configuration.ReplayGain(mode: .album), in: directory)
      let raised = try await peak(of: path, Player.Configuration.ReplayGain(mode: .album, preAmp: 6.02), in: directory)
      #expect(plain > 1000)
      #expect(abs(track / plain - 0.5) < 0.01)
      #expect(abs(album / plain - 0.25) < 0.01)
      #expect(abs(raised / plain - 0.5) < 0.01)
    }
  }
}
