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
    engine.open(EngineClient(report: { events.append($0) }, nextStream: { _ in nil }))
    let result: Result<Void, any Error>
    do { result = .success(try await body(engine, events)) } catch { result = .failure(error) }
    engine.close()
    await engine.closed()
    try result.get()
  }

  @Test("The process opens the file of a prepared stream, and crossfades to it")
  func files() async throws {
    let paths = try await [Media.sine(seconds: 1), Media.sine(seconds: 1, frequency: 880)]
    try await withEngine { engine, events in
      engine.perform(.load(uri: "file://\(paths[0])", Self.first))
      engine.perform(.prepare(uri: "file://\(paths[1])", Self.second))
      try await events.first("ready") { if case .settled(Self.second, _) = $0 { true } else { false } }
      #expect(engine.state.withLock { $0.newest } == Self.second)
      let shape = CrossfadeShape(length: .milliseconds(300), curve: .linear)
      engine.perform(.crossfade(to: Self.second, at: .milliseconds(700), shape))
      engine.perform(.setPlaying(true))
      try await events.first("the start") { if case .nextStarted(Self.second, _, _, _) = $0 { true } else { false } }
      engine.perform(.enter(Self.second))
      for stream in [Self.first, Self.second] {
        try await events.first("the end") { if case .ended(stream) = $0 { true } else { false } }
      }
    }
  }

  @Test("A stream that is prepared without a loaded one starts no process")
  func noProcess() async throws {
    try await withEngine { engine, _ in
      engine.perform(.prepare(uri: "file://\(Media.missing)", Self.second))
      #expect(engine.state.withLock { !$0.isStarting && $0.child == nil && $0.waiting.isEmpty })
    }
  }
}
