package import DBus
import Glibc
import MPRISService

/// Exports `org.playerd.Monitor1`: buffering, exact position, boundaries and track ends, without polling.
///
/// All work runs on the connection's thread. An observer belongs to the client connection that added it, and is removed
/// with that connection. If the bus is lost, all observers are removed; create a new service on a new connection.
package actor MonitorService {
  private let player: any MonitoredPlayer
  private let connection: DBusConnection
  private let path: ObjectPath
  /// Returns the present microseconds of `CLOCK_MONOTONIC`.
  private let monotonic: @Sendable () -> Int64
  private var object: DBusExportedObject<MonitorSnapshot>?
  private var boundaryDetector = TrackBoundaryDetector(MonitorSnapshot())
  /// The last snapshot that was passed to ``publish(_:)``; its ranges may wait.
  private var latest = MonitorSnapshot()
  private var ranges = RangeThrottle()
  private var observers = MonitorObservers<any AnyObject & Sendable>()
  /// For each connection with observers, the task that waits for its end.
  private var watches: [BusName: Task<Void, Never>] = [:]
  private var gate: Task<Void, Never>?

  /// The executor of the connection, so that signals are sent without a thread hop.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  /// Creates the service of a player; nothing is exported yet.
  package init(
    _ player: any MonitoredPlayer, on connection: DBusConnection, at path: ObjectPath,
    monotonic: @escaping @Sendable () -> Int64 = monotonicMicroseconds
  ) {
    self.player = player
    self.connection = connection
    self.path = path
    self.monotonic = monotonic
  }

  deinit {
    gate?.cancel()
    for watch in watches.values { watch.cancel() }
  }

  /// Exports the object together with other interfaces; ``begin(showing:)`` follows.
  package func export(beside interfaces: [DBusInterface<MonitorSnapshot>] = []) async throws(DBusError) {
    object = try await connection.export(at: path, [MonitorInterface.rows(of: self)] + interfaces) { [weak self] in
      self?.assumeIsolated { $0.readable($0.player.monitorSnapshot()) } ?? MonitorSnapshot()
    }
  }

  /// Publishes the first state, to which ``publish(_:)`` and ``emit(_:_:)`` add the changes.
  package func begin(showing snapshot: MonitorSnapshot) {
    boundaryDetector = TrackBoundaryDetector(snapshot)
    publish(snapshot)
  }
}

// MARK: - Events

extension MonitorService {
  /// Emits the signal of an event; `snapshot` is the snapshot on which the event was decided.
  package func emit(_ event: MonitorEvent, _ snapshot: MonitorSnapshot) {
    switch event {
    case .changed: emit(boundaryDetector.follow(snapshot))
    case .trackChanged(let track):
      // A decision may pass several short tracks; the last one is audible.
      if track == snapshot.track { emit(boundaryDetector.follow(snapshot)) }
    case .queueEnded: emit(boundaryDetector.ended())
    case .trackEnded(let track): send(MonitorInterface.itemDidPlayToEnd, .track(track))
    case .trackFailed(let track, let failure):
      send(MonitorInterface.itemFailedToPlayToEnd, .track(track), .string(failure.code), .string(failure.message))
    case .stalled(let track, let position): send(MonitorInterface.playbackStalled, .track(track), .time(position))
    case .jumped(let track, let from, let to):
      send(MonitorInterface.timeJumped, .track(track), .time(from), .time(to))
    case .aboutToFinish(let track, let remaining):
      send(MonitorInterface.aboutToFinish, .track(track), .time(remaining))
    case .chapterChanged(let track, let index, let title):
      send(MonitorInterface.chapterChanged, .track(track), .int32(Int32(clamping: index ?? -1)), .string(title))
    }
  }

  private func emit(_ boundary: TrackBoundaryDetector.Boundary?) {
    guard let boundary else { return }
    send(
      MonitorInterface.trackBoundary, .track(boundary.ended), .track(boundary.started),
      .int64(boundary.monotonicMicroseconds ?? monotonic()))
  }

  /// Returns the snapshot that clients can read.
  private func readable(_ snapshot: MonitorSnapshot) -> MonitorSnapshot {
    ranges.pass(snapshot, at: connection.clock.now)
  }

  /// Publishes the changed properties of all interfaces of the object, in the order of their export.
  package func publish(_ snapshot: MonitorSnapshot) {
    latest = snapshot
    guard let object else { return }
    let shown = readable(snapshot)
    connection.assumeIsolated { $0.publish(object, showing: shown) }
    guard gate == nil, let wait = ranges.wait(for: snapshot, at: connection.clock.now) else { return }
    gate = Task(executorPreference: connection.taskExecutor) { [weak self, clock = connection.clock] in
      // Throws if the task is cancelled or the loop stops.
      guard (try? await clock.sleep(for: wait)) != nil, !Task.isCancelled else { return }
      await self?.gateOpened()
    }
  }

  private func gateOpened() {
    gate = nil
    publish(latest)
  }

  private func send(_ signal: DBusSignal, _ values: DBusValue..., to owner: BusName? = nil) {
    connection.assumeIsolated { [path] in
      // Fails only if the connection is lost or the bus does not read; then no client can receive the signal.
      try? $0.emit(signal.name, of: MonitorInterface.name, at: path, values, to: owner)
    }
  }
}

// MARK: - Observers

extension MonitorService {
  func add(_ observation: MonitorObservation, for owner: BusName) throws(DBusError) -> UInt32 {
    let id = try observers.add(observation, for: owner)
    do throws(DBusError) {
      observers.keep(try token(for: observation, id), for: id)
    } catch {
      try observers.remove(id, of: owner)
      throw error
    }
    if watches[owner] == nil { watches[owner] = watch(owner) }
    return id
  }

  private func token(
    for observation: MonitorObservation, _ id: UInt32
  ) throws(DBusError) -> any AnyObject & Sendable {
    try refusing { () throws(MPRISCommandError) in
      try player.observeTime(observation) { [weak self, connection] notice in
        connection.runOrEnqueue { [weak self] _ in self?.assumeIsolated { $0.emit(notice, of: id) } }
      }
    }
  }

  /// Sends a notice; an observer that has been removed is not notified.
  private func emit(_ notice: MonitorNotice, of id: UInt32) {
    guard let owner = observers.owner(of: id) else { return }
    switch notice {
    case .time(let track, let position):
      send(MonitorInterface.periodicTime, .uint32(id), .track(track ?? .noTrack), .time(position), to: owner)
    case .boundary(let track, let boundary, let position, let instant):
      send(
        MonitorInterface.boundaryReached, .uint32(id), .track(track), .time(boundary), .time(position), .int64(instant),
        to: owner)
    case .lyrics(let start, let end, let text):
      send(MonitorInterface.lyricsLine, .time(start), .int64(end?.microseconds ?? -1), .string(text), to: owner)
    }
  }

  func lyrics() -> [MonitoredLyricsLine] { player.lyrics() }

  func remove(_ id: UInt32, of owner: BusName) throws(DBusError) {
    try observers.remove(id, of: owner)
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
    watches[owner] = nil
  }
}

/// Returns the current time in microseconds of `CLOCK_MONOTONIC`, which clients on the same machine can read too.
package func monotonicMicroseconds() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
