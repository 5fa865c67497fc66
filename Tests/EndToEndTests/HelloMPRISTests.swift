import DBus
import EventLoop
import TestSupport
import Testing

/// Tests of the example `hello-mpris` with the real `playerctl`.
@Suite(.enabled(if: Tool.areAvailable("playerctl"), "playerctl is not installed"))
struct HelloMPRISTests {
  private static let name: BusName = "org.mpris.MediaPlayer2.hello_mpris"

  /// Returns when a name has an owner.
  private func waitForOwner(of name: BusName, on bus: PrivateBus) async throws {
    let loop = PollLoop(name: "client")
    defer { loop.stop() }
    let client = try await DBusConnection.open(address: bus.address, on: loop)
    let changes = try await client.ownerChanges(of: name)
    if await client.owner(of: name) != nil { return }
    try await deadline(10, "\(name) has an owner") {
      for await change in changes where change.newOwner != nil { return }
    }
  }

  private func playerctl(_ arguments: String..., bus: PrivateBus) async throws -> String {
    let result = try await run(["playerctl", "-p", "hello_mpris"] + arguments, environment: bus.environment)
    guard result.succeeded else { throw UnexpectedReply(text: "playerctl \(arguments): \(result.error)") }
    return String(result.output.dropLast())
  }

  private func withHello(_ body: (PrivateBus, ChildProcess) async throws -> Void) async throws {
    try await withPrivateBus { bus in
      try await withChildProcess([Tool.built("hello-mpris")], environment: bus.environment) { hello in
        try await waitForOwner(of: Self.name, on: bus)
        try await body(bus, hello)
      }
    }
  }

  @Test("playerctl controls the example")
  func commands() async throws {
    try await withHello { bus, _ in
      #expect(try await playerctl("status", bus: bus) == "Paused")
      #expect(try await playerctl("metadata", "title", bus: bus) == "Minute 1")
      #expect(try await playerctl("metadata", "mpris:trackid", bus: bus) == "'/hello_mpris/track/1'")
      _ = try await playerctl("play", bus: bus)
      #expect(try await playerctl("status", bus: bus) == "Playing")
      _ = try await playerctl("next", bus: bus)
      #expect(try await playerctl("metadata", "title", bus: bus) == "Minute 2")
      _ = try await playerctl("pause", bus: bus)
      #expect(try await playerctl("status", bus: bus) == "Paused")
      _ = try await playerctl("position", "30", bus: bus)
      #expect(try await playerctl("position", bus: bus) == "30.000000")
      _ = try await playerctl("position", "5-", bus: bus)
      #expect(try await playerctl("position", bus: bus) == "25.000000")
    }
  }

  @Test("playerctl controls the example with a main loop of GLib")
  func mainLoopOfGLib() async throws {
    try await withPrivateBus { bus in
      try await withChildProcess([Tool.built("glib-loop")], environment: bus.environment) { timer in
        try await waitForOwner(of: "org.mpris.MediaPlayer2.egg_timer", on: bus)
        for command in [["play"], ["metadata", "title"]] {
          let result = try await run(["playerctl", "-p", "egg_timer"] + command, environment: bus.environment)
          #expect(result.succeeded && (command == ["play"] || result.output == "Boiling\n"), "\(result.error)")
        }
        #expect(timer.isRunning)
      }
    }
  }

  @Test("A second instance of the example has the process ID in its name")
  func secondInstance() async throws {
    try await withHello { bus, _ in
      try await withChildProcess([Tool.built("hello-mpris")], environment: bus.environment) { second in
        try await waitForOwner(of: try BusName("\(Self.name).instance\(second.processID)"), on: bus)
        let listed = try await run(["playerctl", "-l"], environment: bus.environment)
        #expect(
          Set(listed.output.split(separator: "\n")) == ["hello_mpris", "hello_mpris.instance\(second.processID)"])
      }
    }
  }

  @Test("After a restart of the bus the example is back in its state")
  func busRestart() async throws {
    try await withHello { bus, hello in
      _ = try await playerctl("next", bus: bus)
      _ = try await playerctl("play", bus: bus)
      try await bus.restart()
      try await waitForOwner(of: Self.name, on: bus)
      #expect(hello.isRunning)
      #expect(try await playerctl("metadata", "title", bus: bus) == "Minute 2")
      #expect(try await playerctl("status", bus: bus) == "Playing")
      _ = try await playerctl("pause", bus: bus)
      #expect(try await playerctl("status", bus: bus) == "Paused")
    }
  }

  @Test("The example media-keys lists the players, follows one and sends commands")
  func mediaKeys() async throws {
    let keys = try Tool.built("media-keys")
    try await withHello { bus, hello in
      #expect(try await run([keys], environment: bus.environment).output == "players: [\"hello_mpris\"]\n")
      try await withChildProcess([keys, "hello_mpris"], environment: bus.environment) { follower in
        try await follower.waitForLine(containing: "Hello MPRIS: Paused Minute 1", on: .output)
        for command in ["play", "next", "forward"] {
          #expect(try await run([keys, "hello_mpris", command], environment: bus.environment).succeeded)
        }
        try await follower.waitForLine(containing: "Hello MPRIS: Playing Minute 1", on: .output)
        try await follower.waitForLine(containing: "Hello MPRIS: Playing Minute 2", on: .output)
        try await follower.waitForLine(containing: "position", on: .output)
        await hello.end()
        try await follower.waitForLine(containing: "hello_mpris has ended", on: .output)
        #expect(try await follower.exitStatus() == .exited(0))
      }
    }
  }

  @Test("Without a session bus the example ends with the reason")
  func noBus() async throws {
    let result = try await run([Tool.built("hello-mpris")])
    #expect(!result.succeeded)
    #expect(result.error.contains("no session bus"))
  }
}
