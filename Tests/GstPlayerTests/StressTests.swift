import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Many callers at once: nothing hangs, and the player is as good as new afterwards.
@Suite("Many callers")
struct StressTests {
  @Test(
    "Ten thousand random calls from eight tasks, and then a file plays to its end",
    arguments: [
      PlayerConfiguration(audioSink: "fakesink sync=true"),
      PlayerConfiguration(audioSink: "fakesink sync=true", replayGain: ReplayGain(.track), fade: .milliseconds(50)),
      PlayerConfiguration(
        audioSink: "fakesink sync=true", replayGain: ReplayGain(.album, preAmp: 6), timePitchAlgorithm: .varispeed,
        fade: .seconds(1)),
    ])
  func randomCalls(configuration: PlayerConfiguration) async throws {
    let long = try await Media.sine(seconds: 5, format: .flac)
    let short = try await Media.sine(seconds: 1, format: .ogg)
    let wav = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 2, format: .wav))))
    try await withTemporaryDirectory { directory in
      let points: [(sample: UInt32, title: String)] = [(0, "One"), (22_050, "Two"), (66_150, "Three")]
      let chapters = try directory.write(CueSheet.adding(points, to: wav), to: "chapters.wav")
      let tracks = Matroska([Matroska.Track(language: "eng"), Matroska.Track(language: "ger")])
      let languages = try directory.write(tracks.bytes, to: "languages.mka")
      // None from a server: libsoup 3.2 does not survive requests that are cancelled at this pace.
      let uris = [long, short, chapters, languages, Media.missing].map(fileURI)
      let player = Player(configuration: configuration)
      try await deadline(180, "the calls return") {
        await withTaskGroup(of: Void.self) { group in
          for seed in 1...8 {
            group.addTask {
              var caller = StressCaller(player, uris, seed: UInt64(seed))
              for _ in 0..<1250 { await caller.callOnce() }
            }
          }
        }
      }
      try await playsOn(player, fileURI(short))
      await player.close()
    }
  }

  /// With its settings as at first, the player plays a file to its end.
  private func playsOn(_ player: Player, _ uri: String) async throws {
    let last = PlayerItem(uri: uri)
    let events = player.events()
    player.stop()
    player.setAudioOutput(nil)
    player.setDefaultRate(nil)
    player.setRate(1)
    player.setLoop(.none)
    player.setActionAtItemEnd(.advance)
    player.replaceQueue(with: [last])
    player.play()
    try await deadline(60, "the last file plays to its end") {
      for await event in events where event == .itemDidPlayToEnd(last) { return }
    }
  }
}
