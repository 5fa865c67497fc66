public import DBus

/// Serves a player on a message bus as an MPRIS player.
///
/// ``announce(as:)`` makes it known, ``run()`` tells clients what changes. Everything runs on the connection's thread;
/// when the connection is lost, a new service on a new connection takes over.
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public actor MPRISService {
  /// Where every MPRIS player is found on its connection.
  public static let path: ObjectPath = "/org/mpris/MediaPlayer2"

  /// The beginning of the bus names of all players.
  public static let busNamePrefix = RootInterface.name.rawValue + "."

  let player: any MediaPlayer
  let connection: Connection
  let clock: any Clock<Duration>
  private var object: ExportedObject<PlayerSnapshot>?
  let holdBack = SharedHoldBack()
  private var limit: Task<Void, Never>?
  /// Nil for a player without a track list.
  let trackList: TrackListBoard?
  /// Nil for a player without playlists.
  let playlists: PlaylistBoard?
  /// Runs while news of the track list are held back.
  var trackListPause: Task<Void, Never>?

  /// The connection's own thread: what is decided here is sent without a hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  /// Prepares to serve a player; nothing is seen on the bus yet.
  ///
  /// - Parameters:
  ///   - player: The player, whose snapshots are taken on the connection's thread.
  ///   - connection: The connection to serve it on, one player each.
  ///   - clock: What measures the time for which changes may be held back; nil for the connection's own.
  public init(_ player: any MediaPlayer, on connection: Connection, clock: (any Clock<Duration>)? = nil) {
    self.player = player
    self.connection = connection
    self.clock = clock ?? connection.clock
    trackList = (player as? any TrackListPlayer).map { TrackListBoard($0) }
    playlists = (player as? any PlaylistPlayer).map { PlaylistBoard($0) }
  }

  /// Makes the player known under a name that starts with `org.mpris.MediaPlayer2.`, ready to answer before that.
  ///
  /// - Returns: False when somebody else owns the name; another one can be tried.
  /// - Throws: `ObjectPathInUse` when the connection serves a player already; `Disconnected` or `NoReply` when the bus
  ///   is gone or silent.
  public func announce(as name: BusName) async throws(DBusError) -> Bool {
    if object == nil {
      object = try await connection.export(at: Self.path, interfaces) { [player, holdBack, trackList, playlists] in
        Self.shown(player.snapshot(), holdBack, trackList, playlists)
      }
      playlists?.open()
    }
    return try await connection.requestName(name)
  }

  /// Returns what clients see of a snapshot.
  ///
  /// Static, so that the exported object does not keep the service.
  private static func shown(
    _ snapshot: PlayerSnapshot, _ holdBack: SharedHoldBack, _ trackList: TrackListBoard?, _ playlists: PlaylistBoard?
  ) -> PlayerSnapshot {
    var shown = holdBack.readable(snapshot)
    if let trackList { shown.trackListRevision = trackList.revision }
    if let playlists { shown.playlistRevisions = playlists.revisions }
    return shown
  }

  private var interfaces: [Interface<PlayerSnapshot>] {
    var interfaces = [RootInterface(player: player).rows, PlayerInterface(player: player).rows]
    if let player = player as? any TrackListPlayer, let trackList {
      interfaces.append(TrackListInterface(player: player, board: trackList).rows)
    }
    if let player = player as? any PlaylistPlayer, let playlists {
      interfaces.append(PlaylistsInterface(player: player, board: playlists).rows)
    }
    return interfaces
  }

  /// Tells clients what changes, until the task is cancelled or the player's events end.
  ///
  /// One PropertiesChanged per interface and transition, with the changed properties only, and Seeked after it; a new
  /// track waits for its metadata, at most 200 ms, the first one at most 2 s. While nothing changes nothing happens.
  public func run() async {
    let events = player.events()
    defer {
      forgetLimit()
      trackListPause?.cancel()
    }
    await changed()
    for await event in events {
      switch event {
      case .changed: await changed()
      case .seeked(let position): await seeked(to: position)
      case .trackMetadataChanged(let track): tellMetadata(of: track)
      }
    }
  }

  func changed() async {
    let snapshot = player.snapshot()
    switch holdBack.changed(snapshot) {
    case .tell: await tell(snapshot)
    case .wait:
      forgetLimit()
      limit = Task(executorPreference: connection.taskExecutor) { [clock, self] in
        try? await clock.sleep(for: holdBack.limit)
        if !Task.isCancelled { await tellAnyway() }
      }
    case .keepWaiting: break
    }
  }

  private func seeked(to position: Duration) async {
    await tellAnyway()
    // Fails only when the connection is lost, which its owner learns from the connection.
    try? await connection.emit(
      PlayerInterface.seeked.name, of: PlayerInterface.name, at: Self.path, [.int64(max(position.microseconds, 0))])
  }

  private func tellAnyway() async {
    let snapshot = player.snapshot()
    holdBack.toldAnyway(snapshot)
    await tell(snapshot)
  }

  private func tell(_ snapshot: PlayerSnapshot) async {
    forgetLimit()
    let news = takeTrackListNews()
    let renamed = playlists?.update() ?? []
    let shown = Self.shown(snapshot, holdBack, trackList, playlists)
    if let object { await connection.publish(object, showing: shown) }
    for item in news { tell(item, showing: shown.track) }
    for playlist in renamed { emit(PlaylistsInterface.changed, of: PlaylistsInterface.name, playlist.value) }
    if let track = snapshot.track { tellMetadata(of: track) }
  }

  private func forgetLimit() {
    limit?.cancel()
    limit = nil
  }

  func emit(_ signal: MemberName, of interface: InterfaceName, _ values: Value...) {
    // Fails only when the connection is lost, which its owner learns from the connection.
    connection.assumeIsolated { try? $0.emit(signal, of: interface, at: Self.path, values) }
  }
}
