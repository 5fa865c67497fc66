import MPRISService
import TestSupport
import Testing

/// A real client.
@Suite(.enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
struct PlayerctlTests {
  @Test(arguments: [
    (["status"], "Playing"), (["loop"], "None"), (["shuffle"], "Off"),
    (["volume"], "1.000000"), (["metadata", "title"], "Song"), (["metadata", "mpris:length"], "180000000"),
    (["metadata", "mpris:trackid"], "'/org/example/track/7'"), (["-l"], "playerd"),
  ])
  func `playerctl reads what the player shows`(arguments: [String], answer: String) async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd"] + arguments, environment: served.bus.environment)
      #expect(finished.output == answer + "\n", "\(finished.error)")
    }
  }

  @Test(
    arguments: [
      (["pause"], PlayerCommand.pause), (["play-pause"], .playPause), (["stop"], .stop), (["next"], .next),
      (["previous"], .previous), (["position", "10"], .setPosition(TrackID(7, in: .example), .seconds(10))),
      (["position", "5+"], .setPosition(TrackID(7, in: .example), .seconds(65))),
      (["volume", "0.5-"], .setVolume(0.5)),
      (["loop", "Track"], .setLoop(.track)), (["shuffle", "On"], .setShuffle(true)),
      (["open", "https://radio.example/"], .open("https://radio.example/")),
    ] as [([String], PlayerCommand)])
  func `playerctl moves the player`(arguments: [String], command: PlayerCommand) async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd"] + arguments, environment: served.bus.environment)
      #expect(finished.succeeded, "\(finished.error)")
      #expect(served.fake.commands == [command])
    }
  }

  @Test func `playerctl follows the player`() async throws {
    try await withServedPlayer { served in
      let arguments = ["playerctl", "-p", "playerd", "metadata", "--follow", "--format", "{{status}} {{title}}"]
      try await withChildProcess(arguments, environment: served.bus.environment) { follower in
        try await follower.waitForLine(containing: "Playing Song", on: .output)
        served.fake.change { snapshot in
          (snapshot.metadata, snapshot.position) = (.example(number: 8, title: "Other"), .zero)
        }
        try await follower.waitForLine(containing: "Playing Other", on: .output)
        served.fake.change { $0.status = .paused }
        try await follower.waitForLine(containing: "Paused Other", on: .output)
        #expect(follower.captured(.output) == "Playing Song\nPlaying Other\nPaused Other\n")
      }
    }
  }

  @Test func `playerctl knows the position`() async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd", "position"], environment: served.bus.environment)
      #expect(finished.output.hasPrefix("60.0"))
    }
  }
}
