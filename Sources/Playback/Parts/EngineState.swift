/// The result of the commands that were sent to the engine: the open streams, the plan, and the output.
///
/// Invariant: each field has the value of the last command about it. After each decision, the machine compares its own state
/// with this one, and sends the differences.
struct EngineState: Codable, Sendable {
  var streams: [StreamToken] = []
  var plan: [PlannedPart] = []
  var isPlaying = false
  /// The instant at which the output is to continue; nil for at once.
  var start: MonotonicTime?
  var settings: EngineSettings

  /// Forgets everything but the settings, which an engine that was replaced still has.
  mutating func replaced() { self = EngineState(settings: settings) }
}
