import DBus
import EventLoop
import Logging
import MPRISService
import Playback
import PlayerdInterfaces
import Synchronization

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

/// The real service of the run's player on a simulated bus.
///
/// The connection, the two exported objects, the bridges of the daemon, the opener, the playlists and the configuration
/// are those of the daemon. The bus, the event loop, the disk, the media framework and the search for pictures are
/// simulated.
final class SimulatedService {
  /// An event of the run's queue.
  enum Event {
    /// A timer of the event loop is due.
    case timers
    case toService(BusMessage)
    /// A message for the client that had this name when it was sent.
    case toClient(String, BusMessage)
    case recheck(String)
    case unstall
    case picture(@Sendable () -> Void)
  }

  unowned let world: World
  let loop: PollLoop
  let parts: BridgedPlayer
  private let host: VirtualLoop
  private let openings: SimulatedQueue
  private let inspections = JobQueue()
  private let controls = JobQueue()
  private let opens = OpenQueue()
  private let settings: Settings
  private let threshold = LogThreshold()
  /// The interfaces beside Monitor1.
  private let interfaces: [DBusInterface<MonitorSnapshot>]
  let disk: SimulatedDisk
  /// The number of the configuration on the disk.
  private var configuration = 0
  private let pictures = CallQueue()
  private var random: RandomSource
  private var tasks: [Task<Void, Never>] = []
  private var scheduledTimer: Int64 = 0
  private(set) lazy var bus = ModelBus(self, random.split())
  private(set) lazy var checks = ServiceChecks(self)

  init(world: World) {
    self.world = world
    random = RandomSource(seed: world.scenario.seed ^ 0x5345_5256)
    openings = SimulatedQueue(world.clock, takeTime: { 0 })
    host = VirtualLoop(world.clock)
    loop = PollLoop(name: "simulated", on: host)
    var lengths: [String: Int] = [:]
    for (index, media) in world.scenario.media.enumerated() where media.fault == .none {
      lengths[World.uri(of: media, index)] = media.length
    }
    let player = world.player.player
    let media = SimulatedMedia(player, LoopClock(loop), random.split(), lengths: lengths)
    let clock = world.clock
    // The dates of the files begin long after 1970.
    let disk = SimulatedDisk(hasJournal: true) { .seconds(1_700_000_000) + .nanoseconds(clock.now.nanoseconds) }
    self.disk = disk
    let load = { @Sendable () throws(ConfigurationError) in
      try ConfigurationSources.load(file: Self.configurationFile, from: disk, environment: [:])
    }
    disk.put(Self.configurationFile, Array((Self.configurations[0] ?? "").utf8))
    settings = Settings((try? load()) ?? ConfigurationSources(), threshold: threshold, load: load)
    let log = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
    let startIndex = Mutex(random.split())
    let parts = BridgedPlayer(
      player, media, opens: opens, settings: settings, files: disk, on: loop,
      monotonic: { clock.now.nanoseconds / 1_000 }, opener: openings, pictures: pictures,
      startIndex: { range in startIndex.withLock { $0.number(range.lowerBound...(range.upperBound - 1)) } }, log: log,
      quit: {})
    self.parts = parts
    let calls = DBusCallQueue()
    let control = ControlBridge(
      opens: opens, bridge: parts.bridge, extras: parts.extras, failures: parts.failures, settings: settings, log: log)
    interfaces = [
      control.rows(on: calls), ExtrasInterface(player: parts.extras, on: calls).rows.reading { $0.extras },
    ]
    let relay = Relay(self)
    tasks = [
      Self.task(on: openings) { await parts.loader.run() },
      Self.task(on: inspections) { await parts.bridge.metadataCache.run() },
      Self.task(on: inspections) { await parts.extras.outputs.run() },
      Self.task(on: controls) { await calls.run() },
      Self.task(on: LoopTaskExecutor(loop)) { await Self.serve(relay) },
    ]
  }

  private static func task(
    on executor: any TaskExecutor, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { await body() }
  }

  /// A reference that closures may capture.
  private struct Relay: @unchecked Sendable {  // guard: the run makes all calls on one thread
    unowned let service: SimulatedService
    init(_ service: SimulatedService) { self.service = service }
  }

  // MARK: Serving

  /// Serves on one connection after another, as the daemon does.
  private static func serve(_ relay: Relay) async {
    let (loop, parts, clock) = (relay.service.loop, relay.service.parts, relay.service.world.clock)
    let interfaces = relay.service.interfaces
    let view = ServedView(parts.bridge) { relay.service.checks.connected() }
    var monitor: MonitorService?
    let connections = ReconnectingDBusConnection(on: loop) { () throws(DBusError) in try relay.service.bus.connect() }
    await connections.run(from: nil) { connection throws(DBusError) in
      let service = MonitorService(parts.publisher.monitor, on: connection, at: "/org/playerd") {
        clock.now.nanoseconds / 1_000
      }
      try await service.export(beside: interfaces)
      monitor = service
      _ = try await connection.requestName("org.playerd")
    } serve: { connection in
      if let monitor { await parts.publisher.attach(monitor) }
      do throws(DBusError) {
        let exported = MPRISExportedPlayer(view, on: connection)
        _ = try await exported.announce(as: "org.mpris.MediaPlayer2.playerd")
        await parts.publisher.run(exported, until: connection)
      } catch {
        await connection.close()
      }
      monitor = nil
    }
  }

  func schedule(_ event: Event, at instant: Int64) { world.schedule(.service(event), at: instant) }

  func broke(_ invariant: Invariant, _ detail: @autoclosure () -> String) { world.checker.broke(invariant, detail()) }

  /// Carries out an event of the queue.
  func perform(_ event: Event) {
    switch event {
    case .timers: runTimers()
    case .toService(let message):
      world.note("  bus → service: \(message.sender) \(message.member) \(message.values)")
      if message.kind == .call { world.checker.noteCommand() }
      bus.arrive(message)
    case .toClient(let name, let message): bus.clients.first { $0.name == name && !name.isEmpty }?.receive(message)
    case .recheck(let name): bus.clients.first { $0.name == name && !name.isEmpty }?.recheck()
    case .unstall: bus.unstall()
    case .picture(let body): body()
    }
  }

  /// Carries out a step of the script; a step that is not of the bus is ignored.
  func perform(_ action: Action) {
    switch action {
    case .client(let number, let call):
      bus.clients[((number % bus.clients.count) + bus.clients.count) % bus.clients.count].perform(call)
    case .busStalls(let time): bus.stall(for: Int64(time) * 1_000_000)
    case .busRestarts(let time): bus.restart(after: Int64(time) * 1_000_000)
    case .playlistFolder(let change): perform(change)
    default: break
    }
  }

  private func runTimers() {
    let setting = parts.extras.sleep.setting
    loop.runDueTimers()
    guard let setting, parts.extras.sleep.setting == nil else { return }
    // The user has requested it when the timer was set.
    world.checker.noteCommand()
    checks.checkSleepEnd(setting)
  }

  /// Carries out everything that can run now; returns whether there was anything.
  func settle() -> Bool {
    var isUsed = false
    while true {
      if loop.runWork() ?? 0 > 0 || inspections.drain() || controls.drain() {
        isUsed = true
      } else if openings.step() {
        // An opened item is inserted and played for a command that was sent earlier.
        world.checker.noteCommand()
        isUsed = true
      } else {
        break
      }
    }
    for search in pictures.take() {
      schedule(.picture(search), at: world.now + Int64(random.number(0...300)) * 1_000_000)
    }
    if let timer = host.nextTimer(of: loop), timer != scheduledTimer {
      scheduledTimer = timer
      schedule(.timers, at: timer)
    }
    return isUsed
  }

  // MARK: The player's state for clients

  /// The length of the current track in microseconds.
  var length: Int64? { parts.bridge.snapshot().metadata.length?.microseconds }

  /// The path of the current track.
  var currentPath: ObjectPath { (parts.bridge.snapshot().track ?? .noTrack).path }

  func uri(_ media: Int) -> String {
    let index = min(max(0, media), world.scenario.media.count - 1)
    return World.uri(of: world.scenario.media[index], index)
  }

  /// The deadline of the sleep timer in microseconds; nil if it is off.
  var sleepDeadline: Int64? { parts.extras.sleep.setting?.deadline }

  func cancelSleepTimer() { try? parts.extras.perform(.setSleepTimer(nil, afterTrack: false)) }

  // MARK: Files

  static let configurationFile = "/config/config.toml"
  /// The configurations that another program writes: two valid ones, a wrong value, a wrong syntax, and no file.
  static let configurations = [
    "playlists-directory = \"\(PlaylistChecks.folder)\"\n",
    "playlists-directory = \"\(PlaylistChecks.folder)\"\nvolume-max = 200\nallow-quit = false\nnetwork-timeout = 20\n",
    "allow-quit = false\nvolume-max = 9\n", "volume-max = 200\nallow-quit =\n", nil,
  ]

  var isConfigurationValid: Bool { configuration < 2 }

  /// The difference between the settings and the file; nil if there is none.
  var reloadFault: String? {
    let (current, isSecond) = (settings.current, configuration == 1)
    guard current.maximumVolume == (isSecond ? 2 : 1), current.allowQuit == !isSecond,
      current.networkTimeout == (isSecond ? 20 : 60), parts.bridge.player.networkTimeout == .seconds(isSecond ? 20 : 60)
    else { return "volume-max is \(current.maximumVolume), allow-quit \(current.allowQuit)" }
    return nil
  }

  private func perform(_ change: PlaylistChange) {
    let path = { (number: Int) in "\(PlaylistChecks.folder)/\(PlaylistChecks.file(number))" }
    switch change {
    case .written(let number, let media):
      _ = disk.makeFolder(Array(PlaylistChecks.folder.utf8))
      disk.put(path(number), Array(media.map { "\(uri($0))\n" }.joined().utf8))
    case .picture(let number):
      guard disk.kind(of: Array(PlaylistChecks.folder.utf8)) == .folder else { return }
      disk.put("\(PlaylistChecks.folder)/\(PlaylistChecks.name(number)).png", [])
    case .removed(let number): disk.remove(Array(path(number).utf8))
    case .folderRemoved: disk.removeFolder(PlaylistChecks.folder)
    case .folderReplaced:
      disk.removeFolder(PlaylistChecks.folder)
      _ = disk.makeFolder(Array(PlaylistChecks.folder.utf8))
    case .configured(let number):
      configuration = abs(number) % Self.configurations.count
      if let text = Self.configurations[configuration] {
        disk.put(Self.configurationFile, Array(text.utf8))
      } else {
        disk.remove(Array(Self.configurationFile.utf8))
      }
    }
  }

  // MARK: The end of a run

  /// Compares all copies for the last time.
  func verify() {
    for _ in 0..<3 {
      for client in bus.clients where client.isConnected { client.perform(.verify) }
      world.run(until: world.now + 6_000_000_000)
    }
  }

  /// Ends the service and its tasks.
  func close() {
    for task in tasks { task.cancel() }
    loop.stop()
    while settle() {}
    loop.runDueTimers()
    while settle() {}
  }
}

/// The player as it is exported; notifies the checks when the service begins to follow it.
private final class ServedView: MPRISTrackListPlayer, MPRISPlaylistPlayer {
  private let player: PlayerBridge
  private let connected: @Sendable () -> Void

  init(_ player: PlayerBridge, connected: @escaping @Sendable () -> Void) {
    self.player = player
    self.connected = connected
  }

  var trackPathPrefix: MPRISTrackPathPrefix { player.trackPathPrefix }
  func snapshot() -> MPRISSnapshot { player.snapshot() }
  func timeline() -> MPRISTimeline { player.timeline() }
  func perform(_ command: MPRISCommand) throws(MPRISCommandError) { try player.perform(command) }
  func tracks() -> [MPRISTrackID] { player.tracks() }
  func metadata(of tracks: [MPRISTrackID]) -> [MPRISMetadata] { player.metadata(of: tracks) }
  func perform(_ command: MPRISTrackListCommand) throws(MPRISCommandError) { try player.perform(command) }
  var playlistOrderings: [MPRISPlaylistOrdering] { player.playlistOrderings }
  func playlists() -> [MPRISPlaylist] { player.playlists() }
  func activePlaylist() -> MPRISPlaylist.ID? { player.activePlaylist() }
  func activate(_ playlist: MPRISPlaylist.ID) throws(MPRISCommandError) { try player.activate(playlist) }

  func events() -> AsyncStream<MPRISPlayerEvent> {
    connected()
    return player.events()
  }
}
