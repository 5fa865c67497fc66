import DBus
import EventLoop
import Logging
import MPRISService
import PlayerdInterfaces

/// Connects the daemon to the session bus: requests its names, serves the player, and reconnects if the bus is lost.
///
/// Playback never waits for the bus.
actor BusConnector {
  /// The result of requesting the daemon's own name.
  enum Claim {
    case claimed
    /// Another instance owns the name.
    case taken(DBusConnection, BusName)
    /// No bus is available, for this reason.
    case noBus(String)
  }

  private let instance: InstanceName
  private let log: Logger
  /// Called once: when the names are owned, or when no bus is available.
  private var ready: (@Sendable () -> Void)?
  /// The connection and its event loop; the loop runs with or without a bus.
  private let bus = ReconnectingDBusConnection(on: PollLoop(name: "dbus"))
  nonisolated var loop: PollLoop { bus.loop }
  private var connection: DBusConnection?
  /// The task that serves the player.
  private var serving: Task<Void, Never>?
  /// Whether the daemon is shutting down; calls then fail, which is expected and not logged.
  private var isLeaving = false

  init(instance: InstanceName, log: Logger, ready: @escaping @Sendable () -> Void) {
    self.instance = instance
    self.log = log
    self.ready = ready
  }

  /// Connects and requests the daemon's own name.
  func claim() async -> Claim {
    do throws(DBusError) {
      let connection = try await bus.open()
      let name = try PlayerdName.own(instance)
      guard try await claim(name, on: connection) else { return .taken(connection, name) }
      self.connection = connection
      return .claimed
    } catch {
      return .noBus("no session bus: \(error.message)")
    }
  }

  /// Requests a name before the player is exported, so that a second start finds this one.
  ///
  /// All calls wait until the player is exported: a client whose call activates the daemon need not call again.
  private func claim(_ name: BusName, on connection: DBusConnection) async throws(DBusError) -> Bool {
    await connection.holdCalls()
    let isClaimed = try await connection.requestName(name)
    if !isClaimed { await connection.handleHeldCalls() }
    return isClaimed
  }

  /// Returns the volume of the main instance, on the scale of MPRIS; nil if this is the main instance, if none runs, or if it
  /// does not reply within 2 s.
  func mainVolume() async -> Double? {
    guard instance != .main, let connection, let name = try? PlayerdName.mpris(.main),
      let owner = await connection.owner(of: name)
    else { return nil }
    let properties: [DBusValue] = [.string(PlayerInterface.name.rawValue), .string("Volume")]
    let reply = try? await connection.call(
      on: owner, at: MPRISService.path, of: "org.freedesktop.DBus.Properties", "Get", properties, timeout: .seconds(2))
    return reply?.first?.asVariant?.asDouble
  }

  /// Requests the name of MPRIS while the player is made; calls to it wait as well.
  ///
  /// Without it, ``serve(_:with:beside:)`` requests the name, and reports if another program owns it.
  func announce() async {
    guard let connection, let name = try? PlayerdName.mpris(instance) else { return }
    _ = try? await connection.requestName(name)
  }

  /// Serves the player until ``close()``; reconnects with increasing delays if the bus is lost.
  ///
  /// The other `interfaces` are exported beside Monitor1 at `/org/playerd`, and `others` follows the other players. `lost` is called with true after each loss of
  /// the bus, and with false when it is there again.
  ///
  /// A cancellation does not end it: the names are released after the session has been saved, so that the daemon that
  /// takes them next loads that session.
  func serve(
    _ player: PlayerBridge, with publisher: BusPublisher, beside interfaces: [DBusInterface<MonitorSnapshot>],
    others: PauseOthers, lost: @escaping @Sendable (Bool) -> Void
  ) async {
    guard !isLeaving else { return }
    let task = Task(executorPreference: LoopTaskExecutor(loop)) { [self] in
      await run(player, publisher, interfaces, others, lost)
    }
    serving = task
    await task.value
  }

  private func run(
    _ player: PlayerBridge, _ publisher: BusPublisher, _ interfaces: [DBusInterface<MonitorSnapshot>],
    _ others: PauseOthers, _ isLost: @Sendable (Bool) -> Void
  ) async {
    if connection == nil { tellReady() }
    await bus.run(from: connection) { connection throws(DBusError) in
      try await reclaim(on: connection)
      isLost(false)
    } lost: {
      connection = nil
      isLost(true)
      log.warning("lost the connection to the session bus; playback continues")
    } serve: { connection in
      await serve(player, publisher, interfaces, others, on: connection)
    }
  }

  private func serve(
    _ player: PlayerBridge, _ publisher: BusPublisher, _ interfaces: [DBusInterface<MonitorSnapshot>],
    _ others: PauseOthers, on connection: DBusConnection
  ) async {
    do throws(DBusError) {
      let service = MonitorService(publisher.monitor, on: connection, at: PlayerdName.object)
      try await service.export(beside: interfaces)
      await publisher.attach(service)
      let exported = MPRISExportedPlayer(player, on: connection)
      let name = try PlayerdName.mpris(instance)
      if try await !exported.announce(as: name) { log.warning("\(name) is owned by another program") }
      await connection.handleHeldCalls()
      tellReady()
      await withTaskGroup { group in
        group.addTask(executorPreference: LoopTaskExecutor(loop)) { await others.run(on: connection) }
        await publisher.run(exported, until: connection)
        group.cancelAll()
      }
    } catch {
      // The next connection may work.
      await connection.close()
      guard !isLeaving else { return }
      log.error("cannot serve MPRIS: \(error.message)")
    }
  }

  private func tellReady() {
    ready?()
    ready = nil
  }

  private func reclaim(on connection: DBusConnection) async throws(DBusError) {
    let name = try PlayerdName.own(instance)
    if try await !claim(name, on: connection) { log.warning("\(name) is now owned by another program") }
    self.connection = connection
    log.notice("reconnected to the session bus")
  }

  /// Leaves the bus.
  func close() async {
    isLeaving = true
    serving?.cancel()
    await serving?.value
    await connection?.close()
    connection = nil
    bus.loop.stop()
  }
}
