/// Replays recorded inputs on a playback machine.
///
/// The commands of the machine are not carried out: the recorded events of the engine are their results.
package struct PlaybackReplay: Sendable {
  private var machine: PlaybackMachine
  private var wakes = (instant: Int64(0), count: 0)

  /// The result of one input.
  package struct Step: Sendable {
    /// The input in Swift's notation.
    package let input: String
    /// The commands, events and replies that the input has caused.
    package let effects: [String]
    package let snapshot: Player.Snapshot
    /// The rules that are violated; empty in a correct program.
    package let violations: [String]
    /// Whether the state after the input is the recorded one.
    package let isAsRecorded: Bool
  }

  /// Begins at a recorded state.
  package init(_ base: RecordedState) { machine = base.replayed }

  /// Makes the decision on the next input, at its recorded instant.
  package mutating func perform(_ recorded: RecordedInput) -> Step {
    let now = MonotonicTime(nanoseconds: recorded.at)
    machine.decide(recorded.input, now: now)
    let digest = machine.digest(at: now)
    let effects = machine.takeEffects()
    if case .wake = recorded.input {
      wakes = wakes.instant == recorded.at ? (recorded.at, wakes.count + 1) : (recorded.at, 0)
    }
    let snapshot = machine.snapshot(at: now)
    return Step(
      input: "\(recorded.input)".replacing("Playback.", with: ""),
      effects: effects.map { "\($0)".replacing("Playback.", with: "") }, snapshot: snapshot,
      violations: machine.violations + violations(of: snapshot), isAsRecorded: digest == recorded.state)
  }

  /// Returns the violated rules about the values that readers see.
  private func violations(of snapshot: Player.Snapshot) -> [String] {
    let (position, isEmpty) = (snapshot.position, snapshot.itemCount == 0)
    let rules = [
      ("the position is within the item", position >= .zero && position <= snapshot.duration ?? position),
      ("stopped: the position is 0", snapshot.transport != .stopped || position == .zero),
      ("only an empty queue is without a current item", (snapshot.currentItem == nil) == isEmpty),
      (
        "a shuffled order contains each index once",
        machine.queue.order.map { $0.sorted().elementsEqual(machine.queue.items.indices) } ?? true
      ),
      (
        "the status is paused unless the player is to play",
        snapshot.transport == .playing || snapshot.timeControlStatus == .paused
      ),
      ("at most 200 wake-ups at one instant", wakes.count <= 200),
    ]
    return rules.filter { !$0.1 }.map(\.0)
  }
}
