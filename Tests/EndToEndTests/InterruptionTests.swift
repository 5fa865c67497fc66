import DBus
import TestSupport
import Testing

/// Tests of a call that interrupts the music at the sound server.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl", "paplay"), "pulseaudio or pactl is not installed"),
  .serialized)
struct InterruptionTests {
  /// Runs `body` with a daemon that plays at a server with a module, and with a function that makes a call for the duration of a
  /// closure.
  private func playing(
    _ module: String, _ role: String,
    _ body:
      @Sendable (DaemonUnderTest, @Sendable (@Sendable () async throws -> Void) async throws -> Void) async throws
      -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Music"))
    let voice = try await Media.sine(seconds: 60, format: .wav)
    try await withPulseServer { pulse in
      _ = try await pactl(pulse.environment, "load-module", module, "trigger_roles=phone", "\(role)=music")
      try await withDaemon(["--paused", file], sink: [], environment: pulse.environment) { daemon in
        try await daemon.titled("Music", within: 30)
        try await daemon.plays(past: 500_000)
        try await body(daemon) { talk in
          let call = ["paplay", "--property=media.role=phone", voice]
          try await withChildProcess(call, environment: pulse.environment) { _ in try await talk() }
        }
      }
    }
  }

  @Test("A call pauses playback, and its end resumes it")
  func call() async throws {
    try await playing("module-role-cork", "cork_roles") { daemon, call in
      try await daemon.isPaused { try await call($0) }
    }
  }

  @Test("A sound server that lowers the music during a call changes neither the volume nor the state")
  func lowered() async throws {
    try await playing("module-role-ducking", "ducking_roles") { daemon, call in
      try await call { try await daemon.played(2) }
      try await daemon.played(0.5)
      #expect(try await daemon.status() == "Playing")
      #expect(try await daemon.get("Volume") == .double(1))
    }
  }
}
