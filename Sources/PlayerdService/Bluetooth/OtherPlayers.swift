import DBus
import EventLoop
import Glibc
import MPRISService

/// The other MPRIS players of the session.
struct OtherPlayers: Sendable {
  /// The proxy that repeats the signals of all players, including this player.
  static let repeater: BusName = "org.mpris.MediaPlayer2.playerctld"
  private static let playing = DBusValue.string(MPRISPlaybackStatus.playing.rawValue)

  private let connection: DBusConnection
  private let signals: AsyncStream<DBusSignalMessage>

  /// Connects to the session bus; nil without one.
  static func open(on loop: PollLoop) async -> OtherPlayers? {
    guard let address = DBusConnection.sessionBusAddress(),
      let connection = try? await DBusConnection.open(address: address, on: loop)
    else { return nil }
    let rule = DBusMatchRule(
      path: MPRISService.path, interface: .properties, member: "PropertiesChanged",
      firstArgument: PlayerInterface.name.rawValue)
    guard let signals = try? await connection.signals(matching: rule) else {
      await connection.close()
      return nil
    }
    return OtherPlayers(connection: connection, signals: signals)
  }

  /// Calls `report` each time when another player starts to play, until the bus is lost or the task is cancelled.
  func follow(_ report: @Sendable () -> Void) async {
    for await signal in signals {
      guard let values = signal.changedProperties?.values, values[PlayerInterface.status] == Self.playing,
        await isOther(signal.sender), await connection.owner(of: Self.repeater) != signal.sender
      else { continue }
      report()
    }
  }

  func close() async { await connection.close() }

  /// Whether another player plays now.
  func arePlaying() async -> Bool {
    for name in (try? await connection.names()) ?? [] where name.hasPrefix(MPRISService.busNamePrefix) {
      guard let name = try? BusName(name), name != Self.repeater, await isOther(name) else { continue }
      let player = DBusProxy(PlayerInterface.name, at: MPRISService.path, of: name, on: connection)
      if let status = try? await player.get(PlayerInterface.status), status == Self.playing { return true }
    }
    return false
  }

  private func isOther(_ name: BusName) async -> Bool {
    // A player that has left is none.
    guard let process = try? await connection.processID(of: name) else { return false }
    return process != getpid()
  }
}
