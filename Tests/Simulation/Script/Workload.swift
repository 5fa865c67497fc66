/// Generates scripts: commands as users and clients send them, with faults in between.
package enum Workload {
  /// The manner in which commands follow each other.
  private enum Mood {
    /// A user who listens, and rarely sends a command.
    case listening
    /// A user who searches for an item.
    case browsing
    /// A client that sends commands without waiting.
    case storm
  }

  /// Returns the script of a seed, which has about this number of steps.
  package static func scenario(seed: UInt64, steps count: Int = Simulator.usualSteps) -> Scenario {
    var random = RandomSource(seed: seed)
    // Short items that repeat would take most of the time.
    let canBeShort = random.chance(10)
    var surroundings = RandomSource(seed: seed ^ 0x626C_6F63_6B73)
    var resolvers = RandomSource(seed: seed ^ 0x7265_736F_6C76)
    var keeping = RandomSource(seed: seed ^ 0x6B65_6570_73)
    var songs = RandomSource(seed: seed ^ 0x736F_6E67_73)
    let media = (0..<random.number(3...24)).map { _ in
      var media = Media.random(&random, canBeShort: canBeShort)
      if media.source == .server || media.source == .station {
        media.server.redirect = surroundings.pick(weighted: [
          (70, .none), (18, .followed), (6, .endless), (6, .refused),
        ])
        media.resolver = AddressResolver.random(&resolvers)
        media.keptTime = media.randomKeptTime(&keeping)
        media.songTime = media.randomSongTime(&songs)
      }
      return media
    }
    // The crossfades have numbers of their own, so that the other steps of a seed do not depend on them.
    var fades = RandomSource(seed: seed ^ 0x6661_6465)
    var crossfades = CrossfadeWorkload(&fades)
    var silences = RandomSource(seed: seed ^ 0x7369_6C65_6E63_65)
    let trimsSilence = silences.chance(40)
    let tagged = media.map { media in
      var media = media
      crossfades.change(&media)
      if trimsSilence { media.silence = media.randomSilence(&silences) }
      return media
    }
    var settings = Scenario.Settings(
      fade: random.pick([0, 0, 300, 2_000]), pausesOnRemoval: random.chance(30),
      release: random.pick([5_000, 5_000, 0, 60_000]))
    (settings.crossfade, settings.skipFade) = crossfades.lengths
    settings.trimsSilence = trimsSilence
    let behaviour = Behaviour.random(&random)
    let hasFaults = random.chance(70)
    var steps = [
      Step(
        after: 0,
        .replace(media: (0..<random.number(1...12)).map { _ in random.number(0...(media.count - 1)) }, start: 0)),
      Step(after: 0, .play),
    ]
    var mood = Mood.listening
    var clients = ClientWorkload(seed: seed, media: media.count)
    // The ends of processes have numbers of their own, so that the other steps of a seed do not depend on them.
    var ends = ProcessWorkload(seed: seed)
    while steps.count < count {
      if let step = clients.step() { steps.append(step) }
      steps += ends.steps(in: crossfades.steps())
      if random.chance(8) { mood = random.pick(weighted: [(6, .listening), (3, .browsing), (1, .storm)]) }
      var action =
        hasFaults && random.chance(12) ? Nemesis.fault(&random) : command(mood, media.count, &random)
      if case .outputStops(let time) = action, surroundings.chance(40) {
        action = .outputBlocks(for: time * surroundings.pick([1, 1, 6, 20]))
      }
      steps.append(Step(after: pause(mood, longest: canBeShort ? 240_000 : 1_800_000, &random), action))
    }
    return Scenario(seed: random.next(), media: tagged, behaviour: behaviour, settings: settings, steps: steps)
  }

  /// Returns the time before the next step in milliseconds.
  private static func pause(_ mood: Mood, longest: Int, _ random: inout RandomSource) -> Int {
    switch mood {
    case .listening:
      random.pick(weighted: [
        (50, random.number(5_000...120_000)), (20, random.number(120_000...longest)), (30, random.number(10...5_000)),
      ])
    case .browsing: random.pick(weighted: [(70, random.number(50...3_000)), (30, random.number(3_000...20_000))])
    case .storm: random.pick(weighted: [(60, 0), (40, random.number(0...60))])
    }
  }

  private static func command(_ mood: Mood, _ media: Int, _ random: inout RandomSource) -> Action {
    let group = random.pick(weighted: [
      (mood == .listening ? 30 : 34, 0), (18, 1), (10, 2), (mood == .listening ? 20 : 14, 3), (8, 4), (10, 5),
    ])
    switch group {
    case 0: return transport(&random)
    case 1: return seek(&random)
    case 2: return setting(&random)
    case 3: return edit(media, &random)
    case 4: return observation(&random)
    default: return .read
    }
  }

  private static func transport(_ random: inout RandomSource) -> Action {
    random.pick(weighted: [
      (90, .play), (14, .pause(fading: !random.chance(20))), (4, .stop), (16, .next), (8, .previous),
      (6, .playItem(random.number(0...40))), (2, .load), (2, .prepare), (1, .cancelPreparations),
      (3, .playImmediately(rate: random.pick([100, 100, 150, 0]))),
      (6, .playAt(random.pick([0, 100, 300, 2_000, 10_000, random.scaled(0...400_000)]))),
    ])
  }

  private static func seek(_ random: inout RandomSource) -> Action {
    let target = random.pick(weighted: [
      (50, random.number(0...300_000)), (20, random.number(0...5_000)), (10, 0), (5, -5_000), (5, Int(Int32.max)),
      (10, random.scaled(0...10_000_000)),
    ])
    return random.pick(weighted: [
      (20, .seek(to: target)), (45, .seekToFraction(random.number(0...1_000))),
      (10, .seekToFraction(random.number(960...1_000))),
      (25, .seekAwaited(to: target, tolerance: random.pick([0, 10, 100, 1_000, -1]))), (4, .cancelSeeks),
    ])
  }

  private static func setting(_ random: inout RandomSource) -> Action {
    random.pick(weighted: [
      (10, .setRate(random.pick([100, 100, 100, 50, 200, 25, 400, 150, 1_000, -100, 0]))),
      (4, .setDefaultRate(random.pick([0, 100, 100, 125]))), (12, .setVolume(random.number(-10...1_100))),
      (6, .setMuted(random.chance(30))), (12, .setLoop(random.pick([0, 0, 1, 2, 2, 2]))),
      (8, .setShuffled(random.chance(50))), (6, .shuffleAlbums),
      (10, .setActionAtItemEnd(random.pick([0, 0, 0, 1, 2, 3]))), (6, .setWaits(random.chance(60))),
      (4, .setForwardBuffer(random.pick([0, 500, 5_000, 30_000]))),
      (3, .setNetworkTimeout(random.pick([60_000, 60_000, 5_000, 0]))), (6, .setOutput(random.number(0...3))),
      (8, .selectTrack(random.number(-1...4))), (3, .setLanguages(random.number(0...2))),
    ])
  }

  private static func edit(_ count: Int, _ random: inout RandomSource) -> Action {
    let media = { (random: inout RandomSource, most: Int) in
      (0..<random.number(0...most)).map { _ in random.number(0...(count - 1)) }
    }
    return random.pick(weighted: [
      (14, .replace(media: media(&random, 8), start: random.number(-1...9))),
      (26, .append(media: media(&random, 5))), (16, .insert(media: media(&random, 3), after: random.number(0...20))),
      (6, .insertAtStart(media: media(&random, 2))), (4, .insertAgain(random.number(0...20))),
      (
        10,
        .insertClips(
          media: random.number(0...(count - 1)),
          from: random.pick([0, 0, random.number(0...90_000), random.number(0...900_000)]),
          lengths: (0..<random.number(1...4)).map { _ in
            random.pick(weighted: [(1, random.number(10...800)), (5, random.number(800...300_000))])
          })
      ),
      (10, .remove(random.number(0...20))), (6, .removeCurrent), (1, .removeAll),
      (10, .move(random.number(0...20), to: random.number(-1...20))),
    ])
  }

  private static func observation(_ random: inout RandomSource) -> Action {
    random.pick(weighted: [
      (
        10,
        // Observers of each second are rare, because they would cause most of the wake-ups.
        .observePeriodically(
          random.pick(weighted: [(3, 0), (1, 900), (1, 1_000), (3, 5_000), (5, 30_000), (5, 60_000)]))
      ),
      (20, .observeTimes((0..<random.number(0...6)).map { _ in random.scaled(0...400_000) })),
      (
        15,
        .observeFractions(
          (0..<random.number(1...4)).map { _ in random.pick([0, 250, 500, 1_000, random.number(0...1_000)]) })
      ),
      (15, .observeRemaining(random.pick([0, 1_000, 10_000, 100_000]))), (40, .cancelObserver(random.number(0...10))),
    ])
  }
}
