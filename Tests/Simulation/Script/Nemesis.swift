/// Generates faults of the surroundings.
enum Nemesis {
  static func fault(_ random: inout RandomSource) -> Action {
    let time = random.pick(weighted: [
      (50, random.number(50...3_000)), (30, random.number(3_000...20_000)), (20, random.number(20_000...120_000)),
    ])
    return random.pick(weighted: [
      (10, .outputFails(for: time)), (6, .outputRemoved), (4, .pauseRequested),
      (6, .resumeRequested), (5, .outputInUse(random.number(0...3))),
      (8, .volumeChanges(random.number(0...150), muted: random.chance(20))), (4, .outputSilent(random.chance(50))),
      (4, .outputFound), (8, .outputStops(for: min(time, 20_000))), (8, .callHangs(for: time)),
      (8, .suspended(for: time * random.pick([1, 10]), playsOn: random.chance(50))), (8, .networkStops(for: time)),
      (4, .connectionsCut), (5, .decoderFails),
    ])
  }
}
