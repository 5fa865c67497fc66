public import DBus
import Glibc
import MPRISService
import Synchronization

/// A service that exports `org.playerd.Monitor1`: buffering, exact position, boundaries and track ends, without
/// polling.
///
/// All work runs on the connection's thread. An observer belongs to the client connection that added it, and is removed
/// with that connection. If the bus is lost, all observers are removed; create a new service on a new connection.
public actor MonitorService {
  private let connection: DBusConnection
  private let path: ObjectPath
  private let board: PublishedMonitorState
  /// Returns the present microseconds of `CLOCK_MONOTONIC`.
  private let monotonic: @Sendable () -> Int64
  private var object: DBusExportedObject<MonitorSnapshot>?
  private var player: (any MonitoredPlayer)?
  private var delivery: (any MonitorToken)?
  private var boundaryDetector = TrackBoundaryDetector(MonitorSnapshot())
  private var observers = MonitorObservers<any MonitorToken>()
  /// The observations that clients requested before the player existed.
  private var early: [UInt32: MonitorObservation] = [:]
  /// For each connection with observers, the task that waits for its end.
  private var watches: [BusName: Task<Void, Never>] = [:]
  private var gate: Task<Void, Never>?
  private let backlog = Backlog()

  /// The executor of the connection, so that signals are sent without a thread hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  /// Creates the service; nothing is exported yet.
  public init(on connection: DBusConnection, at path: ObjectPath) {
    self.init(on: connection, at: path, monotonic: monotonicMicroseconds)
  }

  /// Creates the service with another source of the instants in its signals.
  package init(on connection: DBusConnection, at path: ObjectPath, monotonic: @escaping @Sendable () -> Int64) {
    self.connection = connection
    self.path = path
    self.monotonic = monotonic
    board = PublishedMonitorState(connection.clock)
  }

  deinit {
    gate?.cancel()
    for watch in watches.values { watch.cancel() }
  }

  /// Exports the object together with other interfaces.
  ///
  /// Until the player is attached, the object shows a player with nothing loaded.
  public func export(beside interfaces: [DBusInterface<MonitorSnapshot>] = []) async throws(DBusError) {
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

  /// Starts to publish a player, and registers the early observations with it.
  public func attach(_ player: any MonitoredPlayer) {
    self.player = player
    board.show(player)
    boundaryDetector = TrackBoundaryDetector(player.monitorSnapshot())
    delivery = player.observeMonitorEvents { [weak self, connection] delivery in
      connection.runOrEnqueue { [weak self] _ in self?.assumeIsolated { $0.emit(delivery) } }
    }
    for (id, observation) in early.sorted(by: { $0.key < $1.key }) {
      if let token = try? token(for: observation, id) { observers.keep(token, for: id) }
    }
    early = [:]
    publish(board.live())
  }

  /// Runs `body` on the service; a method's handler runs on the connection's thread, but not in a task.
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

// MARK: - Events

extension MonitorService {
  private func emit(_ delivery: MonitorEventDelivery) {
    guard let player else { return }
    switch delivery.event {
    case .changed:
      let snapshot = player.monitorSnapshot()
      // A track change has overtaken this event: its own event follows, and another `changed` after it.
      guard boundaryDetector.isCurrent(snapshot) else { return }
      emit(boundaryDetector.look(at: snapshot))
      delivery.emitOthers()
      publish(snapshot)
    case .trackChanged(let track):
      emit(boundaryDetector.changed(to: track))
      emit(boundaryDetector.look(at: player.monitorSnapshot()))
      delivery.emitOthers()
    case .jumped:
      delivery.emitOthers()
      sendSignal(of: delivery.event)
    case .queueEnded:
      emit(boundaryDetector.ended())
      delivery.emitOthers()
    default:
      sendSignal(of: delivery.event)
      delivery.emitOthers()
      if case .chapterChanged = delivery.event { publish(player.monitorSnapshot()) }
    }
  }

  private func sendSignal(of event: MonitorEvent) {
    if let signal = MonitorSignal(event) { send(signal) }
  }

  private func emit(_ boundary: TrackBoundaryDetector.Boundary?) {
    if let boundary { send(MonitorSignal(boundary, now: monotonic())) }
  }

  private func publish(_ snapshot: MonitorSnapshot) {
    guard let object else { return }
    let shown = board.readable(snapshot)
    connection.assumeIsolated { $0.publish(object, showing: shown) }
    guard gate == nil, let wait = board.wait(for: snapshot) else { return }
    gate = Task(executorPreference: connection.taskExecutor) { [weak self, clock = connection.clock] in
      // Throws if the task is cancelled or the loop stops.
      guard (try? await clock.sleep(for: wait)) != nil, !Task.isCancelled else { return }
      await self?.gateOpened()
    }
  }

  private func gateOpened() {
    gate = nil
    publish(board.live())
  }

  private func send(_ signal: MonitorSignal, to owner: BusName? = nil) {
    connection.assumeIsolated { [path] in
      // Fails only if the connection is lost or the bus does not read; then no client can receive the signal.
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
    guard let player else { throw .failed("the player has not started yet") }
    return try refusing { () throws(MPRISCommandError) in
      try player.observeTime(observation) { [weak self, connection, backlog] notice in
        guard backlog.takes(notice) else { return }
        connection.runOrEnqueue { [weak self] _ in
          backlog.left()
          self?.assumeIsolated { $0.emit(notice, of: id) }
        }
      }
    }
  }

  /// Sends a notice; an observer that has been removed is not notified.
  private func emit(_ notice: MonitorNotice, of id: UInt32) {
    if let owner = observers.owner(of: id) { send(MonitorSignal(notice, of: id), to: owner) }
  }

  private func remove(_ id: UInt32, of owner: BusName) throws(DBusError) {
    try observers.remove(id, of: owner)
    early[id] = nil
    if !observers.concern(owner) { watches.removeValue(forKey: owner)?.cancel() }
  }

  /// Waits for the end of a connection; only connections with observers are watched.
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

/// The readable state of the player, if there is one.
private final class PublishedMonitorState: Sendable {
  private struct State {
    var player: (any MonitoredPlayer)?
    var ranges = RangeThrottle()
  }

  private let state = Mutex(State())
  private let elapsed: @Sendable () -> Duration

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  func show(_ player: any MonitoredPlayer) { state.withLock { $0.player = player } }

  /// Returns the snapshot that clients can read.
  func readable(_ snapshot: MonitorSnapshot) -> MonitorSnapshot {
    state.withLock { $0.ranges.pass(snapshot, at: elapsed()) }
  }

  /// Returns how long parts of a snapshot are delayed; nil if none are.
  func wait(for snapshot: MonitorSnapshot) -> Duration? {
    state.withLock { $0.ranges.wait(for: snapshot, at: elapsed()) }
  }

  func live() -> MonitorSnapshot {
    state.withLock { $0.player }?.monitorSnapshot() ?? MonitorSnapshot()
  }
}

/// The number of notices that wait for the connection's thread.
///
/// Excess periodic ones are dropped, because the next one replaces them.
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

/// Returns the current time in microseconds of `CLOCK_MONOTONIC`, which clients on the same machine can read too.
package func monotonicMicroseconds() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
