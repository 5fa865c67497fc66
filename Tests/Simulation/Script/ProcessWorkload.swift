/// Generates the ends of the engine's processes: a third of the runs have them.
struct ProcessWorkload {
  private var random: RandomSource
  private let isOn: Bool

  init(seed: UInt64) {
    random = RandomSource(seed: seed ^ 0x656E_6769_6E65)
    isOn = random.chance(35)
  }

  /// Returns steps that lead into a crossfade with an end in them, or an end by itself, or several in a row.
  mutating func steps(in others: [Step]) -> [Step] {
    guard isOn else { return others }
    if !others.isEmpty, random.chance(20) {
      return others + [Step(after: random.pick([0, 50, random.number(0...4_000)]), end())]
    }
    guard random.chance(5) else { return others }
    return others
      + (0..<random.pick([1, 1, 1, 2, 3, 4])).map { _ in
        Step(after: random.pick([0, 1, 100, random.number(0...5_000), random.number(0...20_000)]), end())
      }
  }

  private mutating func end() -> Action {
    random.pick(weighted: [(5, .decksEnd(local: true)), (2, .decksEnd(local: false)), (5, .outputEnds)])
  }
}
