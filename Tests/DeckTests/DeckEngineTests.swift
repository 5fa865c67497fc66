import EngineProcess
import FoundationEssentials
import Glibc
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// A player whose engine has decks, and what its output has played.
@Suite("A player with decks", .enabled(if: Media.isAvailable, "\(Media.unavailable)")) struct DeckEngineTests {
  /// Runs `body` with a player of these files; returns the samples of the left channel that were played.
  private func played(
    _ paths: [String], replayGain: Player.Configuration.ReplayGain? = nil, _ body: (Player) async throws -> Void
  ) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      let descriptor = unsafe Glibc.open(path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      defer { Glibc.close(descriptor) }
      var configuration = Player.Configuration(
        audioSink: "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! fdsink fd=\(descriptor) sync=true")
      configuration.replayGain = replayGain
      let player = Player(
        configuration: configuration, engine: DeckEngine(configuration: configuration), clock: DispatchClock(),
        observers: ObserverQueue())
      player.replaceQueue(with: paths.map { Player.Item(uri: "file://" + $0) })
      try await body(player)
      await player.close()
      return left(Array(try Data(contentsOf: URL(filePath: path)))[...])
    }
  }

  private func left(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// The samples of files that the tests have made as WAV.
  private func samples(_ paths: [String]) throws -> [Int16] {
    try paths.flatMap { left(Array(try Data(contentsOf: URL(filePath: $0)))[44...]) }
  }

  private func waitForEnd(of player: Player, _ events: AsyncStream<Player.Event>) async throws {
    try await deadline(30, "the end of the queue") { for await event in events where event == .queueEnded { return } }
  }

  @Test(
    "Files follow each other without a break, and each is reported when it is audible",
    arguments: [Media.Format.flac, .wav])
  func gapless(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(parts: 3, format: format)
    let expected = try samples(try await Media.continuousSine(parts: 3, format: .wav))
    let heard = try await played(paths) { player in
      let events = player.events()
      player.play()
      try await waitForEnd(of: player, events)
    }
    #expect(heard == expected, "\(heard.count) samples of \(expected.count)")
  }

  @Test("The gain of a file's tags applies from its first sample on, and only to this file")
  func gain() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Media.sine(seconds: 1)
      let tagged = directory.file("tagged.flac")
      try FileManager.default.copyItem(atPath: path, toPath: tagged)
      let made = try await run(["metaflac", "--set-tag=REPLAYGAIN_TRACK_GAIN=-12.04 dB", tagged], within: 30)
      try #require(made.succeeded, "\(made.error)")
      let expected = try samples([try await Media.sine(seconds: 1, format: .wav)])
      let heard = try await played([tagged, path], replayGain: .init(mode: .track)) { player in
        let events = player.events()
        player.play()
        try await waitForEnd(of: player, events)
      }
      try #require(heard.count == 2 * expected.count)
      // −12.04 dB are a quarter.
      #expect(zip(heard, expected).allSatisfy { abs(Int($0) - Int($1) / 4) <= 2 })
      #expect(Array(heard[expected.count...]) == expected)
    }
  }

  @Test("After a seek, the file plays from the exact sample to its end")
  func seek() async throws {
    let path = try await Media.sine(seconds: 2)
    let expected = try samples([try await Media.sine(seconds: 2, format: .wav)])
    let heard = try await played([path]) { player in
      let (events, changes) = (player.events(), player.events())
      player.play()
      player.pause()
      try await deadline(20, "ready") {
        for await _ in changes where player.snapshot.itemStatus == .readyToPlay { return }
      }
      player.seek(to: .seconds(1))
      player.play()
      try await waitForEnd(of: player, events)
    }
    #expect(heard.suffix(44_100) == expected.suffix(44_100), "\(heard.count) samples")
    #expect(heard.count < 44_100 + 44_100 / 2)
  }
}
