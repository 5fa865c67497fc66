import Glibc
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of an automatic output that fails and does not belong to a sound server.
@Suite("Failing devices", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct OutputReplacementTests {
  @Test("After a device fails, another output is searched for until the next unload, unless the output is named")
  func search() async {
    await #expect(processExitsWith: .success) {
      // GStreamer reads this variable when it starts, once per process. This output always opens.
      let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio"].map { $0 + "sink:NONE" }
      unsafe setenv("GST_PLUGIN_FEATURE_RANK", (outputs + ["fakeaudiosink:256"]).joined(separator: ","), 1)
      for named in [nil, "fakesink sync=true"] {
        let context = PipelineContext(
          Player.Configuration(), executor: PipelineExecutor(label: "test"), loudness: nil, nextStream: { _ in nil })
        let pipeline = Pipeline(
          configuration: Player.Configuration(audioSink: named), sinkMemory: AudioSink.Memory(), context: context,
          report: { _ in })
        await pipeline.fail()
        await #expect(pipeline.outputSearch == nil)
        await pipeline.perform(.unload)
        await #expect((pipeline.outputSearch != nil) == (named == nil))
        await pipeline.perform(.unload)
        await #expect(pipeline.outputSearch == nil)
        await pipeline.close()
      }
    }
  }

  @Test("The search excludes the failed device")
  func excluded() async {
    await #expect(processExitsWith: .success) {
      let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio"].map { $0 + "sink:NONE" }
      unsafe setenv("GST_PLUGIN_FEATURE_RANK", (outputs + ["fakeaudiosink:256"]).joined(separator: ","), 1)
      try GStreamer.initialize()
      #expect(AudioSink.finds(AudioSink.Memory()))
      #expect(!AudioSink.finds(AudioSink.Memory(), excluding: "fakeaudiosink"))
    }
  }
}

extension Pipeline {
  /// Opens the output and makes it fail.
  fileprivate func fail() {
    open()
    handle(.event(.failed(stream, PlayerError(code: .output, message: "scripted"))))
  }
}
