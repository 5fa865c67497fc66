/// Generates the crossfades of a script: half of the runs have them, and change them.
struct CrossfadeWorkload {
  let isOn: Bool
  /// Whether the script leads into crossfades, and has commands and faults during them.
  private let isDense: Bool
  /// The present length in milliseconds.
  private var length = 0
  private var random: RandomSource

  init(_ source: inout RandomSource) {
    random = source.split()
    isOn = random.chance(50)
    isDense = random.chance(50) ? isOn : false
  }

  /// The lengths at the start of the run, in milliseconds.
  var lengths: (fade: Int, skip: Int) {
    mutating get { isOn ? (newLength(), random.pick([0, 1_000, random.number(100...5_000)])) : (0, 0) }
  }

  private mutating func newLength() -> Int {
    length = random.pick(weighted: [(4, random.number(1_000...6_000)), (2, random.number(6_000...15_000)), (1, 0)])
    return length
  }

  /// Adds an album to a media; in a script that leads into crossfades, many media are short files without an album.
  mutating func change(_ media: inout Media) {
    guard isOn else { return }
    media.album = random.pick([nil, 0, 0, 0, 1, 1, 1])
    guard isDense, random.chance(60) else { return }
    // In the shortest ones, a crossfade begins while the item that was skipped before is audible.
    media = .plain(random.number(5_000...random.pick([9_000, 180_000, 180_000, 180_000])))
  }

  /// Returns a change of the settings, which is rare, a seek to shortly before the end, or steps in a crossfade.
  mutating func steps() -> [Step] {
    guard isOn else { return [] }
    if random.chance(3) { return [change(after: random.number(0...5_000))] }
    if random.chance(1) { return [Step(after: 0, .setLowPower(random.chance(50)))] }
    if isDense, random.chance(20) { return overlap() }
    // The rest of the item then contains the crossfade, and the next steps often come during it.
    if random.chance(8) {
      return [Step(after: random.number(0...30_000), .seekToFraction(random.number(850...995)))]
    }
    return []
  }

  private mutating func change(after time: Int) -> Step {
    let skip = random.pick([0, 0, 500, 3_000])
    return Step(after: time, .setCrossfade(newLength(), skip: skip, isLinear: random.chance(40)))
  }

  /// Returns steps that lead into a crossfade, and steps during it.
  private mutating func overlap() -> [Step] {
    var steps: [Step] = []
    if random.chance(70) {
      steps = [.setRate(100), .setLoop(2), .setActionAtItemEnd(0)].map { Step(after: 0, $0) }
      if length == 0 { steps.append(change(after: 0)) }
    }
    steps.append(Step(after: 0, .play))
    if random.chance(40) { steps.append(Step(after: 0, observation())) }
    // The seek ends the fade-out of the skipped item.
    if random.chance(25) {
      let skip = random.pick([1_000, 5_000])
      steps.append(Step(after: 0, .setCrossfade(length, skip: skip, isLinear: random.chance(40))))
      steps.append(Step(after: 500, .next))
    }
    let lead = random.pick([2_100, 3_000, 6_000])
    steps.append(Step(after: random.number(300...1_500), .seekFromEnd(length + lead)))
    var wait = lead + random.number(-200...max(0, length))
    for _ in 0..<random.pick([0, 1, 1, 2]) {
      steps += command(after: wait)
      wait = random.pick([0, 20, random.number(0...max(1, length))])
    }
    // Another part of the script may wait until the end of the crossfade.
    return steps + [Step(after: random.pick([0, length + 3_000]), .read)]
  }

  private mutating func observation() -> Action {
    random.chance(70)
      ? .observeFractions((0..<random.number(1...4)).map { _ in random.number(950...1_000) })
      : .observeRemaining(random.number(0...max(1, length)))
  }

  private mutating func command(after time: Int) -> [Step] {
    let action: Action = random.pick(weighted: [
      (8, .pause(fading: random.chance(50))), (5, .next), (3, .previous), (3, .seek(to: random.number(0...60_000))),
      (4, .seekFromEnd(random.number(0...length + 3_000))), (2, .removeCurrent), (2, .insert(media: [0], after: 0)),
      (1, .stop), (1, .setRate(150)), (1, .setLoop(random.number(0...2))), (1, .setOutput(random.number(0...3))),
      (2, .setVolume(random.number(0...100))),
    ])
    guard case .pause = action else {
      return [random.chance(8) ? change(after: time) : Step(after: time, action)]
    }
    // A long pause shows whether both items stand.
    return [Step(after: time, action), Step(after: random.pick([0, 300, 4_000, 20_000]), .play)]
  }
}
