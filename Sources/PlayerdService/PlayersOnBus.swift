import DBus
import MPRISService

extension BusName {
  /// The proxy that repeats the signals of all players, including this one.
  static let playerctld: BusName = "org.mpris.MediaPlayer2.playerctld"
}

extension DBusConnection {
  /// Subscribes to the changed properties of all players, including this one.
  ///
  /// - Throws: The errors of `signals(matching:)`.
  func playerChanges() async throws(DBusError) -> AsyncStream<DBusSignalMessage> {
    try await signals(
      matching: DBusMatchRule(
        path: MPRISService.path, interface: .properties, member: "PropertiesChanged",
        firstArgument: PlayerInterface.name.rawValue))
  }

  /// Returns whether a player plays; nil if it does not reply.
  func isPlaying(_ player: BusName) async -> Bool? {
    let proxy = DBusProxy(PlayerInterface.name, at: MPRISService.path, of: player, on: self)
    return try? await proxy.get(PlayerInterface.status)?.isPlaying
  }
}

extension DBusSignalMessage {
  /// Whether the sender plays; nil if its status has not changed.
  var isPlaying: Bool? { changedProperties?.values[PlayerInterface.status]?.isPlaying }
}

extension DBusValue {
  fileprivate var isPlaying: Bool { self == .string(MPRISPlaybackStatus.playing.rawValue) }
}
