public import DBus
import Glibc
import MPRISService
import Synchronization

/// Serves `org.playerd.Monitor1`: buffering, exact position, boundaries and ends, so that no client has to poll.
///
/// Everything runs on the connection's thread. Observers belong to the connection of whoever added them and go with it;
/// when the bus is lost, all go, and a new service on a new connection takes over.
public actor MonitorService {
  private let connection: Connection
  private let path: ObjectPath
  private let board = MonitorBoard()
  private var object: ExportedObject<MonitorSnapshot>?
  private var player: (any MonitoredPlayer)?
  private var news: (any MonitorToken)?
  private var heard = HeardTrack(MonitorSnapshot())
  private var observers = MonitorObservers<any MonitorToken>()
  /// Those that were asked for before there was a player.
  private var early: [UInt32: MonitorObservation] = [:]
  /// For each connection that observes, who waits for its end.
  private var watches: [BusName: Task<Void, Never>] = [:]
  private var gate: Task<Void, Never>?
  private let backlog = Backlog()

  /// The connection's own thread: what is decided here is sent without a hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  /// Prepares to serve; nothing is seen on the bus yet.
  public init(on connection: Connection, at path: ObjectPath) {
    self.connection = connection
    self.path = path
  }

  deinit {
    gate?.cancel()
    for watch in watches.values { watch.cancel() }
  }

  /// Exports the object, with whatever other interfaces it has.
  ///
  /// Until there is a player it shows one with nothing loaded.
  public func export(beside interfaces: [Interface<MonitorSnapshot>] = []) async throws(DBusError) {
    let rows = MonitorInterface(
      add: { [weak self] observation, owner throws(DBusError) in
        try Self.onThread(of: self) { (service) throws(DBusError) in try service.add(observation, for: owner) }
      },
      remove: { [weak self] id, owner throws(DBusError) in
        try Self.onThread(of: self) { (service) throws(DBusError) in try service.remove(id, of: owner) }
      }
    ).rows
    object = try await connection.export(at: path, [rows] + interfaces) { [board] in board.readable(board.live()) }
  }

  /// Begins to tell of a player, and to ask it for what has been observed already.
  public func attach(_ player: any MonitoredPlayer) {
    self.player = player
    board.show(player)
    heard = HeardTrack(player.monitorSnapshot())
    news = player.observeMonitorEvents { [weak self, connection] news in
      connection.enqueue { [weak self] _ in self?.assumeIsolated { $0.tell(news) } }
    }
    for (id, observation) in early.sorted(by: { $0.key < $1.key }) {
      if let token = try? token(for: observation, id) { observers.keep(token, for: id) }
    }
    early = [:]
    publish(board.live())
  }

  /// A method's handler runs on the connection's thread, but in no task.
  private static func onThread<Result: Sendable>(
    of service: MonitorService?, _ body: @Sendable (isolated MonitorService) throws(DBusError) -> Result
  ) throws(DBusError) -> Result {
    guard let service else { throw .disconnected("the service has ended") }
    let result = service.assumeIsolated { service in
      Swift.Result { () throws(DBusError) in try body(service) }
    }
    return try result.get()
  }
}

// MARK: - News

extension MonitorService {
  private func tell(_ news: MonitorNews) {
    guard let player else { return }
    switch news.event {
    case .changed:
      let snapshot = player.monitorSnapshot()
      // Overtaken by a change of track: its own news are on their way, and the same again after them.
      guard heard.isCurrent(snapshot) else { return }
      tell(heard.look(at: snapshot))
      publish(snapshot)
    case .trackChanged(let track):
      tell(heard.changed(to: track))
      tell(heard.look(at: player.monitorSnapshot()))
    case .queueEnded: tell(heard.ended())
    default:
      if let signal = MonitorSignal(news.event) { send(signal) }
      if case .chapterChanged = news.event { publish(player.monitorSnapshot()) }
    }
    news.afterwards()
  }

  private func tell(_ boundary: HeardTrack.Boundary?) {
    if let boundary { send(MonitorSignal(boundary, now: monotonicMicroseconds())) }
  }

  private func publish(_ snapshot: MonitorSnapshot) {
    guard let object else { return }
    let shown = board.readable(snapshot)
    connection.assumeIsolated { $0.publish(object, showing: shown) }
    guard gate == nil, let wait = board.wait(for: snapshot) else { return }
    gate = Task(executorPreference: connection.taskExecutor) { [weak self, clock = connection.clock] in
      try? await clock.sleep(for: wait)
      if !Task.isCancelled { await self?.gateOpened() }
    }
  }

  private func gateOpened() {
    gate = nil
    publish(board.live())
  }

  private func send(_ signal: MonitorSignal, to owner: BusName? = nil) {
    connection.assumeIsolated { [path] in
      // Fails only when the connection is lost or the bus does not read: nobody would hear it then.
      try? $0.emit(signal.name, of: MonitorInterface.name, at: path, signal.values, to: owner)
    }
  }
}

// MARK: - Observers

extension MonitorService {
  private func add(_ observation: MonitorObservation, for owner: BusName) throws(DBusError) -> UInt32 {
    let id = try observers.add(for: owner, boundaries: observation.boundaries)
    if player == nil {
      early[id] = observation
    } else {
      do {
        observers.keep(try token(for: observation, id), for: id)
      } catch {
        try observers.remove(id, of: owner)
        throw error
      }
    }
    if watches[owner] == nil { watches[owner] = watch(owner) }
    return id
  }

  private func token(for observation: MonitorObservation, _ id: UInt32) throws(DBusError) -> any MonitorToken {
    guard let player else { throw .failed("there is no player yet") }
    return try refusing { () throws(CommandError) in
      try player.observeTime(observation) { [weak self, connection, backlog] notice in
        guard backlog.takes(notice) else { return }
        connection.enqueue { [weak self] _ in
          backlog.left()
          self?.assumeIsolated { $0.tell(notice, of: id) }
        }
      }
    }
  }

  /// An observer that was removed meanwhile hears nothing more.
  private func tell(_ notice: MonitorNotice, of id: UInt32) {
    if let owner = observers.owner(of: id) { send(MonitorSignal(notice, of: id), to: owner) }
  }

  private func remove(_ id: UInt32, of owner: BusName) throws(DBusError) {
    try observers.remove(id, of: owner)
    early[id] = nil
    if !observers.concern(owner) { watches.removeValue(forKey: owner)?.cancel() }
  }

  /// Only who observes is watched: the bus tells nothing of all others.
  private func watch(_ owner: BusName) -> Task<Void, Never> {
    Task(executorPreference: connection.taskExecutor) { [weak self, connection] in
      await connection.untilGone(owner)
      if !Task.isCancelled { await self?.forget(owner) }
    }
  }

  private func forget(_ owner: BusName) {
    observers.removeAll(of: owner)
    early = early.filter { observers.owner(of: $0.key) != nil }
    watches[owner] = nil
  }
}

/// What readers see, of whatever player there is.
private final class MonitorBoard: Sendable {
  private struct State {
    var player: (any MonitoredPlayer)?
    var ranges = RangeGate()
  }

  private let state = Mutex(State())
  private let start = SuspendingClock.now

  private var now: Duration { start.duration(to: .now) }

  func show(_ player: any MonitoredPlayer) { state.withLock { $0.player = player } }

  /// Returns what readers see of a snapshot.
  func readable(_ snapshot: MonitorSnapshot) -> MonitorSnapshot {
    state.withLock { $0.ranges.pass(snapshot, at: now) }
  }

  /// Returns how long parts of a snapshot are held back; nil when none are.
  func wait(for snapshot: MonitorSnapshot) -> Duration? { state.withLock { $0.ranges.wait(for: snapshot, at: now) } }

  func live() -> MonitorSnapshot {
    state.withLock { $0.player }?.monitorSnapshot() ?? MonitorSnapshot()
  }
}

/// How many notices wait for the connection's thread: periodic ones in excess are dropped, the next one is as good.
private final class Backlog: Sendable {
  private static let most = 4096
  private let waiting = Atomic(0)

  func takes(_ notice: MonitorNotice) -> Bool {
    if case .time = notice, waiting.load(ordering: .relaxed) >= Self.most { return false }
    waiting.add(1, ordering: .relaxed)
    return true
  }

  func left() { waiting.subtract(1, ordering: .relaxed) }
}

/// The present, as clients of the same machine read it: microseconds of `CLOCK_MONOTONIC`.
package func monotonicMicroseconds() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
