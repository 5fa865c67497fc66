import Testing

@testable import Playback

extension MachineHarness {
  /// Advances the clock; returns the commands for the engine apart from measurements.
  mutating func advanceUnmeasured(_ seconds: Double) -> [EngineCommand] {
    advance(.seconds(seconds)).engineCommands.filter { $0 != .samplePosition }
  }

  /// The streams that the engine was to open beside the loaded one.
  var prepared: [StreamToken] {
    effects.engineCommands.compactMap { if case .prepare(_, let stream, _) = $0 { stream } else { nil } }
  }

  /// The last of them.
  var lastPrepared: StreamToken? { prepared.last }

  /// The crossfades of which the engine has the times.
  var crossfades: [EngineCommand] {
    effects.engineCommands.filter { if case .crossfade = $0 { true } else { false } }
  }

  /// Advances to the instant at which the next item is opened; returns its stream.
  mutating func requirePrepared() throws -> StreamToken {
    let count = prepared.count
    for _ in 0..<20 where prepared.count == count { advance(.milliseconds(50)) }
    try #require(prepared.count > count)
    return try #require(prepared.last)
  }

  /// The stream beside the loaded one; nil for none.
  var secondStream: StreamToken? { machine.crossfade.token }

  @discardableResult
  mutating func settleIncoming(_ stream: StreamToken) -> [Effect] {
    report(.settled(stream, StreamFacts(duration: .seconds(60))))
  }
}
