import GstPlayer
import TestSupport
import Testing

@Suite("Another output, live") struct AudioOutputSwitchLiveTests {
  @Test("The item is played to its end through one output and the other", .enabled(if: Media.isAvailable))
  func live() async throws {
    let uri = fileURI(try await Media.sine(seconds: 2))
    try await withPlayer([uri]) { stage in
      try await stage.playing()
      let second = AudioOutput(id: "2", name: "2", isDefault: false, sinkDescription: "fakesink sync=true name=second")
      for output in [second, nil] { stage.player.setAudioOutput(output) }
      try await stage.event(.itemDidPlayToEnd(stage.items[0]))
      #expect(stage.failures.isEmpty)
    }
  }
}
