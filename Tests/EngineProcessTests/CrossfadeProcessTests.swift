import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

/// Tests of two streams in one engine process.
@Suite("A crossfade in an engine process", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct CrossfadeProcessTests {
  private static let first = StreamToken(number: 1)
  private static let second = StreamToken(number: 2)

  private func withEngine(_ body: (ProcessEngine, EventLog<EngineEvent>) async throws -> Void) async throws {
    var configuration = Player.Configuration(audioSink: "fakesink sync=true")
    configuration.engine = .process(at: try Tool.built("mpris-playerd-engine"))
    let (engine, events) = (ProcessEngine(configuration: configuration), EventLog<EngineEvent>())
    engine.open(EngineClient { events.append($0) })
    let result: Result<Void, any Error>
    do { result = .success(try await body(engine, events)) } catch { result = .failure(error) }
    engine.close()
    await engine.closed()
    try result.get()
  }

  @Test("The process opens the files of two streams, and crossfades from one to the other")
  func files() async throws {
    let paths = try await [Media.sine(seconds: 1), Media.sine(seconds: 1, frequency: 880)]
    try await withEngine { engine, events in
      for (path, stream) in zip(paths, [Self.first, Self.second]) {
        engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: stream)))
      }
      try await events.first("ready") { if case .stream(Self.second, .settled) = $0 { true } else { false } }
      #expect(engine.state.withLock { $0.newest } == Self.second)
      let shape = CrossfadeShape(length: .milliseconds(300), curve: .linear)
      engine.perform(.plan([PlannedPart(Self.first), PlannedPart(Self.second, join: .overlap(shape))]))
      engine.perform(.setPlaying(true))
      try await events.first("the start") { if case .audible(Self.second, _) = $0 { true } else { false } }
      for stream in [Self.first, Self.second] {
        try await events.first("the end") { if case .stream(stream, .ended) = $0 { true } else { false } }
      }
    }
  }

  @Test("Commands without a stream start no process, and the next one gets the last of them")
  func noProcess() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withEngine { engine, events in
      var settings = EngineSettings(Player.Configuration())
      for rate in [0.5, 2] {
        settings.rate = rate
        engine.perform(.settings(settings))
      }
      engine.perform(.setPlaying(true))
      engine.perform(.plan([]))
      #expect(engine.state.withLock { !$0.isStarting && $0.child == nil && $0.waiting.isEmpty })
      #expect(engine.state.withLock { $0.retained.commands } == [.settings(settings), .setPlaying(true)])
      engine.perform(.open(StreamRequest(uri: "file://\(path)", stream: Self.first)))
      engine.perform(.plan([PlannedPart(Self.first)]))
      try await events.first("the end") { if case .stream(Self.first, .ended) = $0 { true } else { false } }
    }
  }
}
