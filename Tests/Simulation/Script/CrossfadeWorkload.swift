/// Generates the crossfades of a script: half of the runs have them, and change them.
struct CrossfadeWorkload {
  let isOn: Bool
  private var random: RandomSource

  init(_ source: inout RandomSource) {
    random = source.split()
    isOn = random.chance(50)
  }

  /// The lengths at the start of the run, in milliseconds.
  var lengths: (fade: Int, skip: Int) {
    mutating get { isOn ? (length(), random.pick([0, 1_000, random.number(100...5_000)])) : (0, 0) }
  }

  private mutating func length() -> Int {
    random.pick(weighted: [(4, random.number(1_000...6_000)), (2, random.number(6_000...15_000)), (1, 0)])
  }

  /// Returns a change of the settings, which is rare, or a seek to a place shortly before the end.
  mutating func step() -> Step? {
    guard isOn else { return nil }
    if random.chance(3) {
      let skip = random.pick([0, 0, 500, 3_000])
      return Step(after: random.number(0...5_000), .setCrossfade(length(), skip: skip, isLinear: random.chance(40)))
    }
    if random.chance(1) { return Step(after: 0, .setLowPower(random.chance(50))) }
    // The rest of the item then contains the crossfade, and the next steps often come during it.
    if random.chance(8) {
      return Step(after: random.number(0...30_000), .seekToFraction(random.number(850...995)))
    }
    return nil
  }
}
