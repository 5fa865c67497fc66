import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of many concurrent callers: no call hangs, and the player works normally afterwards.
@Suite("Concurrent callers")
struct StressTests {
  /// The calls of each of the eight tasks; `make sanitize` makes more.
  private static let calls = ProcessInfo.processInfo.environment["STRESS_CALLS"].flatMap(Int.init) ?? 400

  @Test(
    "After thousands of random calls from eight tasks, a file plays to its end",
    arguments: [
      Player.Configuration(audioSink: "fakesink sync=true"),
      Player.Configuration(
        audioSink: "fakesink sync=true", replayGain: Player.Configuration.ReplayGain(mode: .track),
        fade: .milliseconds(50)),
      Player.Configuration(
        audioSink: "fakesink sync=true", replayGain: Player.Configuration.ReplayGain(mode: .album, preAmp: 6),
        timePitchAlgorithm: .varispeed,
        fade: .seconds(1)),
    ])
  func randomCalls(configuration: Player.Configuration) async throws {
    let long = try await Media.sine(seconds: 5, format: .flac)
    let short = try await Media.sine(seconds: 1, format: .ogg)
    let wav = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 2, format: .wav))))
    try await withTemporaryDirectory { directory in
      let points: [(sample: UInt32, title: String)] = [(0, "One"), (22_050, "Two"), (66_150, "Three")]
      let chapters = try directory.write(CueSheet.adding(points, to: wav), to: "chapters.wav")
      let tracks = Matroska([Matroska.Track(language: "eng"), Matroska.Track(language: "ger")])
      let languages = try directory.write(tracks.bytes, to: "languages.mka")
      // The list has only local files, because libsoup 3.2 does not survive requests that are cancelled at this rate.
      let uris = [long, short, chapters, languages, Media.missing].map(fileURI)
      let player = Player(configuration: configuration)
      try await deadline(180, "the calls return") {
        await withTaskGroup(of: Void.self) { group in
          for seed in 1...8 {
            group.addTask {
              var caller = StressCaller(player, uris, seed: UInt64(seed))
              for _ in 0..<Self.calls { await caller.callOnce() }
            }
          }
        }
      }
      try await playsOn(player, fileURI(short))
      await player.close()
    }
  }

  /// Restores the initial settings, and expects that the player plays a file to its end.
  private func playsOn(_ player: Player, _ uri: String) async throws {
    let last = Player.Item(uri: uri)
    let events = player.events()
    player.stop()
    player.audioOutput = nil
    player.defaultRate = nil
    player.rate = 1
    player.loop = .none
    player.actionAtItemEnd = .advance
    player.replaceQueue(with: [last])
    player.play()
    try await deadline(60, "the last file plays to its end") {
      for await event in events where event == .itemDidPlayToEnd(last) { return }
    }
  }
}
