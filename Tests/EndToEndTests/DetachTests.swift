import Glibc
import TestSupport
import Testing

/// Tests of `--detach`.
@Suite("Detached start")
struct DetachTests {
  private func start(_ bus: PrivateBus, _ state: TemporaryDirectory, _ arguments: String...) async throws
    -> ProcessResult
  {
    try await run(
      [DaemonUnderTest.executable] + arguments,
      environment: bus.environment.merging(["XDG_STATE_HOME": state.path]) { $1 })
  }

  private func withBus(_ body: (PrivateBus, TemporaryDirectory) async throws -> Void) async throws {
    try await withTemporaryDirectory { state in try await withPrivateBus { bus in try await body(bus, state) } }
  }

  @Test("--detach returns when the track plays, and the daemon continues without the terminal")
  func detach() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withBus { bus, state in
      let result = try await start(bus, state, "--audio-sink", "fakesink sync=true", "--detach", file)
      #expect(result.succeeded, "\(result.error)")
      #expect(result.output == "playing 1 track\n")
      let status = try await start(bus, state, "status", "--format", "{{status}} {{title}}")
      #expect(status.output == "Playing First\n")
      // A running daemon takes the items.
      let second = try await start(bus, state, "--detach", "--enqueue", file)
      #expect(second.output == "queued 1 track after “First”\n")
      #expect(try await start(bus, state, "quit").succeeded)
    }
  }

  @Test("play, toggle, next, previous and queue jump continue the last session in the background if none runs")
  func continued() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { state in
      try await withPrivateBus { bus in
        let output = ["XDG_STATE_HOME": state.path, "MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true"]
        let environment = bus.environment.merging(output) { $1 }
        func start(_ arguments: String...) async throws -> ProcessResult {
          try await run([DaemonUnderTest.executable] + arguments, environment: environment)
        }
        let nothing = try await start("play")
        #expect(nothing.status == .exited(69))
        #expect(nothing.error == "mpris-playerd: no instance is running; “mpris-playerd ITEM…” starts one\n")
        #expect(
          try await run([DaemonUnderTest.executable, "--detach", "--paused"] + files, environment: environment)
            .succeeded)
        #expect(try await start("queue", "jump", "2").succeeded)
        #expect(try await start("quit").succeeded)
        let hint = "no instance is running; “mpris-playerd play” continues the last session"
        for arguments in [["pause"], ["status"], ["volume"]] {
          let result = try await run([DaemonUnderTest.executable] + arguments, environment: environment)
          #expect(result.status == .exited(69) && result.error == "mpris-playerd: \(hint)\n")
        }
        let steps: [(arguments: [String], track: String)] = [
          (["play"], "2"), (["toggle"], "2"), (["next"], "3"), (["previous"], "2"), (["queue", "jump", "1"], "1"),
        ]
        for (arguments, track) in steps {
          let result = try await run([DaemonUnderTest.executable] + arguments, environment: environment)
          #expect(result.succeeded && result.error.isEmpty, "\(arguments): \(result.error)")
          #expect(result.output.hasSuffix("track \(track) of 3\n"), "\(arguments): \(result.output)")
          #expect(try await start("status", "--format", "{{status}}").output == "Playing\n")
          #expect(try await start("quit").succeeded)
        }
      }
    }
  }

  @Test("Unplayable items are reported, and no daemon remains")
  func failure() async throws {
    let text = try await Media.textFile()
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withBus { bus, state in
      let nothing = try await start(bus, state, "--audio-sink", "fakesink sync=true", "--detach", text)
      #expect(nothing.status == .exited(66))
      #expect(nothing.error == "mpris-playerd: \(text): not media\n")
      #expect(try await start(bus, state, "status").status == .exited(69))
      let wrong = try await start(bus, state, "--audio-sink", "no-such-element", "--detach", file)
      #expect(wrong.status == .exited(64))
      let part = try await start(
        bus, state, "--audio-sink", "fakesink sync=true", "--detach", "--quiet", text, file)
      #expect(part.status == .exited(1))
      #expect(part.output.isEmpty)
      #expect(try await start(bus, state, "quit").succeeded)
    }
  }
}
