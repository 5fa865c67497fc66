import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import EventLoop
@testable import Playback

/// Tests of two streams in the processes of an engine.
@Suite("A crossfade in the processes of an engine", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct CrossfadeProcessTests {
  private static let first = StreamToken(number: 1)
  private static let second = StreamToken(number: 2)

  private func withEngine(
    _ sink: String = "fakesink sync=true", _ body: (ProcessEngine, EventLog<EngineEvent>) async throws -> Void
  ) async throws {
    var configuration = Player.Configuration(audioSink: sink)
    configuration.engine = .process(at: try Tool.built("mpris-playerd-engine"))
    let (engine, events) = (ProcessEngine(configuration: configuration), EventLog<EngineEvent>())
    engine.open(EngineClient { events.append($0) })
    let result: Result<Void, any Error>
    do { result = .success(try await body(engine, events)) } catch { result = .failure(error) }
    engine.close()
    await engine.closed()
    try result.get()
  }

  @Test("One process opens the files of two streams, and the other one crossfades between them")
  func files() async throws {
    let paths = try await [Media.sine(seconds: 1), Media.sine(seconds: 1, frequency: 880)]
    try await withEngine { engine, events in
      for (path, stream) in zip(paths, [Self.first, Self.second]) {
        engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: stream)))
      }
      try await events.first("ready") { if case .stream(Self.second, .settled) = $0 { true } else { false } }
      #expect(engine.processID != nil && engine.deckProcessIDs.count == 1)
      let shape = CrossfadeShape(length: .milliseconds(300), curve: .linear)
      engine.perform(.plan([PlannedPart(Self.first), PlannedPart(Self.second, join: .overlap(shape))]))
      engine.perform(.setPlaying(true))
      try await events.first("the start") { if case .audible(Self.second, _) = $0 { true } else { false } }
      for stream in [Self.first, Self.second] {
        try await events.first("the end") { if case .stream(stream, .ended) = $0 { true } else { false } }
      }
    }
  }

  @Test("Commands without a stream start no process, and the first stream plays with the last of them")
  func noProcess() async throws {
    let ramp = try await Ramp.wav(seconds: 1)
    try await withTemporaryDirectory { directory in
      let path = directory.file("heard.raw")
      try await withEngine(Ramp.sink(path)) { engine, events in
        var settings = EngineSettings(Player.Configuration())
        for volume in [0.5, 0.25] {
          settings.volume = volume
          engine.perform(.settings(settings))
        }
        engine.perform(.setPlaying(true))
        engine.perform(.plan([]))
        // A start would be requested on the loop.
        await withCheckedContinuation { continuation in engine.loop.submit { continuation.resume() } }
        #expect(engine.processID == nil && engine.deckProcessIDs.isEmpty)
        engine.perform(.open(StreamRequest(uri: "file://\(ramp)", stream: Self.first)))
        engine.perform(.plan([PlannedPart(Self.first)]))
        try await events.first("the end") { if case .stream(Self.first, .ended) = $0 { true } else { false } }
      }
      let heard = try Ramp.samples(path)
      #expect(heard.count == 44_100)
      #expect(abs(Int(heard.last ?? 0) - 44_099 / 64 / 4) <= 1)
    }
  }
}
