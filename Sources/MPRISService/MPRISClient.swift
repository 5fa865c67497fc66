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
    players(try await mapping { () throws(DBusError) in try await readOwners() })
  }

  /// Returns a stream of the players on the bus: the list now, and the list after each change.
  ///
  /// A player that has restarted is another ``MPRISRemotePlayer``. A stream that is not read keeps the newest list.
  public func playerChanges() async throws(MPRISClientError) -> AsyncStream<[MPRISRemotePlayer]> {
    // The subscription comes first, so that no change after the list is missed.
    let (changes, initial) = try await mapping { () throws(DBusError) in
      (try await connection.ownerChanges(below: try BusName(RootInterface.name.rawValue)), try await readOwners())
    }
    return connection.stream(keeping: 1) { [self] lists in
      var owners = initial
      lists.yield(players(owners))
      for await change in changes {
        if owners.apply(change) { lists.yield(players(owners)) }
      }
    }
  }

  /// Returns the player with a name as `playerctl --list-all` prints it, such as `vlc` or `vlc.instance42`.
  ///
  /// - Throws: ``MPRISClientError/notRunning(_:)`` if no running player has this name, or the bus is lost.
  public func player(named name: String) async throws(MPRISClientError) -> MPRISRemotePlayer {
    let busName = MPRISService.busNamePrefix + name
    guard let valid = try? BusName(busName),
      let owner = try await mapping({ () throws(DBusError) in try await connection.ownerReply(for: valid) }).owner
    else { throw .notRunning("no player '\(name.cut(to: 80))' is running") }
    return player(busName, owner)
  }

  /// Leaves the bus; the streams finish.
  public func close() async { await connection.close() }

  /// Reads the owners of the names of all players.
  private func readOwners() async throws(DBusError) -> DBusOwnerCache {
    try await DBusOwnerCache(below: try BusName(RootInterface.name.rawValue), on: connection)
  }

  /// Returns the players with these owners, ordered by name.
  private func players(_ cache: DBusOwnerCache) -> [MPRISRemotePlayer] {
    cache.owners.map { player($0.key, $0.value) }.sorted()
  }

  private func player(_ name: String, _ owner: BusName) -> MPRISRemotePlayer {
    MPRISRemotePlayer(busName: name, owner: owner, client: self)
  }
}

/// The reason why a client's request has failed.
public enum MPRISClientError: Error, Hashable, CustomStringConvertible {
  /// The session bus does not exist, or does not accept the connection.
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
