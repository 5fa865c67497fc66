import DBus
import MPRISService

/// Calls the MPRIS interfaces of a running daemon.
struct PlayerClient: Sendable {
  private let root: DBusProxy
  private let player: DBusProxy

  init(of owner: BusName, on connection: DBusConnection) {
    root = DBusProxy(RootInterface.name, at: MPRISService.path, of: owner, on: connection)
    player = DBusProxy(PlayerInterface.name, at: MPRISService.path, of: owner, on: connection)
  }

  func play() async throws(DBusError) { try await player.call(PlayerInterface.play) }
  func pause() async throws(DBusError) { try await player.call(PlayerInterface.pause) }
  func togglePlayback() async throws(DBusError) { try await player.call(PlayerInterface.playPause) }
  func stop() async throws(DBusError) { try await player.call(PlayerInterface.stop) }
  func next() async throws(DBusError) { try await player.call(PlayerInterface.next) }
  func previous() async throws(DBusError) { try await player.call(PlayerInterface.previous) }

  /// Seeks relative to the position; the distance may be negative.
  func seek(by distance: Duration) async throws(DBusError) {
    try await player.call(PlayerInterface.seek, .int64(distance.microseconds))
  }

  /// Seeks in a track; no effect if it is no longer current.
  func seek(to position: Duration, in track: ObjectPath) async throws(DBusError) {
    try await player.call(PlayerInterface.setPosition, .objectPath(track), .int64(position.microseconds))
  }

  /// Sets the MPRIS volume; 1 is unchanged.
  func setVolume(_ volume: Double) async throws(DBusError) {
    try await player.set(PlayerInterface.volume, to: .double(volume))
  }

  func setRate(_ rate: Double) async throws(DBusError) { try await player.set(PlayerInterface.rate, to: .double(rate)) }

  func setShuffled(_ isShuffled: Bool) async throws(DBusError) {
    try await player.set(PlayerInterface.shuffle, to: .boolean(isShuffled))
  }

  func setLoop(_ loop: MPRISLoopStatus) async throws(DBusError) {
    try await player.set(PlayerInterface.loop, to: .string(loop.rawValue))
  }

  /// Returns the values of all properties of the player by name.
  func properties() async throws(DBusError) -> [String: DBusValue] { try await player.getAll() }

  /// Whether the daemon may be ended over the bus.
  func canQuit() async throws(DBusError) -> Bool { try await root.get(RootInterface.canQuit)?.asBool ?? false }

  /// Ends the daemon; returns when it has left the bus.
  func quit() async throws(DBusError) {
    try await root.call(RootInterface.quit)
    await root.connection.untilGone(root.owner)
  }
}
