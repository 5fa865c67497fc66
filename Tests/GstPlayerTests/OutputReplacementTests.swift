import Glibc
import TestSupport
import Testing

@testable import GstPlayer

/// An automatic output that fails and is no sound server's.
@Suite("A device that fails", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct OutputReplacementTests {
  @Test("Another output is searched for after the failure of a device, until the next unload; not for a named output")
  func search() async {
    await #expect(processExitsWith: .success) {
      // GStreamer reads it when it starts, which is once in a process. This output always opens.
      let outputs = ["pulse", "pipewire", "alsa", "oss", "oss4", "jackaudio"].map { $0 + "sink:NONE" }
      unsafe setenv("GST_PLUGIN_FEATURE_RANK", (outputs + ["fakeaudiosink:256"]).joined(separator: ","), 1)
      for named in [nil, "fakesink sync=true"] {
        let executor = PipelineExecutor(label: "test")
        let pipeline = Pipeline(
          configuration: PlayerConfiguration(audioSink: named), sinkMemory: AudioSink.Memory(), executor: executor,
          context: PipelineContext(preferredAudioLanguages: [], deliver: { _ in }, nextStream: { _ in nil }),
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

  @Test("The device that failed is left out of the search")
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
  /// Makes the output, which fails then.
  fileprivate func fail() {
    open()
    handle(.event(.failed(stream, PlayerError(.output, "scripted"))))
  }
}
