/// A step of a script: a command of a user or client, or a fault of the surroundings.
///
/// Times are milliseconds, rates and volumes percent, fractions permille. An index selects an item of the queue at the
/// time of the step, modulo its length. All payloads are plain, so a printed step is a Swift expression.
package enum Action: Hashable, Sendable {
  // MARK: Transport

  case play
  case pause(fading: Bool)
  case stop
  case next
  case previous
  case playItem(Int)
  case load
  case prepare
  case cancelPreparations
  case playImmediately(rate: Int)
  /// A start so many milliseconds later.
  case playAt(Int)

  // MARK: Seeks

  case seek(to: Int)
  case seekToFraction(Int)
  /// A seek to a time before the end, if the duration is known.
  case seekFromEnd(Int)
  /// A seek whose caller waits; a negative tolerance accepts any position.
  case seekAwaited(to: Int, tolerance: Int)
  case cancelSeeks

  // MARK: Settings

  case setRate(Int)
  case setDefaultRate(Int)
  case setVolume(Int)
  case setMuted(Bool)
  case setLoop(Int)
  case setShuffled(Bool)
  case shuffleAlbums
  case setActionAtItemEnd(Int)
  case setWaits(Bool)
  case setForwardBuffer(Int)
  case setNetworkTimeout(Int)
  case setOutput(Int)
  case selectTrack(Int)
  case setLanguages(Int)
  /// The lengths of crossfades and of those at skips, and the curve.
  case setCrossfade(Int, skip: Int, isLinear: Bool)
  case setLowPower(Bool)

  // MARK: The queue

  case replace(media: [Int], start: Int)
  case insert(media: [Int], after: Int)
  case append(media: [Int])
  case insertAtStart(media: [Int])
  case insertAgain(Int)
  /// Adjacent clips of one media after the current item.
  case insertClips(media: Int, from: Int, lengths: [Int])
  case remove(Int)
  case removeCurrent
  case removeAll
  case move(Int, to: Int)

  // MARK: Observers and readers

  case read
  case observePeriodically(Int)
  case observeTimes([Int])
  case observeFractions([Int])
  case observeRemaining(Int)
  case cancelObserver(Int)

  // MARK: Faults

  /// The output fails, and each attempt to open it, for a time.
  case outputFails(for: Int)
  /// The device of the output is removed; the server plays on another one.
  case outputRemoved
  /// The sound server requests a pause, as for a call, or the end of one.
  case pauseRequested, resumeRequested
  /// The output reports the device that it uses.
  case outputInUse(Int)
  /// Another program changes the volume.
  case volumeChanges(Int, muted: Bool)
  /// No output can be opened until another report; the engine plays silently.
  case outputSilent(Bool)
  case outputFound
  /// The output plays nothing for a time, although it runs.
  case outputStops(for: Int)
  /// No write to the output, and no call that changes it, returns for a time.
  case outputBlocks(for: Int)
  /// The next call into the output or a decoder takes a time.
  case callHangs(for: Int)
  /// The process does not run for a time; the output stops or plays on.
  case suspended(for: Int, playsOn: Bool)
  /// No server sends anything for a time.
  case networkStops(for: Int)
  /// All connections are closed.
  case connectionsCut
  /// The decoder of a stream fails.
  case decoderFails
  /// The process of the decks of local files ends, or that of streams, and another one starts.
  case decksEnd(local: Bool)
  /// The process of the output ends, and another one starts.
  case outputEnds

  // MARK: The bus

  /// A call of a client of the bus.
  case client(Int, ClientCall)
  /// The bus delivers nothing for a time.
  case busStalls(for: Int)
  /// The bus ends, and starts again after a time.
  case busRestarts(after: Int)
  /// Another program changes the playlists or the configuration.
  case playlistFolder(PlaylistChange)

  /// A step that concerns the daemon around the player.
  case storage(StorageAction)
}

extension Action {
  /// Whether the step is a fault of the surroundings.
  package var isFault: Bool {
    switch self {
    case .outputFails, .outputRemoved, .pauseRequested, .resumeRequested, .outputInUse, .volumeChanges, .outputSilent,
      .outputFound, .outputStops, .outputBlocks, .callHangs, .suspended, .networkStops, .connectionsCut, .decoderFails,
      .decksEnd, .outputEnds:
      true
    default: false
    }
  }

  /// Whether the step ends a process of the engine.
  var isEndOfProcess: Bool {
    switch self {
    case .decksEnd, .outputEnds: true
    default: false
    }
  }

  /// Whether the step is one of the bus or of a client of it; a run without such steps has no bus.
  var isOfBus: Bool {
    switch self {
    case .client, .busStalls, .busRestarts, .playlistFolder: true
    default: false
    }
  }
}

/// A step and the time since the step before, in milliseconds.
package struct Step: Hashable, Sendable {
  package var after: Int
  package var action: Action

  package init(after: Int, _ action: Action) {
    self.after = after
    self.action = action
  }
}

/// A complete run: the media, the behaviour of the surroundings, and the steps.
package struct Scenario: Hashable, Sendable {
  /// The seed of the delays and of the shuffled order.
  package var seed: UInt64
  package var media: [Media]
  package var behaviour: Behaviour
  package var settings: Settings
  package var steps: [Step]
  /// The daemon around the player; nil for the player alone.
  package var storage: StorageSettings?

  package init(
    seed: UInt64, media: [Media], behaviour: Behaviour, settings: Settings, steps: [Step],
    storage: StorageSettings? = nil
  ) {
    self.seed = seed
    self.media = media
    self.behaviour = behaviour
    self.settings = settings
    self.steps = steps
    self.storage = storage
  }

  /// The configuration of the player.
  package struct Settings: Hashable, Sendable {
    /// The fade in milliseconds.
    package var fade: Int
    package var pausesOnRemoval: Bool
    /// The length of a pause after which the output is released, in milliseconds.
    package var release: Int
    /// The length of crossfades in milliseconds.
    package var crossfade: Int
    /// The length of crossfades at skips in milliseconds.
    package var skipFade: Int
    /// Whether the silence at the ends of files is skipped.
    package var trimsSilence = false

    package init(
      fade: Int = 0, pausesOnRemoval: Bool = false, release: Int = 5_000, crossfade: Int = 0, skipFade: Int = 0
    ) {
      self.fade = fade
      self.pausesOnRemoval = pausesOnRemoval
      self.release = release
      self.crossfade = crossfade
      self.skipFade = skipFade
    }
  }
}
