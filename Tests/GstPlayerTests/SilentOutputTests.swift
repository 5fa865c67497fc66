import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("A machine without sound", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct SilentOutputTests {
  @Test("Where no output can be opened it plays against the clock, and says so")
  func silent() async throws {
    let file = fileURI(try await Media.sine(seconds: 1))
    await #expect(processExitsWith: .success) { [file = file as String] in
      // GStreamer reads it when it starts, which is once in a process.
      let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio", "openal", "auto", "autoaudio"]
      unsafe setenv("GST_PLUGIN_FEATURE_RANK", outputs.map { $0 + "sink:NONE" }.joined(separator: ","), 1)
      var configuration = PlayerConfiguration()
      // However busy the machine is, nothing hangs here.
      configuration.patience = .seconds(30)
      let stage = Stage([file], configuration: configuration)
      let start = MonotonicTime.now
      try await stage.playOut()
      #expect(MonotonicTime.now - start >= .seconds(1))
      #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
      #expect(stage.events.elements.contains(.warning("no audio output works; playing silently")))
      await stage.end()
    }
  }
}
