import MPRISService
import TestSupport
import Testing

/// Tests of the program in Tests/GLibProgram, whose main thread runs GLib's main loop.
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)), .timeLimit(.minutes(2)))
struct GLibLoopTests {
  @Test("GLib's main loop delivers observers, notifications, tasks of the main actor and remote commands")
  func delivery() async throws {
    let song = try await Media.sine(seconds: 2)
    try await withPrivateBus { bus in
      try await withChildProcess([Tool.built("glib-program"), song], environment: bus.environment) { program in
        let client = try await MPRISClient { bus.address }
        let player = try await deadline(20) { try await client.playerNamed("glib_program") }
        try await player.pause()
        try await program.waitForLine(containing: "command: pause")
        try await program.waitForLine(containing: "observer: paused")
        try await player.play()
        try await program.waitForLine(containing: "command: play")
        try await program.waitForLine(containing: "notification: the item has ended", within: 20)
        for text in ["task: on the main actor", "time: ", "observer: playing"] {
          try await program.waitForLine(containing: text)
        }
        #expect(try await program.exitStatus() == .exited(0))
        await client.close()
      }
    }
  }
}
