import Joining

/// The parts of an output, with the times that only the output knows.
///
/// - A part that continues another one begins where that one is audible, or was audible when it left the plan.
/// - A part that fades out ends when its fade is over. The fade begins at the audible sample, once.
struct OutputPlan {
  /// The number of parts that are remembered after they have left the plan.
  private static let memory: UInt64 = 32

  /// The parts as they were set.
  private(set) var parts: [Part] = []
  /// The media times at which the parts begin that continue another one.
  private var starts: [Part.ID: Duration] = [:]
  /// The media times at which parts were audible when they left the plan.
  private var left: [Part.ID: Duration] = [:]
  /// The media times at which parts have faded out.
  private var fadeEnds: [Part.ID: Duration] = [:]

  /// Replaces the parts.
  ///
  /// - Parameters:
  ///   - new: The parts.
  ///   - fadeDelay: The media time from the audible sample to the first one that can still fade; nil while nothing plays.
  ///   - position: Returns the audible media time of a part; nil while it does not sound.
  /// - Returns: The parts with their times, and those that are silent instead of fading out.
  mutating func replace(
    with new: [Part], fadeDelay: Duration?, position: (Part.ID) -> Duration?
  ) -> (parts: [Part], silent: [(part: Part.ID, time: Duration?)]) {
    for part in parts where !new.contains(where: { $0.id == part.id }) {
      if let time = position(part.id) { left[part.id] = time }
    }
    parts = new
    forget()
    var resolved: [Part] = []
    var silent: [(part: Part.ID, time: Duration?)] = []
    for var part in new {
      if let old = part.continues {
        let start = starts[part.id] ?? position(old) ?? left[old] ?? part.start
        (starts[part.id], part.start, part.continues) = (start, start, nil)
      }
      if let shape = part.fadeOut {
        if fadeEnds[part.id] == nil {
          // From the audible sample on; a part that is not audible has ended.
          let time = position(part.id)
          guard let fadeDelay, let time else {
            silent.append((part.id, time))
            continue
          }
          fadeEnds[part.id] = time + fadeDelay + shape.length
        }
        part.end = fadeEnds[part.id]
      }
      resolved.append(part)
    }
    return (resolved, silent)
  }

  private mutating func forget() {
    let oldest = (parts.map(\.id.number).max() ?? 0).subtractingReportingOverflow(Self.memory)
    if !oldest.overflow {
      left = left.filter { $0.key.number >= oldest.partialValue }
      starts = starts.filter { entry in entry.key.number >= oldest.partialValue || parts.contains { $0.id == entry.key }
      }
    }
    fadeEnds = fadeEnds.filter { entry in parts.contains { $0.id == entry.key && $0.fadeOut != nil } }
  }
}
