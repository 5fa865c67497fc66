/// What the engine was told last: the streams that are open in it, the plan, and the state of the output.
///
/// Invariant: the engine has carried out, or is about to carry out, what is here. The machine compares its own state with
/// this one after each decision, and sends the difference.
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
