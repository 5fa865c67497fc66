/// Records the latest inputs of a machine, with the states from which they can be replayed: ten minutes and 1 MiB at
/// most.
///
/// The inputs are kept as values in sections. Each section begins with the state of the machine, so the oldest sections
/// can be dropped. A state is recorded once a minute, or after 128 KiB of inputs.
struct InputRecorder: Sendable {
  private struct Section: Sendable {
    var state: RecordedState
    let stateWeight: Int
    var inputs: [RecordedInput] = []
    /// The bytes beside the array of the inputs.
    var payload = 0

    var since: MonotonicTime { MonotonicTime(nanoseconds: state.at) }
    var inputWeight: Int { inputs.capacity * MemoryLayout<RecordedInput>.stride + payload }
    var weight: Int { stateWeight + inputWeight }
  }

  static let period = Duration.seconds(600)
  private static let sectionPeriod = Duration.seconds(60)

  private let limit: Int
  private var sections: [Section] = []
  /// The instant of the next attempt to record a state that was too large.
  private var retry: MonotonicTime?

  /// Creates a recorder that keeps at most so many bytes.
  init(limit: Int) { self.limit = limit }

  private var sectionLimit: Int { limit / 8 }

  /// The upper limit of the recorded bytes at present.
  var weight: Int { sections.indices.reduce(0) { $0 + sections[$1].weight } }

  /// Records the state before a decision if it is due.
  mutating func prepare(_ machine: PlaybackMachine, now: MonotonicTime) {
    if let last = sections.indices.last {
      // A copy of the section would contain a whole state.
      guard now - sections[last].since >= Self.sectionPeriod || sections[last].inputWeight >= sectionLimit
      else { return }
    } else if let retry, now < retry {
      return
    }
    let state = RecordedState(machine, after: sections.last?.state.queue, now: now)
    let weight = state.weight
    // A larger state would leave no room for anything else.
    guard weight <= limit / 2 else {
      sections = []
      retry = now + Self.sectionPeriod
      return
    }
    sections.append(Section(state: state, stateWeight: weight))
    dropOld(now: now)
  }

  /// Records an input; `machine` has made its decision.
  mutating func note(_ input: PlaybackInput, _ machine: PlaybackMachine, now: MonotonicTime) {
    guard !sections.isEmpty else { return }
    let recorded = input.recorded
    let weight = recorded.weight
    guard weight <= sectionLimit else {
      // The inputs before this one do not lead to the state after it.
      sections = []
      retry = now
      return
    }
    sections[sections.count - 1].inputs.append(
      RecordedInput(at: now.nanoseconds, input: recorded, state: machine.digest(at: now)))
    sections[sections.count - 1].payload += weight
    dropOld(now: now)
  }

  private mutating func dropOld(now: MonotonicTime) {
    while sections.count > 1, now - sections[0].since > Self.period || weight > limit { sections.removeFirst() }
  }

  /// The recorded inputs; nil before the first one, or if the state is too large to be recorded.
  var recording: PlaybackRecording? {
    sections.first.map { PlaybackRecording(base: $0.state, inputs: sections.flatMap(\.inputs)) }
  }
}
