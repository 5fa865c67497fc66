import Foundation
import MPRISService
import TestSupport
import Testing

/// Tests of the program in Examples/NowPlaying, which is built with the tests.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)), .timeLimit(.minutes(2)))
struct NowPlayingExampleTests {
  /// Connects to the example as an MPRIS client, and records its states and jumps.
  private func withExample(
    on bus: PrivateBus,
    _ body: (MPRISRemotePlayer, EventLog<MPRISRemotePlayerState>, EventLog<Duration>) async throws -> Void
  ) async throws {
    let client = try await MPRISClient { bus.address }
    let player = try await deadline(20) { try await client.playerNamed("now_playing") }
    let (states, seeks) = (EventLog<MPRISRemotePlayerState>(), EventLog<Duration>())
    let reading = Task {
      for await event in try await player.events() {
        switch event {
        case .changed(let state): states.append(state)
        case .seeked(let position): seeks.append(position)
        }
      }
    }
    defer { reading.cancel() }
    try await body(player, states, seeks)
    await client.close()
  }

  @Test("The example shows its item and is controlled by a client")
  func example() async throws {
    let song = try await Media.sine(seconds: 60, tags: Tags(title: "Long", artists: ["Artist"]))
    try await withPrivateBus { bus in
      try await withChildProcess([Tool.built("now-playing"), song], environment: bus.environment) { _ in
        try await withExample(on: bus) { player, states, seeks in
          try await states.first("the song plays", within: 20) { $0.status == .playing && $0.metadata.title == "Long" }
          try await player.pause()
          try await states.first("the song is paused") { $0.status == .paused }
          try await player.seek(by: .seconds(30))
          try await seeks.first("the jump") { $0 >= .seconds(30) }
          try await player.setRate(1.5)
          try await states.first("the rate") { $0.status == .playing && $0.rate == 1.5 }
        }
      }
    }
  }

  @Test(
    "playerctl controls the example and reads its item",
    .enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
  func playerctl() async throws {
    let songs = [
      try await Media.sine(seconds: 60, tags: Tags(title: "One", artists: ["Artist"])),
      try await Media.sine(seconds: 50, tags: Tags(title: "Two")),
    ]
    try await withPrivateBus { bus in
      // stdbuf: the program prints each line at once.
      let command = try ["stdbuf", "-oL", Tool.built("now-playing")] + songs
      try await withChildProcess(command, environment: bus.environment) { program in
        func playerctl(_ arguments: String...) async throws -> String {
          let result = try await run(["playerctl", "-p", "now_playing"] + arguments, environment: bus.environment)
          #expect(result.succeeded, "\(result.error)")
          return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        try await withExample(on: bus) { _, states, seeks in
          try await states.first("the first item", within: 20) {
            $0.status == .playing && $0.metadata.length == .seconds(60)
          }
          #expect(try await playerctl("metadata", "--format", "{{title}} by {{artist}}") == "One by Artist")
          _ = try await playerctl("play-pause")
          #expect(try await playerctl("status") == "Paused")
          _ = try await playerctl("position", "14")
          try await seeks.first("the jump") { $0 == .seconds(14) }
          #expect(try await playerctl("position") == "14.000000")
          _ = try await playerctl("play-pause")
          try await program.waitForLine(containing: "a quarter has passed at 15 s")
          _ = try await playerctl("next")
          try await states.first("the second item") { $0.metadata.title == "Two" && !$0.canGoNext }
          _ = try await playerctl("previous")
          try await states.first("the first item again", from: states.count - 1) { $0.metadata.title == "One" }
        }
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
  func playerNamed(_ name: String) async throws -> MPRISRemotePlayer {
    for await players in try await playerChanges() {
      if let player = players.first(where: { $0.name == name }) { return player }
    }
    throw MPRISClientError.notRunning(name)
  }
}
