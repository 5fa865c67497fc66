import DBus
import TestSupport
import Testing

/// Tests of outputs that appear after the start of the daemon.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .serialized)
struct LaterOutputTests {
  /// Disables every output except PulseAudio's, so that a sound card of this machine is not used.
  private static let onlyPulse = [
    "GST_PLUGIN_FEATURE_RANK": ["pipewire", "alsa", "jackaudio", "oss", "oss4"].map { "\($0)sink:NONE" }
      .joined(separator: ",")
  ]

  @Test("Playback moves to a sound server that starts during a track, without a change of track or a jump back")
  func serverStartsLater() async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer(startsLater: true) { pulse in
      let environment = pulse.environment.merging(Self.onlyPulse) { $1 }
      try await withDaemon([file], sink: [], environment: environment) { daemon in
        try await daemon.process.waitForLine(containing: "no audio output can be opened; playing silently", within: 30)
        try await daemon.opened(titled: "Here")
        let track = try await daemon.metadata("mpris:trackid")
        let before = try await daemon.position()
        try await pulse.restart()
        let server = try #require(pulse.process)
        try await server.waitForLine(containing: "Created input", within: 30)
        #expect(try await daemon.position() >= before)
        try await daemon.played(1)
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.metadata("mpris:trackid") == track)
        let streams = try await run(["pactl", "list", "sink-inputs"], environment: pulse.environment).output
        #expect(streams.contains("Corked: no"), "\(streams)")
      }
    }
  }
}
