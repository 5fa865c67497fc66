import EngineProcess
import Glibc
import PlayerClock
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Machines without an audio output", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct SilentOutputTests {
  @Test("If no output can be opened, the player plays silently against the clock and logs a warning")
  func silent() async throws {
    let file = fileURI(try await Media.sine(seconds: 1))
    await #expect(processExitsWith: .success) { [file = file as String] in
      // GStreamer reads this variable when it starts, once per process.
      let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio", "openal", "auto", "autoaudio"]
      unsafe setenv("GST_PLUGIN_FEATURE_RANK", outputs.map { $0 + "sink:NONE" }.joined(separator: ","), 1)
      var configuration = Player.Configuration()
      // No call hangs here, however busy the machine is.
      configuration.pipelineTimeout = .seconds(30)
      let harness = PlayerHarness([file], configuration: configuration)
      let start = MonotonicTime.now
      try await harness.playToEnd()
      #expect(MonotonicTime.now - start >= .seconds(1))
      // On a busy machine, the output may fall behind the clock, which is a jump.
      let events = harness.significantEvents.filter { if case .timeJumped = $0 { false } else { true } }
      #expect(events == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
      #expect(harness.events.elements.contains(.warning("no audio output can be opened; playing silently")))
      await harness.end()
    }
  }
}
