/// Generates scripts for a daemon with a disk: users listen and open sources, and the machine crashes.
extension Workload {
  /// Returns the script of a seed for a daemon with a disk.
  package static func storageScenario(seed: UInt64, steps count: Int = 60) -> Scenario {
    var random = RandomSource(seed: seed ^ 0x5D15_C000)
    let media = (0..<random.number(3...8)).map { index in
      var media = Media.plain(index == 0 ? random.number(1_300_000...7_000_000) : random.number(20_000...400_000))
      if index > 0, random.chance(10) { media.fault = .unopenable }
      return media
    }
    // The books have numbers of their own, too.
    var books = RandomSource(seed: seed ^ 0x626F_6F6B)
    let hasBooks = books.chance(25)
    let storage = StorageSettings(
      resume: random.pick([0, 0, 1, 1, 2]), pauseOnSleep: random.number(0...2), inhibitsSleep: random.chance(50),
      hasJournal: random.chance(50), hasBooks: hasBooks)
    var behaviour = Behaviour()
    behaviour.messageDelay = random.pick([0, 3, 40])
    behaviour.callDuration = random.pick([0, 20, 100])
    var steps = [Step(after: 0, .storage(.open(source(&random), placement: 0, paused: random.chance(20))))]
    var files = RandomSource(seed: seed ^ 0x746F_6D6C)
    // The crossfades have numbers of their own, so that the other steps of a seed do not depend on them.
    var fades = RandomSource(seed: seed ^ 0x6661_6465)
    var crossfades = CrossfadeWorkload(&fades)
    var settings = Scenario.Settings()
    (settings.crossfade, settings.skipFade) = crossfades.lengths
    var further = 0
    while steps.count - further < count {
      let fading = crossfades.steps()
      further += fading.count
      steps += fading
      if files.chance(8) {
        further += 1
        let action: StorageAction =
          files.chance(45) ? .configure(.random(&files)) : .reload(bySignal: files.chance(50))
        steps.append(Step(after: files.number(0...3_000), .storage(action)))
      }
      if hasBooks, books.chance(15) {
        further += 1
        steps.append(Step(after: books.number(0...8_000), .storage(.reopen(books.number(0...20)))))
      }
      let pause = random.pick(weighted: [
        (45, random.number(1_000...20_000)), (20, random.number(20_000...90_000)), (35, random.number(0...1_000)),
      ])
      steps.append(Step(after: pause, random.chance(45) ? .storage(storageAction(&random)) : command(&random)))
    }
    return Scenario(
      seed: random.next(), media: media, behaviour: behaviour, settings: settings, steps: steps,
      storage: storage)
  }

  private static func source(_ random: inout RandomSource) -> StorageSource {
    let delay = random.pick([0, 0, 5, 40, 200, 2_000])
    return random.pick(weighted: [
      (10, .file(random.number(0...7))), (2, .missing),
      (10, .folder((0..<random.number(1...5)).map { _ in random.number(0...12) }, delay: delay)),
      (2, .folder([random.number(500...600), random.number(500...700)], delay: delay)),
      (8, .list(random.number(0...30), delay: delay)),
      (6, .server(random.number(0...20), delay: random.pick([10, 500, 3_000, 9_000, 12_000]))), (2, .cycle),
    ])
  }

  private static func storageAction(_ random: inout RandomSource) -> StorageAction {
    random.pick(weighted: [
      (
        40,
        .open(
          source(&random), placement: random.pick(weighted: [(2, 0), (5, 1), (2, 2), (2, 3), (1, 4)]),
          paused: random.chance(15))
      ),
      (8, .restart),
      (
        20,
        .crash(
          operations: random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, random.number(0...40)]), kept: random.number(0...1_000),
          powerLoss: random.chance(70))
      ),
      (4, .damage(file: random.number(0...2), manner: random.number(0...3))),
      (5, .diskFull(for: random.number(100...30_000))), (4, .diskReadOnly(for: random.number(100...30_000))),
      (5, .diskSlow(latency: random.pick([20, 300, 2_000]), for: random.number(1_000...30_000))), (12, .sleep),
      (3, .shutdown(cancelledAfter: random.number(10...4_000))), (1, .loginLost),
    ])
  }

  private static func command(_ random: inout RandomSource) -> Action {
    random.pick(weighted: [
      (40, .play), (14, .pause(fading: false)), (4, .stop), (14, .next), (6, .previous),
      (12, .playItem(random.number(0...40))), (12, .seek(to: random.number(0...400_000))),
      (12, .seekToFraction(random.number(0...950))), (4, .setRate(random.pick([100, 100, 50, 200]))),
      (6, .setVolume(random.number(0...100))), (6, .setLoop(random.number(0...2))),
      (5, .setShuffled(random.chance(50))), (4, .shuffleAlbums),
      (6, .append(media: [random.number(0...7)])), (5, .remove(random.number(0...40))),
      (4, .move(random.number(0...40), to: random.number(0...40))), (1, .removeAll),
    ])
  }
}
