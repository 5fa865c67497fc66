import Dispatch
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("A preroll before a seek", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EarlierPrerollTests {
  @Test("A message about an earlier preroll that is handled after a seek has begun does not end the seek")
  func message() async throws {
    let uri = fileURI(try await Media.sine(seconds: 2, format: .wav))
    let (stream, prerolls) = (StreamToken(number: 1), EventLog<Duration?>())
    let configuration = Player.Configuration(audioSink: "fakesink sync=true")
    let executor = PipelineExecutor(label: "test")
    let context = PipelineContext(configuration, executor: executor, loudness: nil, nextStream: { _ in nil })
    let pipeline = Pipeline(
      configuration: configuration, sinkMemory: AudioSink.Memory(), context: context,
      report: { if case .settled(_, let facts) = $0 { prerolls.append(facts.position) } })
    context.pipeline.set(pipeline)
    executor.queue.sync {
      pipeline.assumeIsolated {
        $0.open()
        $0.load(uri, stream)
      }
    }
    defer { executor.queue.sync { pipeline.assumeIsolated { $0.close() } } }
    try await prerolls.first("the preroll")
    let early: Int = executor.queue.sync {
      pipeline.assumeIsolated { pipeline in
        let flushes = context.gate.flushes
        pipeline.perform(.seek(to: .seconds(1), rate: 1))
        // A pause before the seek has posted it.
        pipeline.handle(.asyncDone(stream, flushes: flushes))
        return prerolls.count
      }
    }
    #expect(early == 1)
    try await prerolls.first("the end of the seek", from: 1)
    #expect(prerolls.elements.last == .seconds(1))
  }
}
