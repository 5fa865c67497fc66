import DBus
import Glibc
import TestSupport
import Testing

/// Tests of a pause that lasts until the sound server has suspended its device, and the engine has ended its processes.
@Suite(
  "After a long pause",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"), .serialized)
struct LongPauseTests {
  /// The seconds in which the processes of the engine end, and the sound server suspends its device.
  private static let idleTime = 1

  /// A file of 30 s whose right channel counts the seconds, and whose left channel counts the frames of each.
  private func countingFile() async throws -> String {
    let rate = Waveform.sampleRate
    let frames = (0..<30 * rate).map { Int32($0 % rate / 2 + 1) }
    let seconds = (0..<30 * rate).map { Int32($0 / rate + 1) }
    return try await Media.wav(channels: [frames, seconds], PCM(rate: rate))
  }

  /// Plays for a second, pauses until the device is suspended, plays again, and compares the first audible frame with the position.
  ///
  /// The monitor of the device does not record the start, as long as `tolerance` seconds. The closure returns when the device is
  /// suspended.
  private func pauses(
    _ item: String, at sink: String, _ environment: [String: String], tolerance: Double,
    until suspended: @Sendable () async throws -> Void
  ) async throws {
    let settings = ["MPRIS_PLAYERD_ENGINE_IDLE_TIME": "\(Self.idleTime)"].merging(environment) { $1 }
    try await withDaemon(["--paused", item], sink: [], environment: settings) { daemon in
      try await withMonitor(of: daemon) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
      try await daemon.plays(past: 1_000_000)
      try await daemon.call("Pause")
      let held = Double(try await daemon.position()) / 1_000_000
      try await suspended()
      #expect(try await daemon.status() == "Paused")
      #expect(Double(try await daemon.position()) / 1_000_000 == held)
      try await withSoundRecorder(of: sink, environment: environment) { recorder in
        try await daemon.plays(past: Int64((held + 2) * 1_000_000))
        let late = Double(try await daemon.position()) / 1_000_000
        try await daemon.call("Stop")
        let (frames, seconds) = try await recorder.channels(within: 60)
        let (frame, second) = (try #require(frames.first), try #require(seconds.first))
        let first = Double(second - 1) + Double(frame - 1) * 2 / Double(Waveform.sampleRate)
        #expect(first >= held - 0.001 && first <= held + tolerance, "the first frame is of \(first) s, not \(held) s")
        // All that was to be heard until the position was heard.
        #expect(Double(frames.count) / Double(Waveform.sampleRate) > late - first - 0.2)
      }
    }
  }

  @Test(
    "Playback continues at once at its position on PulseAudio, although the device was suspended",
    arguments: ["file", "http"])
  func pulseAudio(scheme: String) async throws {
    let file = try await countingFile()
    try await withPulseServer { pulse in
      _ = try await pactl(pulse.environment, "load-module", "module-suspend-on-idle", "timeout=\(Self.idleTime)")
      let server = try #require(pulse.process)
      try await withItem(file, scheme) { item in
        try await pauses(item, at: PulseServer.sink, pulse.environment, tolerance: 0.15) {
          let line = server.lines.count
          try await server.waitForLine(containing: "idle for too long, suspending", from: line, within: 60)
        }
      }
    }
  }

  @Test(
    "Playback continues at once at its position on PipeWire, although the device was suspended",
    .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"), arguments: ["file", "http"])
  func pipeWire(scheme: String) async throws {
    let file = try await countingFile()
    try await withPipeWireServer { server in
      let environment = server.environment
      try await withItem(file, scheme) { item in
        try await withChildProcess(["pactl", "subscribe"], environment: environment) { events in
          try await pauses(item, at: PipeWireServer.sink, environment, tolerance: 0.05) {
            var line = 0
            while try await !pactl(environment, "list", "short", "sinks").contains("SUSPENDED") {
              line = try await events.waitForLine(containing: "on sink #", from: line, within: 60).index + 1
            }
          }
        }
      }
    }
  }

  /// Runs `body` with the URI of a file, which a server has for the scheme `http`.
  private func withItem(_ file: String, _ scheme: String, _ body: (String) async throws -> Void) async throws {
    guard scheme == "http" else { return try await body(file) }
    try await withHTTPServer { server in try await body(server.script("/song.wav", try .file(file))) }
  }
}
