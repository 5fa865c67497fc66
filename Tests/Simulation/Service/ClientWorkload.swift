/// Generates the clients' calls: half of the runs have clients on the bus.
struct ClientWorkload {
  private var random: RandomSource
  private let media: Int
  private let isUsed: Bool
  private let hasFaults: Bool

  /// - Parameters:
  ///   - seed: The seed of the run; the steps of the player itself do not depend on the clients.
  ///   - media: The number of media.
  init(seed: UInt64, media: Int) {
    random = RandomSource(seed: seed ^ 0x636C_6965_6E74)
    isUsed = random.chance(50)
    hasFaults = random.chance(60)
    self.media = media
  }

  /// Returns a step of a client or of the bus, between two steps of the player.
  mutating func step() -> Step? {
    guard isUsed, random.chance(60) else { return nil }
    let pause = random.pick(weighted: [(40, 0), (40, random.number(0...300)), (20, random.number(300...8_000))])
    if hasFaults, random.chance(2) { return Step(after: pause, fault()) }
    if random.chance(4) { return Step(after: pause, .playlistFolder(change())) }
    let kind = random.pick(weighted: [
      (30, ModelClient.Kind.command), (20, .shell), (25, .widget), (12, .visitor), (5, .silent), (8, .nonsense),
    ])
    return Step(after: pause, .client(kind.rawValue, call(of: kind)))
  }

  private mutating func fault() -> Action {
    random.chance(60)
      ? .busStalls(for: random.number(100...20_000)) : .busRestarts(after: random.number(100...30_000))
  }

  private mutating func call(of kind: ModelClient.Kind) -> ClientCall {
    switch kind {
    case .command:
      random.pick(weighted: [(50, transport()), (15, setting()), (15, edit()), (15, control()), (5, extras())])
    case .shell: random.pick(weighted: [(40, transport()), (15, .verify), (15, .position), (30, seek())])
    case .widget:
      random.pick(weighted: [
        (20, transport()), (20, seek()), (10, setting()), (15, edit()), (15, observation()), (15, .verify),
        (12, extras()), (12, playlists()),
        (3, .disconnect),
      ])
    case .visitor: random.pick(weighted: [(60, observation()), (20, .disconnect), (20, transport())])
    case .silent: random.pick(weighted: [(50, observation()), (20, .stopReading), (20, .position), (10, .disconnect)])
    case .nonsense: random.chance(90) ? .nonsense(random.number(0...(Nonsense.all.count - 1))) : .disconnect
    }
  }

  private mutating func transport() -> ClientCall {
    random.pick(weighted: [
      (20, .play), (10, .pause), (20, .playPause), (4, .stop), (20, .next), (10, .previous), (2, .nextWithoutReply),
    ])
  }

  private mutating func seek() -> ClientCall {
    random.pick(weighted: [
      (30, .seek(by: random.pick([5_000, -5_000, 30_000, random.number(-400_000...400_000)]))),
      (40, .setPosition(permille: random.number(-20...1_050))), (5, .setPositionElsewhere(random.number(0...10_000))),
    ])
  }

  private mutating func setting() -> ClientCall {
    random.pick(weighted: [
      (20, .setVolume(random.number(-10...150))),
      (15, .setRate(random.pick([100, 100, 50, 200, 25, 400, 0, 900, -100]))),
      (15, .setLoop(random.number(0...4))), (15, .setShuffle(random.chance(50))),
    ])
  }

  private mutating func edit() -> ClientCall {
    let item = random.number(0...(media - 1))
    return random.pick(weighted: [
      (15, .open(media: item)),
      (25, .addTrack(media: item, after: random.number(-1...20), isCurrent: random.chance(20))),
      (15, .removeTrack(random.number(-1...20))), (15, .goTo(random.number(-1...20))), (15, .trackMetadata),
    ])
  }

  private mutating func change() -> PlaylistChange {
    random.pick(weighted: [
      (
        40,
        .written(random.number(0...7), media: (0..<random.number(0...4)).map { _ in random.number(0...(media - 1)) })
      ),
      (15, .picture(random.number(0...7))), (25, .removed(random.number(0...7))), (3, .folderRemoved),
      (2, .folderReplaced),
      (20, .configured(random.number(0...4))),
    ])
  }

  private mutating func playlists() -> ClientCall {
    random.pick(weighted: [
      (
        40,
        .playlists(
          order: random.number(0...3), isReversed: random.chance(50), from: random.number(0...3),
          count: random.pick([0, 1, 3, 100]))
      ),
      (20, .activatePlaylist(random.number(0...8))),
    ])
  }

  private mutating func extras() -> ClientCall {
    let start = random.scaled(0...200_000)
    return random.pick(weighted: [
      (
        15,
        .sleepTimer(
          random.pick([0, 1, 1_000, 60_000, random.number(0...900_000), -1, 700_000_000]),
          afterTrack: random.chance(50))
      ),
      (
        20,
        // A part of 50 ms causes 20 seeks a second.
        .repeatPart(
          start,
          to: start
            + random.pick(weighted: [
              (2, -1), (1, 50), (1, 100), (5, 3_000), (5, 10_000), (6, random.number(0...60_000)),
            ]))
      ),
      (8, .stopRepeating), (8, .nextChapter), (8, .previousChapter), (8, .stopAfterCurrent(random.chance(60))),
      (4, .consume(random.chance(50))), (6, .refreshOutputs), (12, .chooseOutput(random.number(0...4))),
    ])
  }

  private mutating func control() -> ClientCall {
    random.pick(weighted: [
      (20, .status), (15, .queue(from: random.number(0...10), count: random.pick([0, 1, 5, 600]))),
      (8, .removeTracks((0..<random.number(0...3)).map { _ in random.number(0...12) })),
      (10, .moveTrack(random.number(0...9), to: random.number(0...9))), (8, .playTrack(random.number(0...10))),
      (1, .clear), (6, .playlistNames), (8, .playlistURI(random.number(0...9))),
      (6, .setMuted(random.chance(30))), (4, .configuration), (2, .recording(withNames: random.chance(50))),
      (10, .reload),
      (
        12,
        .openAll(
          media: (0..<random.number(0...4)).map { _ in random.number(0...(media - 1)) },
          placement: random.pick([0, 1, 1, 2, 2, 3, 4]), isPaused: random.chance(20))
      ),
      (10, .save(random.number(0...7), replaces: random.chance(50))),
    ])
  }

  private mutating func observation() -> ClientCall {
    random.pick(weighted: [
      (20, .observePeriodically(random.pick(weighted: [(3, 5), (1, 1_000), (4, 10_000), (4, 60_000)]))),
      (20, .observeTimes((0..<random.number(0...4)).map { _ in random.scaled(0...300_000) })),
      (20, .observeFractions((0..<random.number(1...3)).map { _ in random.number(-50...1_050) })),
      (20, .removeObserver(random.number(0...9))),
    ])
  }
}
