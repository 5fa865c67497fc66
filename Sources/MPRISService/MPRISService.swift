public import DBus
import EventLoop
import Glibc

/// Makes a player an MPRIS player on the session bus.
///
/// ```swift
/// let service = MPRISService(identity: "My Player", player: player)
/// try await service.run()
/// ```
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public struct MPRISService: Sendable {
  /// The object path of every MPRIS player.
  public static let path: ObjectPath = "/org/mpris/MediaPlayer2"

  /// The prefix of the bus names of all players.
  public static let busNamePrefix = RootInterface.name.rawValue + "."

  /// The display name of the player; it applies if ``MPRISSnapshot/identity`` is empty.
  public let identity: String
  /// The name of the player in commands such as `playerctl --player=my_player`.
  ///
  /// The bus name is `org.mpris.MediaPlayer2.` followed by this name.
  public let name: String
  private let player: any MPRISPlayer
  /// Returns the address of the session bus.
  private let address: @Sendable () -> String?

  /// Creates the service; nothing is connected or exported yet.
  ///
  /// - Parameters:
  ///   - identity: The display name, such as `My Player`; not empty.
  ///   - name: The name for commands; by default `identity` in lower case, in which each sequence of other characters
  ///     than ASCII letters and digits is an underscore.
  ///   - player: The player; it is called on the service's thread.
  public init(identity: String, name: String? = nil, player: any MPRISPlayer) {
    self.init(identity: identity, name: name, player: player) { DBusConnection.sessionBusAddress() }
  }

  /// Creates a service on a bus of the caller's choice.
  package init(
    identity: String, name: String? = nil, player: any MPRISPlayer, address: @escaping @Sendable () -> String?
  ) {
    self.address = address
    self.identity = identity
    self.name = name ?? ServiceName.element(of: identity)
    self.player = player
  }

  /// Connects to the session bus and serves the player until the task is cancelled or the player's events end.
  ///
  /// If another program owns the bus name, the service adds the suffix `.instance` and its process ID, as the
  /// specification demands. If the bus is lost, the player continues without it, and the service connects again: first
  /// after 500 ms, later with increasing delays up to 10 s. The bus name is released when this function returns.
  ///
  /// - Throws: ``MPRISServiceError`` if the service cannot start.
  public func run() async throws(MPRISServiceError) {
    let loop = PollLoop(name: "mpris")
    defer { loop.stop() }
    let outcome = await withTaskExecutorPreference(LoopTaskExecutor(loop)) { await serve(on: loop) }
    try outcome.get()
  }

  private func serve(on loop: PollLoop) async -> Result<Void, MPRISServiceError> {
    let bus = ReconnectingDBusConnection(on: loop, address: address)
    let connection: DBusConnection
    let exported: MPRISExportedPlayer
    let broadcaster = EventBroadcaster()
    do throws(DBusError) {
      connection = try await bus.open()
    } catch {
      return Task.isCancelled ? .success(()) : .failure(.noSessionBus(error.message))
    }
    // The events are read once: a player may return the same stream for each call, and a stream ends with its first
    // reader. Subscribed before the player is exported, so that no change and no jump is missed.
    let events = player.events()
    do throws(DBusError) {
      exported = try await export(on: connection, broadcaster)
    } catch {
      await connection.close()
      return Task.isCancelled ? .success(()) : .failure(.notExported(error.message))
    }
    await withTaskGroup { group in
      group.addTask { for await event in events { broadcaster.send(event) } }
      group.addTask { await serve(exported, on: connection, bus, broadcaster) }
      await group.next()
      group.cancelAll()
    }
    return .success(())
  }

  /// Serves on the first connection, and on a new one after each loss of the bus.
  private func serve(
    _ first: MPRISExportedPlayer, on connection: DBusConnection, _ bus: ReconnectingDBusConnection,
    _ broadcaster: EventBroadcaster
  ) async {
    var exported = first
    await bus.run(from: connection) { connection throws(DBusError) in
      exported = try await export(on: connection, broadcaster)
    } serve: { connection in
      await exported.run(until: connection) { [player] in player.snapshot() }
    }
  }

  /// Exports the player and requests its name, or that with the suffix.
  private func export(
    on connection: DBusConnection, _ broadcaster: EventBroadcaster
  ) async throws(DBusError) -> MPRISExportedPlayer {
    let exported = MPRISExportedPlayer(player, on: connection, identity: identity) { broadcaster.events() }
    if try await exported.announce(as: ServiceName.bus(name)) { return exported }
    let instance = try ServiceName.bus(name, processID: getpid())
    guard try await exported.announce(as: instance) else { throw .failed("\(instance) has another owner") }
    return exported
  }
}

extension MPRISExportedPlayer {
  /// Emits the changes until the connection closes, the task is cancelled, or the player's events end.
  ///
  /// `snapshot` returns the state after the last event.
  package func run(
    until connection: DBusConnection, showing snapshot: @escaping @Sendable () -> MPRISSnapshot
  ) async {
    await withTaskGroup { group in
      group.addTask(executorPreference: connection.taskExecutor) { await self.run(showing: snapshot) }
      group.addTask(executorPreference: connection.taskExecutor) { await connection.closed() }
      await group.next()
      group.cancelAll()
    }
  }
}

/// The reason why a service cannot start.
public enum MPRISServiceError: Error, Hashable, CustomStringConvertible {
  /// The session bus does not exist, or does not accept the connection.
  case noSessionBus(String)
  /// The player cannot be exported: its name is invalid, or the process already owns it.
  case notExported(String)

  /// The failure and its reason.
  public var description: String {
    switch self {
    case .noSessionBus(let reason): "no session bus: \(reason)"
    case .notExported(let reason): "cannot serve MPRIS: \(reason)"
    }
  }
}
