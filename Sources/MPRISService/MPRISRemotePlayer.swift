import DBus

/// A player of another program on the session bus.
///
/// The commands return when the player has replied. A player ignores a command that its state excludes, as `canGoNext`
/// does for ``next()``. No call starts a program.
public struct MPRISRemotePlayer: Sendable {
  /// The name of the player, as `playerctl --list-all` prints it.
  public var name: String { String(busName.dropFirst(MPRISService.busNamePrefix.count)) }

  let busName: String
  let owner: BusName
  let client: MPRISClient
  private var connection: DBusConnection { client.connection }

  private var root: DBusProxy {
    DBusProxy(RootInterface.name, at: MPRISService.path, of: owner, on: connection)
  }
  private var player: DBusProxy {
    DBusProxy(PlayerInterface.name, at: MPRISService.path, of: owner, on: connection)
  }

  /// Reads the state.
  public func state() async throws(MPRISClientError) -> MPRISRemotePlayerState {
    try await mapping { () throws(DBusError) in
      MPRISRemotePlayerState(root: try await root.getAll(), player: try await player.getAll())
    }
  }

  /// Reads the position in the current track.
  public func position() async throws(MPRISClientError) -> Duration {
    let value = try await mapping { () throws(DBusError) in try await player.get(PlayerInterface.position) }
    return .microseconds(value?.asInt64 ?? 0)
  }

  /// Returns the events of the player: its state now, then each change, until it leaves the bus.
  ///
  /// A stream that is not read keeps the newest 64 events.
  public func events() async throws(MPRISClientError) -> AsyncStream<MPRISRemotePlayerEvent> {
    // The subscription comes first, so that no change after the state is missed.
    let (signals, rootCache, playerCache) = try await mapping { () throws(DBusError) in
      (
        try await connection.signals(from: owner, path: MPRISService.path),
        try await DBusPropertyCache(reading: root), try await DBusPropertyCache(reading: player)
      )
    }
    return connection.stream(keeping: 64) { [self] events in
      // The player's connection ends the signals; the client retains the bus connection.
      await follow(signals, rootCache, playerCache, events)
    }
  }

  private func follow(
    _ signals: AsyncStream<DBusSignalMessage>, _ root: DBusPropertyCache, _ player: DBusPropertyCache,
    _ events: AsyncStream<MPRISRemotePlayerEvent>.Continuation
  ) async {
    var (root, player) = (root, player)
    var state = MPRISRemotePlayerState(root: root.values, player: player.values)
    events.yield(.changed(state))
    for await signal in signals {
      if signal.interface == PlayerInterface.name, signal.member == PlayerInterface.seeked.name {
        events.yield(.seeked(to: .microseconds(signal.arguments.first?.asInt64 ?? 0)))
        continue
      }
      await root.apply(signal)
      await player.apply(signal)
      let new = MPRISRemotePlayerState(root: root.values, player: player.values)
      guard new != state else { continue }
      state = new
      events.yield(.changed(state))
    }
  }
}

extension MPRISRemotePlayer: Comparable {
  /// Whether both are the same run of the same player.
  public static func == (one: Self, other: Self) -> Bool { one.busName == other.busName && one.owner == other.owner }

  /// Orders players by name.
  public static func < (one: Self, other: Self) -> Bool {
    (one.busName, one.owner) < (other.busName, other.owner)
  }
}

// MARK: - Commands

extension MPRISRemotePlayer {
  /// Starts or resumes playback.
  public func play() async throws(MPRISClientError) { try await call(PlayerInterface.play) }

  /// Pauses playback.
  public func pause() async throws(MPRISClientError) { try await call(PlayerInterface.pause) }

  /// Pauses if the player plays; plays otherwise.
  public func playPause() async throws(MPRISClientError) { try await call(PlayerInterface.playPause) }

  /// Stops playback.
  public func stop() async throws(MPRISClientError) { try await call(PlayerInterface.stop) }

  /// Skips to the next track.
  public func next() async throws(MPRISClientError) { try await call(PlayerInterface.next) }

  /// Skips to the previous track.
  public func previous() async throws(MPRISClientError) { try await call(PlayerInterface.previous) }

  /// Seeks forward, or backward by a negative distance.
  public func seek(by distance: Duration) async throws(MPRISClientError) {
    try await call(PlayerInterface.seek, .int64(distance.microseconds))
  }

  /// Seeks to a position; the player ignores the command if `trackID` is no longer its current track.
  ///
  /// - Parameters:
  ///   - position: The position from the start of the track.
  ///   - trackID: ``MPRISRemoteMetadata/trackID`` of the track.
  /// - Throws: ``MPRISClientError/refused(_:)`` for an ID that is not an object path, which some players have.
  public func seek(to position: Duration, in trackID: String) async throws(MPRISClientError) {
    let path = try await mapping { () throws(DBusError) in try ObjectPath(trackID) }
    try await call(PlayerInterface.setPosition, .objectPath(path), .int64(position.microseconds))
  }

  /// Opens and plays a URI.
  public func open(_ uri: String) async throws(MPRISClientError) {
    try await call(PlayerInterface.openURI, .string(uri))
  }

  /// Sets the volume; 1 is the unamplified volume.
  public func setVolume(_ volume: Double) async throws(MPRISClientError) {
    try await set(PlayerInterface.volume, to: .double(volume))
  }

  /// Sets the rate; 1 is normal.
  public func setRate(_ rate: Double) async throws(MPRISClientError) {
    try await set(PlayerInterface.rate, to: .double(rate))
  }

  /// Turns random order on or off.
  public func setShuffle(_ shuffle: Bool) async throws(MPRISClientError) {
    try await set(PlayerInterface.shuffle, to: .boolean(shuffle))
  }

  /// Sets the behaviour at the end of a track.
  public func setLoop(_ loop: MPRISLoopStatus) async throws(MPRISClientError) {
    try await set(PlayerInterface.loop, to: .string(loop.rawValue))
  }

  /// Raises the player's window.
  public func raise() async throws(MPRISClientError) { try await call(RootInterface.raise, of: RootInterface.name) }

  /// Quits the player.
  public func quit() async throws(MPRISClientError) { try await call(RootInterface.quit, of: RootInterface.name) }

  private func call(
    _ method: DBusMethodDeclaration, _ arguments: DBusValue..., of interface: InterfaceName = PlayerInterface.name
  ) async throws(MPRISClientError) {
    try await mapping { () throws(DBusError) in
      _ = try await connection.call(on: owner, at: MPRISService.path, of: interface, method.name, arguments)
    }
  }

  private func set(_ property: PlayerInterface.Row, to value: DBusValue) async throws(MPRISClientError) {
    try await mapping { () throws(DBusError) in try await player.set(property, to: value) }
  }
}
