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
