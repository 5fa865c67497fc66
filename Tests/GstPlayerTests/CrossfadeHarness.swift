import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// An engine whose commands a test gives itself, with the events that it has reported.
final class ScriptedEngine: Sendable {
  let host: PipelineHost
  let events = EventLog<EngineEvent>()

  init(_ configuration: Player.Configuration = Player.Configuration()) {
    host = PipelineHost(configuration: configuration)
    let events = events
    host.open(EngineClient(report: { events.append($0) }, nextStream: { _ in nil }))
  }

  func perform(_ commands: EngineCommand...) { for command in commands { host.perform(command) } }

  /// Waits until a stream is ready.
  func settled(_ stream: StreamToken, from start: Int = 0) async throws {
    try await event("\(stream.number) is ready", from: start) {
      if case .settled(stream, _) = $0 { true } else { false }
    }
  }

  func ended(_ stream: StreamToken, from start: Int = 0) async throws {
    try await event("\(stream.number) has ended", from: start) {
      if case .ended(stream) = $0 { true } else { false }
    }
  }

  /// Waits until a stream begins, and returns the delay until its first sample is audible.
  @discardableResult
  func started(_ stream: StreamToken) async throws -> Duration {
    let event = try await event("\(stream.number) begins") {
      if case .nextStarted(stream, _, _, _) = $0 { true } else { false }
    }
    return if case .nextStarted(_, let delay, _, _) = event { delay } else { .zero }
  }

  @discardableResult
  func event(
    _ expectation: String, from start: Int = 0, _ predicate: @escaping @Sendable (EngineEvent) -> Bool
  ) async throws -> EngineEvent {
    try await events.first(expectation, from: start, within: 20, where: predicate).element
  }

  func close() async {
    host.close()
    await host.closed()
  }

  /// Plays one item, and crossfades to another one.
  func crossfade(_ first: String, _ second: String, at time: Duration, _ shape: CrossfadeShape) async throws {
    perform(.load(uri: first, .first), .prepare(uri: second, .second))
    try await settled(.first)
    try await settled(.second)
    perform(.crossfade(to: .second, at: time, shape), .setPlaying(true))
    try await started(.second)
    perform(.enter(.second))
    try await ended(.first)
    try await ended(.second)
  }
}

extension StreamToken {
  static let first = StreamToken(number: 1)
  static let second = StreamToken(number: 2)
}
