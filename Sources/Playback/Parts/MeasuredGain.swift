/// The gain of a stream by the measured loudness of its file, which is decided once.
enum MeasuredGain: Codable, Equatable, Sendable {
  /// The source of loudness has not answered the request; the stream is not in the plan until then.
  case awaited
  /// The gain; nil plays the stream unchanged.
  case decided(LoudnessGain?)

  /// The gain; nil plays the stream unchanged.
  var decided: LoudnessGain? { if case .decided(let gain) = self { gain } else { nil } }
}
