import CGst
import Dispatch
import Playback
import Testing

@testable import GstPlayer

@Suite("A pipeline that has lost its clock")
struct LostClockTests {
  @Test("A lost clock is exchanged without starting a pipeline that has been paused", arguments: [false, true])
  func exchange(isPlaying: Bool) {
    let executor = PipelineExecutor(label: "test")
    let configuration = Player.Configuration(audioSink: "fakesink")
    let context = PipelineContext(configuration, executor: executor, loudness: nil, nextStream: { _ in nil })
    let pipeline = Pipeline(
      configuration: configuration, sinkMemory: AudioSink.Memory(), context: context, report: { _ in })
    let isKept: Bool = executor.queue.sync {
      pipeline.assumeIsolated { pipeline in
        pipeline.open()
        defer { pipeline.close() }
        pipeline.perform(.setPlaying(isPlaying))
        pipeline.handle(.clockLost)
        return pipeline.failure == nil && pipeline.requestedState == (isPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
      }
    }
    #expect(isKept)
  }
}
