import DBus
import EventLoop
import Logging
import MPRISService
import Playback
import PlayerdSystem

/// Registers the player at BlueZ, so that headsets and car stereos control and display it without mpris-proxy.
///
/// It never starts BlueZ, and does nothing without a system bus. The signals are sent only to BlueZ, because all users of the
/// machine can read broadcast signals on the system bus.
///
/// <https://github.com/bluez/bluez/blob/master/doc/org.bluez.Media.rst>
struct BluetoothButtons: Sendable {
  private static let service: BusName = "org.bluez"
  private static let media: InterfaceName = "org.bluez.Media1"

  let player: PlayerBridge
  let publisher: BusPublisher
  let loop: PollLoop
  let log: Logger

  /// Follows BlueZ until the task is cancelled; ends at once without a system bus.
  func run() async {
    await withTaskExecutorPreference(LoopTaskExecutor(loop)) {
      let first: DBusConnection
      do throws(DBusError) {
        first = try await DBusConnection.open(address: DBusConnection.systemBusAddress(), on: loop)
      } catch {
        return log.debug("the system bus is not available: \(error.message)")
      }
      let bus = ReconnectingDBusConnection(on: loop) { DBusConnection.systemBusAddress() }
      await bus.run(from: first, prepare: { _ in }, serve: { await serve(on: $0) })
    }
  }

  /// Follows each start of BlueZ until the bus is lost.
  private func serve(on connection: DBusConnection) async {
    do throws(DBusError) {
      for await owner in try await connection.owners(of: Self.service) {
        guard let owner else { continue }
        do throws(DBusError) {
          try await follow(owner, on: connection)
        } catch {
          log.debug("cannot register the player at BlueZ: \(error.message)")
        }
      }
    } catch {
      log.debug("cannot follow BlueZ: \(error.message)")
    }
  }

  /// Keeps the player registered at the adapters of one process of BlueZ, until that ends.
  private func follow(_ owner: BusName, on connection: DBusConnection) async throws(DBusError) {
    let signals = try await connection.signals(from: owner, path: "/", interface: .objectManager)
    let exported = MPRISExportedPlayer(player, on: connection, to: owner)
    try await exported.export()
    let (events, inbox) = AsyncStream.makeStream(of: BluetoothRegistration.Event.self)
    let others = await OtherPlayers.open(on: loop)
    if let others, player.coordinator.snapshot.status != .playing, await others.arePlaying() {
      inbox.yield(.otherPlays)
    }
    await withTaskGroup { group in
      let executor = LoopTaskExecutor(loop)
      group.addTask(executorPreference: executor) { await publisher.publish(exported, until: connection) }
      if let others { group.addTask(executorPreference: executor) { await others.follow { inbox.yield(.otherPlays) } } }
      group.addTask(executorPreference: executor) { await followPlayback(inbox) }
      group.addTask(executorPreference: executor) {
        var registration = BluetoothRegistration()
        for await event in events {
          for step in registration.steps(for: event) { await perform(step, exported, of: owner, on: connection) }
        }
      }
      let objects = (try? await connection.managedObjects(of: owner, at: "/")) ?? [:]
      for (path, interfaces) in objects where interfaces[Self.media.rawValue] != nil { inbox.yield(.added(path)) }
      for await signal in signals {
        if let event = BluetoothRegistration.Event(signal, Self.media) { inbox.yield(event) }
      }
      group.cancelAll()
    }
    await others?.close()
    await connection.unexport(MPRISService.path)
  }

  /// Reports whether the player plays, also a request that is to play.
  private func followPlayback(_ inbox: AsyncStream<BluetoothRegistration.Event>.Continuation) async {
    let events = player.player.events()
    inbox.yield(.playing(player.coordinator.snapshot.status == .playing))
    for await _ in events { inbox.yield(.playing(player.coordinator.snapshot.status == .playing)) }
  }

  private func perform(
    _ step: BluetoothRegistration.Step, _ exported: MPRISExportedPlayer, of owner: BusName,
    on connection: DBusConnection
  ) async {
    do throws(DBusError) {
      switch step {
      case .register(let adapter):
        try await exported.register(at: adapter, of: Self.media, by: "RegisterPlayer", identity: Names.executable)
        log.debug("registered at the Bluetooth adapter \(adapter)")
      case .unregister(let adapter):
        _ = try await connection.call(
          on: owner, at: adapter, of: Self.media, "UnregisterPlayer", [.objectPath(MPRISService.path)])
        log.debug("unregistered at the Bluetooth adapter \(adapter)")
      }
    } catch {
      log.debug("the Bluetooth adapter does not accept the player: \(error.message)")
    }
  }
}

extension BluetoothRegistration.Event {
  /// Creates the event of a signal of BlueZ's object manager; nil for a signal about other objects.
  fileprivate init?(_ signal: DBusSignalMessage, _ interface: InterfaceName) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].asObjectPath else { return nil }
    switch signal.member {
    case "InterfacesAdded":
      guard [String: [String: DBusValue]](dbusValue: signal.arguments[1])?[interface.rawValue] != nil else {
        return nil
      }
      self = .added(path)
    case "InterfacesRemoved":
      guard signal.arguments[1].asStrings?.contains(interface.rawValue) == true else { return nil }
      self = .removed(path)
    default: return nil
    }
  }
}
