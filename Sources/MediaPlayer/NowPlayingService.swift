import AVFoundation
import DBus
import Glibc
import MPRISService
import Synchronization

/// The centers that are shown together.
struct NowPlayingCenters: Sendable {
  let info: MPNowPlayingInfoCenter
  let commands: MPRemoteCommandCenter

  init(of service: NowPlayingService) {
    info = MPNowPlayingInfoCenter(service)
    commands = MPRemoteCommandCenter { service.changed() }
  }
}

/// Publishes the values of the centers on the session bus, and calls the handlers for the commands of clients.
///
/// The bus's thread reads the last published state. The centers are read, and the handlers called, on the main queue.
final class NowPlayingService: LateMPRISPlayer {
  private struct State {
    var identity: MPNowPlayingInfoCenter.Identity
    /// The centers of the program; nil after the end.
    var centers: NowPlayingCenters?
    /// The active session; nil for none.
    var session: Session?
    /// Nil before the first publication.
    var published: NowPlayingState?
    /// Whether a publication is queued.
    var isScheduled = false
    var task: Task<Void, Never>?
    /// The commands that wait for the main queue.
    var waiting = 0
    /// The number of infos so far.
    var revision: UInt64 = 0
  }

  /// The centers of a session, and the function that reports a change of its activity.
  private struct Session {
    let centers: NowPlayingCenters
    let changed: @Sendable () -> Void
  }

  /// The limit of commands that wait for the main queue.
  static let waitingLimit = 100

  private let state: Mutex<State>
  private let broadcaster = EventBroadcaster()
  private let artwork: ArtworkFiles
  private let address: @Sendable () -> String?
  private let activity: PlaybackActivity
  /// Returns the time.
  let now: @Sendable () -> Duration

  init(
    identity: MPNowPlayingInfoCenter.Identity, artwork: ArtworkFiles, activity: PlaybackActivity,
    address: @escaping @Sendable () -> String? = { DBusConnection.sessionBusAddress() },
    now: @escaping @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }
  ) {
    state = Mutex(State(identity: identity))
    (self.artwork, self.activity, self.address, self.now) = (artwork, activity, address, now)
    let centers = NowPlayingCenters(of: self)
    state.withLock { $0.centers = centers }
    activity.observe { [weak self] in self?.changed() }
  }

  /// The service of the program.
  static let shared: NowPlayingService = {
    let name = ProcessInfo.processInfo.processName
    let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    let service = NowPlayingService(
      identity: .main,
      artwork: ArtworkFiles(
        in: (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("\(name)/now-playing")),
      activity: .shared)
    atexit { NowPlayingService.shared.artwork.remove() }
    return service
  }()
}

// MARK: - Publication

extension NowPlayingService {
  /// The centers of the program.
  var centers: NowPlayingCenters { state.withLock { $0.centers } ?? NowPlayingCenters(of: self) }

  /// The centers that are shown; nil after the end.
  private var shown: NowPlayingCenters? { state.withLock { $0.session?.centers ?? $0.centers } }

  /// Whether centers belong to the active session.
  func shows(_ centers: NowPlayingCenters) -> Bool { state.withLock { $0.session?.centers.info === centers.info } }

  /// Shows the centers of a session; `changed` is called on the main queue, now and when another session is shown.
  func show(_ centers: NowPlayingCenters, changed: @escaping @Sendable () -> Void) {
    if !shows(centers) { show(Session(centers: centers, changed: changed), insteadOf: nil) }
  }

  /// Ends the session with these centers, if it is active.
  func hide(_ centers: NowPlayingCenters) { show(nil, insteadOf: centers) }

  /// Shows a session or none; only instead of one with these centers, if they are given.
  private func show(_ session: Session?, insteadOf centers: NowPlayingCenters?) {
    let changes = state.withLock { state -> [Session] in
      let old = state.session
      if let centers, old?.centers.info !== centers.info { return [] }
      state.session = session
      return [old, session].compactMap { $0 }
    }
    guard !changes.isEmpty else { return }
    changed()
    MainQueue.async { for session in changes { session.changed() } }
  }

  var identity: MPNowPlayingInfoCenter.Identity {
    get { state.withLock { $0.identity } }
    set { state.withLock { $0.identity = newValue } }
  }

  /// Returns the number of a new info.
  func nextRevision() -> UInt64 {
    state.withLock { state in
      state.revision += 1
      return state.revision
    }
  }

  /// Publishes a change at the end of the present turn of the main queue; called on any thread.
  func changed() {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { MainQueue.async { [self] in publish() } }
  }

  /// Publishes the values of the centers; called on the main queue.
  private func publish() {
    state.withLock { $0.isScheduled = false }
    guard let centers = shown else { return }
    let content = centers.info.content
    let info = NowPlayingInfo(content.info)
    let artwork = info == nil ? nil : content.info?[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork
    let input = NowPlayingState.Input(
      info: info, revision: content.revision, time: content.time, artURL: self.artwork.url(of: artwork),
      playbackState: content.playbackState, isPlaying: activity.hasPlayed ? activity.isPlaying : nil,
      commands: centers.commands.offered)
    let now = now()
    let (event, isFirst) = state.withLock { state in
      guard input.info != nil || input.commands.isAny || state.published != nil else {
        return (MPRISPlayerEvent?.none, false)
      }
      let isFirst = state.published == nil
      var published = state.published ?? NowPlayingState(state.identity)
      let event = published.update(to: input, at: now)
      state.published = published
      return (event, isFirst)
    }
    if isFirst { start() } else if let event { broadcaster.send(event) }
  }

  /// Appears on the bus; without a bus, nothing happens.
  private func start() {
    let service = MPRISService(identity: identity.name, player: self, address: address)
    let task = Task(executorPreference: globalConcurrentExecutor) { _ = try? await service.run() }
    state.withLock { $0.task = task }
  }

  /// Leaves the bus, and forgets the centers.
  func end() async {
    let task = state.withLock { state in
      (state.centers, state.session) = (nil, nil)
      return state.task
    }
    task?.cancel()
    await task?.value
    artwork.remove()
  }
}

// MARK: - MPRIS

extension NowPlayingService {
  func snapshot() -> MPRISSnapshot {
    let published = state.withLock { $0.published }
    return published?.snapshot(at: now()) ?? MPRISSnapshot()
  }

  func events() -> AsyncStream<MPRISPlayerEvent> { broadcaster.events() }

  func perform(_ command: MPRISCommand, reply: @escaping @Sendable (DBusError?) -> Void) {
    let isAccepted = state.withLock { state in
      guard state.waiting < Self.waitingLimit else { return false }
      state.waiting += 1
      return true
    }
    guard isAccepted else {
      return reply(.limitsExceeded("\(Self.waitingLimit) commands wait for the main queue of the program"))
    }
    MainQueue.async { [self] in
      state.withLock { $0.waiting -= 1 }
      reply(carryOut(command))
    }
  }

  /// Calls the handlers for a command, and publishes their changes; on the main queue.
  private func carryOut(_ command: MPRISCommand) -> DBusError? {
    guard let event = shown?.commands.event(for: command, in: snapshot()) else {
      return .notSupported("the program has no handler for this command")
    }
    let status = event.command.send(event)
    publish()
    return switch status {
    case .success: nil
    case .noSuchContent: .failed("the content does not exist")
    case .noActionableNowPlayingItem: .failed("there is no item for this command")
    case .deviceNotFound: .failed("the device was not found")
    case .commandFailed: .failed("the program could not carry out the command")
    }
  }
}

extension MPNowPlayingInfoCenter.Identity {
  /// The identity from the main bundle, or from the name of the executable.
  fileprivate static var main: Self {
    let executable = ProcessInfo.processInfo.processName
    let keys = ["CFBundleDisplayName", "CFBundleName"]
    let names = keys.compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }.filter { !$0.isEmpty }
    return Self(name: names.first ?? executable, desktopEntry: Bundle.main.bundleIdentifier ?? executable)
  }
}
