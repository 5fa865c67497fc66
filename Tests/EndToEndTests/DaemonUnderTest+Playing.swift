import DBus
import TestSupport
import Testing

extension DaemonUnderTest {
  /// Observes a position, runs `start`, and returns when playback has passed the position.
  func passes(_ position: Int64, after start: () async throws -> Void) async throws {
    try await withMonitor(of: self) { monitor in
      _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(position)]))
      try await start()
      try await monitor.signal("BoundaryReached", within: 60)
    }
  }

  /// Returns when playback has passed a position of the current track, at once if it is beyond it.
  func passes(_ position: Int64) async throws {
    try await withMonitor(of: self) { monitor in
      _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(position)]))
      // Playback may have passed it before it was observed.
      if try await self.position() < position { try await monitor.signal("BoundaryReached", within: 60) }
    }
  }

  /// Calls Play, and returns when playback has passed a position.
  func plays(past position: Int64) async throws { try await passes(position) { try await call("Play") } }

  /// Runs `call` with a function that waits until playback has paused, and requires that it resumes after the call.
  func isPaused(during call: (@escaping @Sendable () async throws -> Void) async throws -> Void) async throws {
    let place = signals.count
    try await call {
      try await changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
      let held = try await position()
      try await barrier()
      #expect(try await position() == held)
    }
    try await changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Playing") }
    try await played(0.5)
  }

  /// Returns when playback has advanced by this time.
  func played(_ seconds: Double) async throws { try await passes(position() + Int64(seconds * 1_000_000)) }
}

/// Runs `pactl` with the server of an environment; returns its output without empty lines.
func pactl(_ environment: [String: String], _ arguments: String...) async throws -> String {
  let result = try await run(["pactl"] + arguments, environment: environment)
  guard result.succeeded else { throw UnexpectedReply(text: "pactl \(arguments): \(result.error)") }
  return result.output.split(separator: "\n").joined(separator: "\n")
}

/// Returns the number of the only stream of a sound server.
func onlyStream(_ environment: [String: String]) async throws -> String {
  let streams = try await pactl(environment, "list", "short", "sink-inputs")
  return String(try #require(streams.split(separator: "\t").first))
}
