import Playback
import Synchronization

/// The only file that calls the commands of a player: a step becomes a call.
final class PlayerAdapter {
  let player: Player
  private unowned let world: World
  private var events: Player.Observer?
  /// The observers that the script has registered, the oldest first.
  private(set) var observers: [(number: Int, observation: Player.Observer)] = []
  private var lastNumber = 0
  private var preparations: [Task<Void, Never>] = []
  /// The number of the first item of this run, to number items from 0 in each run.
  private var firstItem: UInt64?

  init(_ scenario: Scenario, world: World) {
    self.world = world
    var configuration = Player.Configuration(
      releaseOutputAfter: .milliseconds(scenario.settings.release),
      pausesWhenOutputIsRemoved: scenario.settings.pausesOnRemoval, fade: .milliseconds(scenario.settings.fade))
    configuration.crossfade = Player.Crossfade(
      length: .milliseconds(scenario.settings.crossfade), skipLength: .milliseconds(scenario.settings.skipFade))
    if scenario.settings.trimsSilence { configuration.silenceTrimming = .init() }
    configuration.shuffleSeed = scenario.seed
    configuration.recordsInputs = world.isRecorded
    // GStreamer reports the fill level of a slow server up to twenty times a second, and the comparison needs all inputs.
    if world.substitute != nil { configuration.recordingLimit = 1 << 26 }
    player = Player(
      configuration: configuration, engine: world.substitute?.engine ?? world.engine, loudness: world.loudness,
      clock: world.clock, observers: world.calls)
    let relay = Relay(world.checker)
    events = player.addEventObserver { event, snapshot in relay.checker.event(event, snapshot) }
  }

  /// A reference that observers' closures may capture: all calls are made on the thread of the run.
  private struct Relay: @unchecked Sendable {  // guard: the run makes all calls on one thread
    let checker: Checker
    init(_ checker: Checker) { self.checker = checker }
  }

  // MARK: State

  var internals: PlayerInternals { player.internals }
  var recording: PlaybackRecording? { player.recording }
  var items: [Player.Item] { player.items }
  var playOrder: [Int]? { player.playOrder }

  func media(of item: Player.Item) -> Media? { world.media(of: item.uri) }

  /// Returns the number of an item in this run.
  func number(of item: Player.Item) -> Int { firstItem.map { Int(item.id.number &- $0) } ?? 0 }

  // MARK: Items

  private func item(_ index: Int, start: Int = 0, end: Int? = nil) -> Player.Item {
    let index = min(max(0, index), world.scenario.media.count - 1)
    let item = Player.Item(
      uri: world.uri(index), externalMetadata: nil, start: .milliseconds(start),
      end: end.map { .milliseconds($0) })
    if firstItem == nil { firstItem = item.id.number }
    return item
  }

  /// Returns the identity of the item at an index of the queue, modulo its length.
  private func id(_ place: Int) -> Player.Item.ID? {
    let items = player.items
    guard !items.isEmpty else { return nil }
    return items[((place % items.count) + items.count) % items.count].id
  }

  // MARK: Commands

  /// Calls the method of the player that a step names; faults are not calls.
  func perform(_ action: Action) {
    switch action {
    case .play: player.play()
    case .pause(let fading): player.pause(fading: fading)
    case .stop: player.stop()
    case .next: player.advanceToNextItem()
    case .previous: player.returnToPreviousItem()
    case .playItem(let place): if let id = id(place) { player.play(item: id) }
    case .load: player.load()
    case .prepare: prepare()
    case .cancelPreparations:
      for task in preparations { task.cancel() }
      preparations = []
    case .playImmediately(let rate): player.playImmediately(atRate: Double(rate) / 100)
    case .playAt(let delay): player.play(at: MonotonicTime(nanoseconds: world.now + Int64(delay) * 1_000_000))
    case .seek(let target): player.seek(to: .milliseconds(target))
    case .seekToFraction(let fraction):
      let duration = internals.snapshot.duration ?? .seconds(100)
      player.seek(to: duration * Double(fraction) / 1000)
    case .seekFromEnd(let time):
      if let duration = internals.snapshot.duration { player.seek(to: max(.zero, duration - .milliseconds(time))) }
    case .seekAwaited(let target, let tolerance): seekAwaited(target, tolerance)
    case .cancelSeeks: player.cancelPendingSeeks()
    case .removeAll: player.remove(contentsOf: Set(player.items.map(\.id)))
    case .read: _ = player.snapshot
    default:
      if !performSetting(action), !performEdit(action) { performObservation(action) }
    }
  }

  private func performSetting(_ action: Action) -> Bool {
    switch action {
    case .setRate(let rate): player.rate = Double(rate) / 100
    case .setDefaultRate(let rate): player.defaultRate = rate == 0 ? nil : Double(rate) / 100
    case .setVolume(let volume): player.volume = Double(volume) / 100
    case .setMuted(let isMuted): player.isMuted = isMuted
    case .setLoop(let mode): player.loop = Player.LoopMode.allCases[mode % 3]
    case .setShuffled(let isShuffled): player.isShuffled = isShuffled
    case .shuffleAlbums: player.setShuffleMode(.albums, names: albumNames)
    case .setActionAtItemEnd(let choice): player.actionAtItemEnd = Player.ActionAtItemEnd.allCases[choice % 4]
    case .setWaits(let waits): player.automaticallyWaitsToMinimizeStalling = waits
    case .setForwardBuffer(let time): player.preferredForwardBufferDuration = time == 0 ? nil : .milliseconds(time)
    case .setNetworkTimeout(let time): player.networkTimeout = .milliseconds(time)
    case .setOutput(let number): player.audioOutput = number == 0 ? nil : Self.output(number)
    case .selectTrack(let index): player.selectAudioTrack(at: index)
    case .setLanguages(let count): player.preferredAudioLanguages = Array(["en", "de"].prefix(count))
    case .setCrossfade(let length, let skip, let isLinear):
      player.crossfade = .milliseconds(length)
      player.crossfadeOnSkip = .milliseconds(skip)
      player.crossfadeCurve = isLinear ? .linear : .equalPower
    case .setLowPower(let isOn): player.isLowPowerModeEnabled = isOn
    default: return false
    }
    return true
  }

  /// The names of the albums of the items whose media have tags.
  private var albumNames: [Player.Item.ID: String] {
    Dictionary(
      uniqueKeysWithValues: player.items.compactMap { item in
        media(of: item)?.album.map { (item.id, "album \($0)") }
      })
  }

  private func performEdit(_ action: Action) -> Bool {
    switch action {
    case .replace(let media, let start): player.replaceQueue(with: media.map { item($0) }, startingAt: start)
    case .insert(let media, let place): player.insert(contentsOf: media.map { item($0) }, after: id(place))
    case .append(let media): player.append(contentsOf: media.map { item($0) })
    case .insertAtStart(let media): player.prepend(contentsOf: media.map { item($0) })
    case .insertAgain(let place):
      if let id = id(place), let item = player.items.first(where: { $0.id == id }) { player.append(contentsOf: [item]) }
    case .insertClips(let media, let from, let lengths):
      var start = from
      let clips = lengths.map { length in
        defer { start += length }
        return item(media, start: start, end: start + length)
      }
      player.insert(contentsOf: clips, after: internals.snapshot.currentItem?.id)
    case .remove(let place): if let id = id(place) { player.remove(id) }
    case .removeCurrent: if let id = internals.snapshot.currentItem?.id { player.remove(id) }
    case .move(let place, let target): if let id = id(place) { player.move(id, to: target) }
    default: return false
    }
    return true
  }

  static func output(_ number: Int) -> AudioOutput {
    AudioOutput(id: "output-\(number)", name: "", isDefault: false, sinkDescription: "sink-\(number)")
  }

  // MARK: Observers

  private func performObservation(_ action: Action) {
    lastNumber += 1
    let number = lastNumber
    let relay = Relay(world.checker)
    let crossing: @Sendable (Player.BoundaryCrossing) -> Void = { relay.checker.crossed($0, by: number) }
    do {
      switch action {
      case .observePeriodically(let interval):
        add(
          try player.addPeriodicTimeObserver(forInterval: .milliseconds(interval)) {
            relay.checker.ticked($0, by: number)
          }, action)
      case .observeTimes(let times):
        add(try player.addBoundaryTimeObserver(forTimes: times.map { .milliseconds($0) }, using: crossing), action)
      case .observeFractions(let fractions):
        add(
          try player.addBoundaryTimeObserver(forFractions: fractions.map { Double($0) / 1000 }, using: crossing), action
        )
      case .observeRemaining(let time):
        add(try player.addBoundaryTimeObserver(forTimeRemaining: .milliseconds(time), using: crossing), action)
      case .cancelObserver(let place):
        guard !observers.isEmpty else { return }
        let (number, observation) = observers.remove(at: place % observers.count)
        world.checker.cancelled(number)
        observation.cancel()
      default: break
      }
    } catch {
      world.checker.rejected(action)
    }
  }

  private func add(_ observation: Player.Observer, _ action: Action) {
    observers.append((lastNumber, observation))
    world.checker.registered(lastNumber, action)
    // A client has a limited number of observers.
    if observers.count > 8 {
      let (number, oldest) = observers.removeFirst()
      world.checker.cancelled(number)
      oldest.cancel()
    }
  }

  // MARK: Waiting callers

  private func seekAwaited(_ target: Int, _ tolerance: Int) {
    let number = world.checker.seekBegan()
    let relay = Relay(world.checker)
    let limit: Player.SeekTolerance =
      tolerance < 0
      ? .infinity : Player.SeekTolerance(before: .milliseconds(tolerance), after: .milliseconds(tolerance))
    let player = player
    Task(executorPreference: world.jobs) {
      relay.checker.noteCommand()
      let isDone = await player.seek(to: .milliseconds(target), within: limit).isCompleted
      relay.checker.seekEnded(number, isDone)
    }
    _ = world.jobs.drain()
  }

  private func prepare() {
    let number = world.checker.preparationBegan()
    let relay = Relay(world.checker)
    let player = player
    preparations.append(
      Task(executorPreference: world.jobs) {
        do {
          try await player.prepare()
          relay.checker.preparationEnded(number, nil)
        } catch {
          relay.checker.preparationEnded(number, error as? PlayerError)
        }
      })
    if preparations.count > 100 { preparations.removeFirst(50) }
    _ = world.jobs.drain()
  }

  /// Closes the player; every caller gets an answer.
  func close() {
    let player = player
    Task(executorPreference: world.jobs) { await player.close() }
    _ = world.jobs.drain()
  }
}
