import MPRISService
import TestSupport
import Testing

/// Tests of the program in Examples/NowPlaying, which is built with the tests.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)), .timeLimit(.minutes(2)))
struct NowPlayingExampleTests {
  @Test("The example shows its item and is controlled by a client")
  func example() async throws {
    let song = try await Media.sine(seconds: 60, tags: Tags(title: "Long", artists: ["Artist"]))
    try await withPrivateBus { bus in
      try await withChildProcess([Tool.built("now-playing"), song], environment: bus.environment) { _ in
        let client = try await MPRISClient { bus.address }
        let player = try await deadline(20) { try await client.playerNamed("now_playing") }
        let states = EventLog<MPRISRemotePlayerState>()
        let seeks = EventLog<Duration>()
        let reading = Task {
          for await event in try await player.events() {
            switch event {
            case .changed(let state): states.append(state)
            case .seeked(let position): seeks.append(position)
            }
          }
        }
        defer { reading.cancel() }
        try await states.first("the song plays", within: 20) { $0.status == .playing && $0.metadata.title == "Long" }
        try await player.pause()
        try await states.first("the song is paused") { $0.status == .paused }
        try await player.seek(by: .seconds(30))
        try await seeks.first("the jump") { $0 >= .seconds(30) }
        try await player.setRate(1.5)
        try await states.first("the rate") { $0.status == .playing && $0.rate == 1.5 }
        await client.close()
      }
    }
  }

  @Test("The example plays to the end without a bus")
  func noBus() async throws {
    let song = try await Media.sine(seconds: 1)
    let result = try await run(
      [Tool.built("now-playing"), song], environment: ChildEnvironment.withoutBus, within: 60)
    #expect(result.succeeded && result.output.contains("playing"), "\(result.error)")
  }
}

extension MPRISClient {
  /// Waits for a player with this name.
  fileprivate func playerNamed(_ name: String) async throws -> MPRISRemotePlayer {
    for await players in try await playerChanges() {
      if let player = players.first(where: { $0.name == name }) { return player }
    }
    throw MPRISClientError.notRunning(name)
  }
}
