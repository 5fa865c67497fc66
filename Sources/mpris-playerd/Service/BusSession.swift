import DBus
import EventLoop
import Logging
import MPRISService
import PlayerdInterfaces

/// The daemon on the session bus: claims its names, serves, and comes back when the bus does.
///
/// Music never waits for it.
actor BusSession {
  /// What became of claiming the daemon's own name.
  enum Claim {
    case claimed
    /// Another instance has the name.
    case taken(Connection, BusName)
    /// There is no bus, for this reason.
    case noBus(String)
  }

  private static let firstBackOff = Duration.milliseconds(500)
  private static let longestBackOff = Duration.seconds(10)

  private let instance: InstanceName
  private let log: Logger
  /// Called once: when the names are owned, or when there is no bus for them.
  private var ready: (@Sendable () -> Void)?
  /// What the bus is heard on; it runs whether there is a bus or not.
  let loop = EventLoop(name: "dbus")
  /// What is beside the monitor at `/org/playerd`.
  let extras = ExtrasInterface()
  let control: ControlInterface
  private var connection: Connection?
  /// What is at `/org/playerd` of the connection.
  private var service: MonitorService?
  /// That a call fails because the daemon leaves is no news.
  private var isLeaving = false

  init(
    instance: InstanceName, log: Logger,
    open: @escaping @Sendable (OpenRequest, @escaping @Sendable (OpenReport) -> Void) -> Void,
    ready: @escaping @Sendable () -> Void
  ) {
    self.instance = instance
    self.log = log
    control = ControlInterface { uris, options, reply throws(DBusError) in
      open(try OpenRequest(uris: uris, options: options), reply)
    }
    self.ready = ready
  }

  /// Connects and asks for the daemon's own name.
  func claim() async -> Claim {
    guard let address = Connection.sessionBusAddress() else {
      return .noBus("no session bus")
    }
    do {
      let connection = try await Connection.open(address: address, on: loop)
      let name = try Names.own(instance)
      guard try await claim(name, on: connection) else { return .taken(connection, name) }
      self.connection = connection
      return .claimed
    } catch {
      return .noBus("no session bus: \(error.message)")
    }
  }

  private func claim(_ name: BusName, on connection: Connection) async throws(DBusError) -> Bool {
    let service = MonitorService(on: connection, at: PlayerdName.object)
    try await service.export(beside: [control.rows, extras.rows.reading { $0.extras }])
    self.service = service
    return try await connection.requestName(name)
  }

  /// Serves the player until cancelled; when the bus goes, tries again with a growing pause.
  func serve(_ player: PlayerBridge, watchedBy monitor: MonitorBridge) async {
    var backOff = Self.firstBackOff
    if connection == nil { tellReady() }
    while !Task.isCancelled {
      if let connection {
        await service?.attach(monitor)
        await serve(player, on: connection)
        service = nil
        self.connection = nil
        if Task.isCancelled { return }
        log.warning("the session bus is gone; playing on")
        backOff = Self.firstBackOff
      }
      do {
        try await LoopClock(loop).sleep(for: backOff)
      } catch {
        return
      }
      backOff = min(backOff * 2, Self.longestBackOff)
      await reconnect()
    }
  }

  private func serve(_ player: PlayerBridge, on connection: Connection) async {
    do throws(DBusError) {
      let service = MPRISService(player, on: connection)
      let name = try Names.mpris(instance)
      if try await !service.announce(as: name) { log.warning("\(name) has another owner") }
      tellReady()
      await withTaskGroup { group in
        group.addTask(executorPreference: connection.taskExecutor) { await service.run() }
        group.addTask(executorPreference: connection.taskExecutor) { await connection.closed() }
        await group.next()
        group.cancelAll()
      }
    } catch {
      guard !isLeaving else { return }
      log.error("MPRIS cannot be served: \(error.message)")
    }
  }

  private func tellReady() {
    ready?()
    ready = nil
  }

  private func reconnect() async {
    guard let address = Connection.sessionBusAddress(),
      let connection = try? await Connection.open(address: address, on: loop)
    else { return }
    do {
      let name = try Names.own(instance)
      if try await !claim(name, on: connection) { log.warning("\(name) has another owner now") }
      self.connection = connection
      log.notice("back on the session bus")
    } catch {
      log.debug("\(error.message)")
    }
  }

  /// Leaves the bus.
  func close() async {
    isLeaving = true
    await connection?.close()
    connection = nil
    loop.stop()
  }
}
