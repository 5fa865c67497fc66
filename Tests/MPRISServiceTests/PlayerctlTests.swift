import MPRISService
import TestSupport
import Testing

/// Tests with a real client.
@Suite(.enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
struct PlayerctlTests {
  @Test(
    "playerctl reads the properties of the player",
    arguments: [
      (["status"], "Playing"), (["loop"], "None"), (["shuffle"], "Off"),
      (["volume"], "1.000000"), (["metadata", "title"], "Song"), (["metadata", "mpris:length"], "180000000"),
      (["metadata", "mpris:trackid"], "'/org/example/track/7'"), (["-l"], "playerd"),
    ])
  func reads(arguments: [String], answer: String) async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd"] + arguments, environment: served.bus.environment)
      #expect(finished.output == answer + "\n", "\(finished.error)")
    }
  }

  @Test(
    "playerctl controls the player",
    arguments: [
      (["pause"], MPRISCommand.pause), (["play-pause"], .playPause), (["stop"], .stop), (["next"], .next),
      (["previous"], .previous),
      (["position", "10"], .setPosition(of: MPRISTrackID(7, in: .example), to: .seconds(10))),
      (["position", "5+"], .setPosition(of: MPRISTrackID(7, in: .example), to: .seconds(65))),
      (["volume", "0.5-"], .setVolume(0.5)),
      (["loop", "Track"], .setLoop(.track)), (["shuffle", "On"], .setShuffle(true)),
      (["open", "https://radio.example/"], .open("https://radio.example/")),
    ] as [([String], MPRISCommand)])
  func controls(arguments: [String], command: MPRISCommand) async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd"] + arguments, environment: served.bus.environment)
      #expect(finished.succeeded, "\(finished.error)")
      #expect(served.fake.commands == [command])
    }
  }

  @Test("playerctl follows the player")
  func follows() async throws {
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

  @Test("playerctl reads the position")
  func position() async throws {
    try await withServedPlayer { served in
      let finished = try await run(["playerctl", "-p", "playerd", "position"], environment: served.bus.environment)
      #expect(finished.output.hasPrefix("60.0"))
    }
  }
}
