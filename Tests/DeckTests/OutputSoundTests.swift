import EngineProcess
import FoundationEssentials
import Glibc
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// What compares or changes the samples of a player with decks.
@Suite("The samples at the output of decks", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct OutputSoundTests {
  /// Plays a file to its end.
  private func play(
    _ path: String, sink: String = "fakesink sync=true", verifier: SampleVerifier? = nil, mix: SoundMix? = nil,
    _ body: (Player) async throws -> Void = { _ in }
  ) async throws {
    let configuration = Player.Configuration(audioSink: sink)
    let player = Player(
      configuration: configuration, engine: DeckEngine(configuration: configuration, verifier: verifier, mix: mix),
      clock: DispatchClock(), observers: ObserverQueue())
    let events = player.events()
    player.replaceQueue(with: [Player.Item(uri: "file://" + path)])
    player.play()
    try await body(player)
    try await deadline(30, "the end of the queue") { for await event in events where event == .queueEnded { return } }
    await player.close()
  }

  @Test("The decoded samples reach the sink unchanged", arguments: Media.Format.allCases)
  func verified(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1, format: format)
    let verifier = SampleVerifier(header: LocalFile.flacStreamInfo("file://" + path))
    try await play(path, verifier: verifier)
    let result = verifier.comparison
    let decoded = try #require(result.decoded)
    #expect(decoded.digest != nil && decoded.digest == result.output?.digest)
    #expect(decoded.count == 44_100 && result.output?.count == 44_100 && decoded.format.channels == 2)
    #expect(result.sink == "fakesink")
    #expect(result.fileDigest == (format == .flac ? decoded.digest : nil))
    #expect(result.isLossy == (format == .mp3 || format == .ogg))
  }

  @Test("Samples of 24 and 32 bits reach the sink unchanged", arguments: [24, 32])
  func wide(bits: Int) async throws {
    let format = PCM(rate: 48_000, bits: bits)
    let path = try await Media.wav(format.noise(count: 48_000), format)
    let verifier = SampleVerifier(header: nil)
    try await play(path, verifier: verifier)
    let decoded = try #require(verifier.comparison.decoded)
    #expect(decoded.digest != nil && decoded.digest == verifier.comparison.output?.digest)
    #expect(decoded.count == 48_000 && decoded.format.bits == bits)
  }

  @Test("A mix changes the volume and the balance of a mono file, and measures it")
  func mixed() async throws {
    try await withTemporaryDirectory { directory in
      let format = PCM(channels: 1)
      let samples = format.sine(count: 44_100)
      let path = try await Media.wav(samples, format)
      let heard = directory.file("heard.raw")
      let descriptor = unsafe Glibc.open(heard, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      defer { Glibc.close(descriptor) }
      let mix = SoundMix()
      mix.setVolume(0.5)
      mix.setBalance(-1)
      mix.setMetered(true)
      let sink = "audioconvert dithering=none ! audio/x-raw,format=S16LE ! fdsink fd=\(descriptor) sync=true"
      var levels: [ChannelLevel] = []
      try await play(path, sink: sink, mix: mix) { player in
        let times = try player.times(every: .milliseconds(100))
        try await deadline(20, "levels") { for await _ in times where !mix.levels.isEmpty { return } }
        levels = mix.levels
      }
      let bytes = Array(try Data(contentsOf: URL(filePath: heard)))
      let values = stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
      try #require(values.count == 2 * samples.count)
      #expect(samples.indices.allSatisfy { abs(Int(values[2 * $0]) - Int(samples[$0]) / 2) <= 1 })
      #expect(samples.indices.allSatisfy { values[2 * $0 + 1] == 0 })
      #expect(levels.count == 2 && abs(levels[0].peak - 0.25) < 0.01 && levels[1].peak == 0)
    }
  }
}
