import GstPlayer
import TestSupport
import Testing

@Suite("Switching the audio output, live") struct AudioOutputSwitchLiveTests {
  @Test("The item plays to its end through both outputs", .enabled(if: Media.isAvailable))
  func live() async throws {
    let uri = fileURI(try await Media.sine(seconds: 2))
    try await withPlayer([uri], inFastTime: false) { harness in
      try await harness.playing()
      let second = AudioOutput(id: "2", name: "2", isDefault: false, sinkDescription: "fakesink sync=true name=second")
      for output in [second, nil] { harness.player.audioOutput = output }
      try await harness.event(.itemDidPlayToEnd(harness.items[0]))
      #expect(harness.failures.isEmpty)
    }
  }
}
