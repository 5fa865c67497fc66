import Logging
import Playback
import PlayerdInterfaces
import Synchronization

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdStorage
@testable import PlayerdSystem

/// One run of the daemon's parts that keep the session and open items, until the process ends.
///
/// The parts are connected as in `DaemonParts`. All their work is carried out on the thread of the run.
final class DaemonLife: WorldCompanion {
  /// A reference that closures may capture.
  struct Reference: @unchecked Sendable {  // guard: the run makes all calls on one thread
    unowned let daemon: DaemonLife

    /// Returns after a virtual time, or when the machine has ended.
    func wait(_ milliseconds: Int) async {
      await withCheckedContinuation { daemon.wait(milliseconds, $0) }
    }
  }

  static let folder = "/state/mpris-playerd"

  let world: World
  let disk: SimulatedDisk
  let login = SimulatedLogin()
  let log: DaemonLog
  let logger: Logger
  let threshold = LogThreshold()
  private(set) lazy var settings = startSettings()
  /// The steps of the scenario that earlier lives have carried out.
  let firstStep: Int
  let checks: StorageChecks
  let opens = OpenQueue()
  private let queues: [SimulatedQueue]
  private var coordinatorOfPlayer: PlaybackCoordinator?
  private var keeper: SessionKeeper?
  private var resumer: ResumeKeeper?
  private var tasks: [Task<Void, Never>] = []
  private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastSleeper = 0
  private var scheduled: Int64 = 0
  private var condition = 0
  /// Whether the process is to end in order.
  private(set) var isRestarting = false
  private(set) var isLoginLost = false
  /// Whether a shutdown has begun in this life.
  private(set) var isShuttingDown = false
  private(set) var damages: [(file: Int, manner: Int)] = []
  private(set) var stepsDone = 0

  init(_ scenario: Scenario, from firstStep: Int, disk: SimulatedDisk, checks: StorageChecks, isTraced: Bool) {
    var rest = scenario
    rest.steps = Array(scenario.steps.dropFirst(firstStep))
    world = World(rest, isTraced: isTraced)
    self.disk = disk
    self.checks = checks
    self.firstStep = firstStep
    let log = DaemonLog()
    self.log = log
    logger = Logger(label: "simulation") { _ in log }
    let clock = world.clock
    queues = (0..<4).map { _ in SimulatedQueue(clock) { disk.takeTime() } }
  }

  var player: Player { world.player.player }
  var coordinator: PlaybackCoordinator {
    let coordinator = coordinatorOfPlayer ?? PlaybackCoordinator(player, opens)
    coordinatorOfPlayer = coordinator
    return coordinator
  }
  var reference: Reference { Reference(daemon: self) }
  var hasBooks: Bool { world.scenario.storage?.hasBooks ?? false }

  // MARK: Start and end

  /// Starts the parts in the order of the daemon.
  func start() {
    world.companion = self
    let logger = logger
    let random = Mutex(RandomSource(seed: world.scenario.seed ^ UInt64(firstStep)))
    let store = SessionStore(folder: Self.folder, files: disk, log: logger) {
      random.withLock { $0.next() & UInt64(Int64.max) }
    }
    let last = store.load()
    let settings = settings
    var sources = settings.sources
    if let last { sources.add(last, restoringQueue: true) }
    let configuration = sources.configuration
    player.volume = configuration.player.volume
    player.loop = configuration.loop
    player.setShuffleMode(configuration.shuffle)
    player.rate = configuration.rate
    let coordinator = coordinator
    let life = reference
    if let last { SessionRestorer(resume: configuration.resume).restore(last, into: player) }
    let resumer = ResumeKeeper(
      player, folder: Self.folder, files: disk, on: queues[2], log: logger,
      sources: .init(bookFolders: { [hasBooks] in hasBooks ? ["/music"] : [] }))
    let loader = QueueLoader(
      coordinator: coordinator, media: SimulatedFramework(life: life), opens: opens, log: logger, queue: queues[0],
      files: disk, newRate: { settings.current.keepRate ? nil : settings.current.rate },
      startIndex: { range in random.withLock { $0.number(range.lowerBound...(range.upperBound - 1)) } },
      places: resumer, replaces: { _ in }, title: { $0.uri })
    let keeper = SessionKeeper(player: player, store: store, on: queues[1], awaitsQueue: false)
    let monitor = LogindMonitor(
      coordinator, opens: opens, settings: settings, on: queues[3], tasks: queues[3],
      save: {
        await keeper.save()
        await resumer.save()
      }, emitPosition: {}, connect: { [login] in login })
    (self.keeper, self.resumer) = (keeper, resumer)
    checks.started(self, last)
    tasks = [
      Task(executorPreference: queues[3]) { await monitor.run() },
      Task(executorPreference: queues[2]) { await resumer.run() },
      Task(executorPreference: queues[0]) {
        await withTaskGroup { group in
          group.addTask { await keeper.run() }
          await loader.run()
          group.cancelAll()
        }
      },
    ]
    world.settle()
  }

  /// Reads the configuration; if a start fails because of it, the user restores the last good file.
  private func startSettings() -> Settings {
    let load = { @Sendable [disk] () throws(ConfigurationError) in
      try ConfigurationSources.load(
        file: nil, orUserFile: SimulatedConfiguration.path, from: disk, environment: [:])
    }
    for _ in 0..<2 {
      do throws(ConfigurationError) {
        let settings = Settings(try load(), threshold: threshold, load: load)
        checks.checkStart(settings)
        return settings
      } catch {
        world.note("    \(error.message)")
        checks.checkError(error.message)
        checks.configured(checks.configuration.lastValid, on: disk)
      }
    }
    return Settings(ConfigurationSources(), threshold: threshold, load: load)
  }

  private func reload(bySignal: Bool) {
    checks.commanded(.read)
    var later: [String]?
    if bySignal {
      settings.reloadForSignal(into: player, log: logger)
    } else {
      do throws(ConfigurationError) {
        later = try settings.reload(into: player, log: logger)
      } catch {
        checks.checkError(error.message)
      }
    }
    let lines = log.take()
    if bySignal, let line = lines.first(where: { $0.contains("configuration is unchanged") }) {
      checks.checkError(line)
    } else if bySignal, !checks.configuration.file.isValid {
      checks.require(.wrongConfigurationReported, false, "\(checks.configuration.file.fault) is not reported")
    }
    checks.checkReload(self, later, lines)
  }

  /// Runs the steps until the machine goes down, the daemon restarts, or no steps are left.
  func run() {
    var instant = world.now
    for (index, step) in world.scenario.steps.enumerated() {
      instant += Int64(step.after) * 1_000_000
      world.schedule(.step(index), at: instant)
    }
    world.run(until: instant + 15_000_000_000) { [disk] in disk.isDown || self.isRestarting }
  }

  /// Stops the services in the order of the daemon.
  func stopInOrder() {
    guard let keeper, let resumer else { return }
    let done = DoneFlag()
    tasks.append(
      Task(executorPreference: queues[3]) {
        await keeper.close()
        await resumer.save()
        done.set()
      })
    world.settle()
    world.run(until: world.now + 60_000_000_000) { [disk] in done.isSet || disk.isDown }
    if done.isSet { checks.stopped(self) }
  }

  /// Ends the process: nothing that it still does has an effect.
  func end() {
    disk.stop()
    for task in tasks { task.cancel() }
    login.lose()
    for number in sleepers.keys.sorted() { sleepers.removeValue(forKey: number)?.resume() }
    world.player.close()
    for _ in 0..<1_000 {
      var isIdle = !world.jobs.drain()
      for call in world.calls.take() {
        isIdle = false
        call()
      }
      for queue in queues where queue.finish() { isIdle = false }
      for number in sleepers.keys.sorted() { sleepers.removeValue(forKey: number)?.resume() }
      if isIdle { return }
    }
  }

  // MARK: Virtual time

  fileprivate func wait(_ milliseconds: Int, _ continuation: CheckedContinuation<Void, Never>) {
    guard !disk.isDown else { return continuation.resume() }
    lastSleeper += 1
    let number = lastSleeper
    sleepers[number] = continuation
    world.schedule(
      .call { [unowned self] in sleepers.removeValue(forKey: number)?.resume() },
      at: world.now + Int64(milliseconds) * 1_000_000)
  }

  /// Calls `body` after a time, unless the process has ended.
  func after(_ milliseconds: Int, _ body: @escaping () -> Void) {
    world.schedule(.call(body), at: world.now + Int64(milliseconds) * 1_000_000)
  }

  // MARK: Companion of the world

  func media(of uri: String) -> Media? {
    let media = world.scenario.media
    return MusicFolder.number(of: uri).map { media[$0 % media.count] }
  }

  func settle() -> Bool {
    var isBusy = false
    for queue in queues {
      while !disk.isDown, queue.step() { isBusy = true }
    }
    if let due = queues.compactMap(\.due).min(), due > world.now, due < scheduled || scheduled <= world.now {
      scheduled = due
      world.schedule(.call {}, at: due)
    }
    return isBusy
  }

  func afterEvent() { if !disk.isDown { checks.afterEvent(self) } }

  // MARK: Steps

  func perform(_ action: Action) {
    stepsDone += 1
    guard case .storage(let action) = action else {
      checks.commanded(action)
      return command(action)
    }
    switch action {
    case .open(let source, let placement, let isPaused): open(source, placement, isPaused)
    case .reopen(let number): reopen(number)
    case .restart: isRestarting = true
    case .crash(let operations, let kept, let isPowerLoss):
      disk.arm(SimulatedDisk.Crash(operations: operations, kept: kept, isPowerLoss: isPowerLoss))
    case .damage(let file, let manner): damages.append((file, manner))
    case .diskFull(let time): set(.full, latency: 0, time)
    case .diskReadOnly(let time): set(.readOnly, latency: 0, time)
    case .diskSlow(let latency, let time): set(.good, latency: latency, time)
    case .sleep: checks.sleeps(self)
    case .shutdown(let time): shutDown(cancelledAfter: time)
    case .loginLost:
      isLoginLost = true
      login.lose()
    case .configure(let file): checks.configured(file, on: disk)
    case .reload(let bySignal): reload(bySignal: bySignal)
    }
  }

  private func command(_ action: Action) {
    switch action {
    case .play: coordinator.play()
    case .pause(let isFading): coordinator.pause(fading: isFading)
    case .stop: coordinator.stop()
    case .next: coordinator.next()
    case .previous: coordinator.previous()
    case .playItem(let place):
      let items = player.items
      if !items.isEmpty { coordinator.play(items[abs(place) % items.count].id) }
    default: if action.isFault { world.inflict(action) } else { world.player.perform(action) }
    }
  }

  /// Lets the machine prepare a shutdown, unless it prepares one or a suspension: logind refuses a second action.
  private func shutDown(cancelledAfter time: Int) {
    guard !isShuttingDown, !checks.sleep.isInProgress else { return }
    isShuttingDown = true
    login.send(.shutdown)
    after(time) { [unowned self] in
      isShuttingDown = false
      login.send(.shutdownCancelled)
    }
  }

  private func set(_ condition: SimulatedDisk.Condition, latency: Int, _ time: Int) {
    disk.set(condition, latency: latency)
    checks.diskChanged(self)
    self.condition += 1
    let number = self.condition
    after(time) { [unowned self] in
      if number == self.condition { disk.set(.good, latency: 0) }
    }
  }

  private func open(_ source: StorageSource, _ placement: Int, _ isPaused: Bool) {
    var added: (uri: String, items: [String]) = ("", [])
    let number = checks.nextRequest()
    disk.change { added = $0.add(source, number: number) }
    if case .folder = source { checks.opened(added.uri, added.items) }
    var request = OpenRequest(
      uris: [added.uri], placement: [.replace, .append, .next, .now, .add][abs(placement) % 5],
      startsPaused: isPaused)
    if request.placement == .add { request.position = .start }
    accept(request, number, added.items)
  }

  private func reopen(_ number: Int) {
    guard !checks.books.sources.isEmpty else { return }
    let source = abs(number) % checks.books.sources.count
    checks.reopened(self, source)
    let (uri, items) = checks.books.sources[source]
    accept(OpenRequest(uris: [uri]), checks.nextRequest(), items)
  }

  private func accept(_ request: OpenRequest, _ number: Int, _ items: [String]) {
    checks.accepted(self, number, request, items)
    let life = reference
    try? opens.accept(request) { report in
      life.daemon.checks.replied(life.daemon, number, report)
      if !report.isSuperseded { life.daemon.checks.books.known.formUnion(request.uris) }
    }
  }
}

/// A flag that a task of the run sets.
final class DoneFlag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

/// The log of a simulated daemon.
final class DaemonLog: LogHandler, Sendable {
  private let lines = Mutex<[String]>([])

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .info }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }

  /// Removes and returns the lines since the last call.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
