import Testing

@testable import Playback

extension MachineHarness {
  /// Advances the clock; returns the commands for the engine apart from measurements.
  mutating func advanceUnmeasured(_ seconds: Double) -> [EngineCommand] {
    advance(.seconds(seconds)).engineCommands.filter { if case .samplePosition = $0 { false } else { true } }
  }

  /// The overlap with which the next item is to begin; nil if it follows gaplessly, or if none is open.
  var overlap: Successor.Overlap? { successors.first?.overlap }

  /// The part of the next item in the plan; nil if there is none.
  var nextPart: PlannedPart? { successors.first.flatMap { next in plan.first { $0.stream == next.token } } }

  /// Advances to the instant at which the next item is opened; returns its stream.
  mutating func requireNext() throws -> StreamToken {
    for _ in 0..<20 where successors.isEmpty { advance(.milliseconds(50)) }
    return try #require(successors.last?.token)
  }
}
