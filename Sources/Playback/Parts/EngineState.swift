/// The state of the engine after the commands that it was sent: the open streams, the plan, and the output.
///
/// Invariant: each field has the value of the last command about it. The machine compares its own state with this one after
/// each decision, and sends the difference.
struct EngineState: Codable, Sendable {
  var streams: [StreamToken] = []
  var plan: [PlannedPart] = []
  var isPlaying = false
  /// The instant at which the output is to continue; nil for at once.
  var start: MonotonicTime?
  var settings: EngineSettings

  /// Forgets what an engine that was replaced has lost; it keeps its settings.
  mutating func replaced() { self = EngineState(settings: settings) }

  /// Forgets the streams of a process that has ended, up to its newest one; another process has got the later ones.
  mutating func replaced(after newest: StreamToken) {
    if streams.allSatisfy({ $0.number <= newest.number }) { return replaced() }
    streams.removeAll { $0.number <= newest.number }
  }
}
