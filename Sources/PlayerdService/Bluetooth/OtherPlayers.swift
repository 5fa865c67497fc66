import DBus
import EventLoop
import Glibc
import MPRISService

/// The other MPRIS players of the session, for ``BluetoothButtons``.
///
/// It has a connection of its own, because a registration at BlueZ does not wait until the player is served on the session bus.
/// It keeps nothing: only ``PauseOthers`` has to know which players exist, and only with its keys.
struct OtherPlayers: Sendable {
  private let connection: DBusConnection
  private let signals: AsyncStream<DBusSignalMessage>

  /// Connects to the session bus; nil without one.
  static func open(on loop: PollLoop) async -> OtherPlayers? {
    guard let address = DBusConnection.sessionBusAddress(),
      let connection = try? await DBusConnection.open(address: address, on: loop)
    else { return nil }
    guard let signals = try? await connection.playerChanges() else {
      await connection.close()
      return nil
    }
    return OtherPlayers(connection: connection, signals: signals)
  }

  /// Calls `report` each time when another player starts to play, until the bus is lost or the task is cancelled.
  func follow(_ report: @Sendable () -> Void) async {
    for await signal in signals where signal.isPlaying == true {
      guard await isOther(signal.sender), await connection.owner(of: .playerctld) != signal.sender else { continue }
      report()
    }
  }

  func close() async { await connection.close() }

  /// Whether another player plays now.
  func arePlaying() async -> Bool {
    for name in (try? await connection.names()) ?? [] where name.hasPrefix(MPRISService.busNamePrefix) {
      guard let name = try? BusName(name), name != .playerctld, await isOther(name) else { continue }
      if await connection.isPlaying(name) == true { return true }
    }
    return false
  }

  private func isOther(_ name: BusName) async -> Bool {
    // A player that has left is none.
    guard let process = try? await connection.processID(of: name) else { return false }
    return process != getpid()
  }
}
