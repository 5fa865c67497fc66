import DBus
import EventLoop

/// A client of the MPRIS players on the session bus.
///
/// Its players and their streams retain it. If the bus is lost, all streams finish and all calls throw; create a new client then.
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public final class MPRISClient: Sendable {
  private let loop: PollLoop
  let connection: DBusConnection

  /// Connects to the session bus.
  ///
  /// - Throws: ``MPRISClientError/noSessionBus(_:)``.
  public convenience init() async throws(MPRISClientError) {
    try await self.init { DBusConnection.sessionBusAddress() }
  }

  /// Connects to a bus of the caller's choice.
  package init(address: @escaping @Sendable () -> String?) async throws(MPRISClientError) {
    loop = PollLoop(name: "mpris-client")
    do throws(DBusError) {
      connection = try await ReconnectingDBusConnection(on: loop, address: address).open()
    } catch {
      loop.stop()
      throw .noSessionBus(error.message)
    }
  }

  deinit { loop.stop() }

  /// Returns the players on the bus, ordered by name.
  public func players() async throws(MPRISClientError) -> [MPRISRemotePlayer] {
    try await list(try await mapping { () throws(DBusError) in try await connection.names() })
  }

  /// Returns a stream of the players on the bus: the list now, and the list after each change.
  ///
  /// A player that has restarted is another ``MPRISRemotePlayer``. A stream that is not read keeps the newest list.
  public func playerChanges() async throws(MPRISClientError) -> AsyncStream<[MPRISRemotePlayer]> {
    // The subscription comes first, so that no change after the list is missed.
    let changes = try await mapping { () throws(DBusError) in
      try await connection.ownerChanges(below: try BusName(RootInterface.name.rawValue))
    }
    let initial = try await players()
    return connection.stream(keeping: 1) { [self] lists in
      var players = initial
      lists.yield(players)
      for await change in changes {
        guard let name = change.arguments.first?.asString, name.hasPrefix(MPRISService.busNamePrefix) else { continue }
        let changed = (players.filter { $0.busName != name } + (change.newOwner.map { [player(name, $0)] } ?? []))
          .sorted()
        guard changed != players else { continue }
        players = changed
        lists.yield(players)
      }
    }
  }

  /// Returns the player with a name as `playerctl --list-all` prints it, such as `vlc` or `vlc.instance42`.
  ///
  /// - Throws: ``MPRISClientError/notRunning(_:)`` if no running player has this name.
  public func player(named name: String) async throws(MPRISClientError) -> MPRISRemotePlayer {
    let player = try await list([MPRISService.busNamePrefix + name]).first
    guard let player else { throw .notRunning("no player '\(name.cut(to: 80))' is running") }
    return player
  }

  /// Leaves the bus; the streams finish.
  public func close() async { await connection.close() }

  /// Returns the players among these names whose owner is known, ordered by name.
  private func list(_ names: [String]) async throws(MPRISClientError) -> [MPRISRemotePlayer] {
    var players: [MPRISRemotePlayer] = []
    for name in names where name.hasPrefix(MPRISService.busNamePrefix) {
      guard let valid = try? BusName(name), let owner = await connection.owner(of: valid) else { continue }
      players.append(player(name, owner))
    }
    return players.sorted()
  }

  private func player(_ name: String, _ owner: BusName) -> MPRISRemotePlayer {
    MPRISRemotePlayer(busName: name, owner: owner, client: self)
  }
}

/// The reason why a client's request has failed.
public enum MPRISClientError: Error, Hashable, CustomStringConvertible {
  /// There is no session bus, or it does not accept the connection.
  case noSessionBus(String)
  /// The player or the bus is not running any more, or does not reply.
  case notRunning(String)
  /// The player has refused the command.
  case refused(String)

  /// The failure and its reason.
  public var description: String {
    switch self {
    case .noSessionBus(let reason): "no session bus: \(reason)"
    case .notRunning(let reason): "the player is not running: \(reason)"
    case .refused(let reason): "the player refuses: \(reason)"
    }
  }
}

/// Runs a request and maps the D-Bus error.
func mapping<Result>(
  _ request: () async throws(DBusError) -> Result
) async throws(MPRISClientError) -> Result {
  do {
    return try await request()
  } catch {
    switch error {
    case .serviceUnknown(""), .nameHasNoOwner(""), .noReply(""), .disconnected(""): throw .notRunning(error.message)
    default: throw .refused(error.message)
    }
  }
}
