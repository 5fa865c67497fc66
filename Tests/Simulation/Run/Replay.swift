package import Playback

/// The run of a recording through the rules of playback.
package struct Replay: Sendable {
  /// The first broken rule, with the number of the input that broke it; nil if there is none.
  package private(set) var breach: (input: Int, rule: String)?
  /// The number of the first input whose state is not the recorded one; nil if there is none.
  package private(set) var divergence: Int?
  /// The inputs, their effects, and the states after them.
  package private(set) var lines: [String] = []
  /// What readers see at the end; nil without inputs.
  package private(set) var snapshot: Player.Snapshot?

  /// Replays the inputs up to the first broken rule.
  package init(_ recording: PlaybackRecording) {
    var machine = PlaybackReplay(recording.base)
    for (index, input) in recording.inputs.enumerated() {
      let step = machine.perform(input)
      let number = index + 1
      lines.append("\(Self.seconds(input.at &- recording.base.at)) \(number) \(step.input)")
      lines += step.effects.map { "    \($0)" }
      lines.append("    \(Self.description(of: step.snapshot))")
      snapshot = step.snapshot
      if !step.isAsRecorded, divergence == nil {
        divergence = number
        lines.append("    differs from the recorded state")
      }
      if let rule = step.violations.first {
        breach = (number, rule)
        lines.append("    broken: \(rule)")
        return
      }
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds / 1_000_000) / 1_000)" }

  private static func description(of state: Player.Snapshot) -> String {
    let index = state.currentIndex.map { "item \($0 + 1) of \(state.itemCount)" } ?? "no item"
    return
      "\(state.transport), \(state.timeControlStatus) at \(state.position) of \(state.duration.map { "\($0)" } ?? "?"), "
      + "\(index), rate \(state.rate), buffer \(state.bufferingPercent)%"
  }
}
