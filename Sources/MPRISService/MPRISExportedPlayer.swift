public import DBus

/// A player that is exported on one connection; for programs that open the connection themselves.
///
/// ``announce(as:)`` publishes the player, and ``run()`` emits its changes. All work runs on the connection's thread.
/// If the connection is lost, export the player on a new connection. ``MPRISService/run()`` does all of this.
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public actor MPRISExportedPlayer {
  private let player: any MPRISPlayer
  private let connection: DBusConnection
  private let clock: any Clock<Duration>
  /// The only receiver of the signals; nil for all clients.
  private let peer: BusName?
  /// Subscribes to the events of the player.
  private let subscribe: @Sendable () -> AsyncStream<MPRISPlayerEvent>
  /// The events from the export on, until they are read.
  private var events: AsyncStream<MPRISPlayerEvent>?
  private var object: DBusExportedObject<MPRISSnapshot>?
  /// The snapshot of the last event; its publication may wait.
  private var latest = MPRISSnapshot()
  private let coalescer = SharedSignalCoalescer()
  /// The limit of the delay of a change; it may have ended.
  private var limit: Task<Void, Never>?
  /// Nil for a player without a track list.
  private let trackList: PublishedTrackList?
  /// Nil for a player without playlists.
  private let playlists: PublishedPlaylists?
  /// The delay before the next update of the track list; nil if none is running.
  private var trackListPause: Task<Void, Never>?

  /// The executor of the connection, so that signals are sent without a thread hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  /// Returns the state of a snapshot that clients can read.
  ///
  /// A closure, so that the connection's object does not retain this one.
  private let shown: @Sendable (MPRISSnapshot) -> MPRISSnapshot

  /// Prepares the export; nothing is exported yet.
  ///
  /// - Parameters:
  ///   - player: The player; its snapshots are taken on the connection's thread.
  ///   - connection: The connection that exports it; one player per connection.
  ///   - identity: The display name of a player whose snapshots have an empty one.
  ///   - clock: The clock for the delays of changes; nil for the connection's own.
  public init(
    _ player: any MPRISPlayer, on connection: DBusConnection, identity: String = "", clock: (any Clock<Duration>)? = nil
  ) {
    self.init(player, on: connection, identity: identity, clock: clock) { player.events() }
  }

  /// Prepares the export to one peer, which uses the playback interface alone; other connections get no signals.
  package init(_ player: any MPRISPlayer, on connection: DBusConnection, to peer: BusName) {
    self.init(player, on: connection, identity: "", to: peer) { player.events() }
  }

  /// Prepares the export of a player whose events `subscribe` returns.
  init(
    _ player: any MPRISPlayer, on connection: DBusConnection, identity: String, clock: (any Clock<Duration>)? = nil,
    to peer: BusName? = nil, subscribe: @escaping @Sendable () -> AsyncStream<MPRISPlayerEvent>
  ) {
    self.player = player
    self.peer = peer
    self.subscribe = subscribe
    self.connection = connection
    self.clock = clock ?? connection.clock
    let hasLists = peer == nil
    trackList = (player as? any MPRISTrackListPlayer).flatMap { hasLists ? PublishedTrackList($0) : nil }
    playlists = (player as? any MPRISPlaylistPlayer).flatMap { hasLists ? PublishedPlaylists($0) : nil }
    shown = { [coalescer, trackList, playlists] snapshot in
      var shown = coalescer.readable(snapshot)
      if shown.identity.isEmpty { shown.identity = identity }
      if let trackList { shown.trackListRevision = trackList.revision }
      if let playlists { shown.playlistRevisions = playlists.revisions }
      return shown
    }
  }

  /// Exports the player, then requests a name that starts with `org.mpris.MediaPlayer2.`.
  ///
  /// - Returns: False if another connection owns the name; the caller can try another name.
  /// - Throws: `ObjectPathInUse` if the connection already serves a player; `Disconnected` or `NoReply` if the bus is
  ///   lost or does not reply.
  public func announce(as name: BusName) async throws(DBusError) -> Bool {
    try await export()
    return try await connection.requestName(name)
  }

  /// Exports the player without a name, once.
  ///
  /// - Throws: `ObjectPathInUse` if the connection already serves a player.
  package func export() async throws(DBusError) {
    guard object == nil else { return }
    // Clients can read the position once the player is exported: no later jump may be missed.
    events = subscribe()
    object = try await connection.export(at: MPRISService.path, interfaces) {
      [player, shown] in shown(player.snapshot())
    }
    playlists?.open()
  }

  /// Calls a method of the peer with the path of the player and its properties; signals report all later changes.
  ///
  /// - Throws: The errors of a call.
  package func register(
    at path: ObjectPath, of interface: InterfaceName, by member: MemberName, identity: String
  ) async throws(DBusError) {
    guard let peer else { return }
    // The connection has the executor of this actor, so no change is published before the call is sent.
    let values = try await connection.properties(of: PlayerInterface.name, at: MPRISService.path)
    let properties = values + [(RootInterface.identity.name.rawValue, .string(identity))]
    _ = try await connection.call(
      on: peer, at: path, of: interface, member, [.objectPath(MPRISService.path), .dictionary(properties)])
  }

  private var interfaces: [DBusInterface<MPRISSnapshot>] {
    if peer != nil { return [PlayerInterface(player: player).rows] }
    var interfaces = [RootInterface(player: player).rows, PlayerInterface(player: player).rows]
    if let player = player as? any MPRISTrackListPlayer, let trackList {
      interfaces.append(TrackListInterface(player: player, published: trackList).rows)
    }
    if let player = player as? any MPRISPlaylistPlayer, let playlists {
      interfaces.append(PlaylistsInterface(player: player, published: playlists).rows)
    }
    return interfaces
  }

  /// Emits the changes to clients until the task is cancelled or the player's events end.
  ///
  /// Each transition emits one PropertiesChanged per interface, with only the changed properties, and then Seeked. A
  /// new track waits for its metadata: at most 200 ms, the first track at most 2 s. The service is idle while nothing
  /// changes.
  public func run() async { await run { [player] in player.snapshot() } }

  /// Emits the changes since the export; `snapshot` returns the state after the last event.
  func run(showing snapshot: @Sendable () -> MPRISSnapshot) async {
    let events = events.take() ?? subscribe()
    defer {
      limit?.cancel()
      trackListPause?.cancel()
    }
    changed(to: snapshot())
    for await event in events { publish(event, snapshot()) }
  }

  /// Publishes an event; `snapshot` is the state after it.
  package func publish(_ event: MPRISPlayerEvent, _ snapshot: @autoclosure () -> MPRISSnapshot) {
    switch event {
    case .changed: changed(to: snapshot())
    case .seeked(let position): seeked(to: position, snapshot())
    case .trackMetadataChanged(let track): emitMetadataChange(of: track)
    }
  }

  /// Whether the last event had the same state, apart from the running position.
  package func isUnchanged(in snapshot: MPRISSnapshot) -> Bool { latest.isUnchanged(in: snapshot) }

  private func changed(to snapshot: MPRISSnapshot) {
    latest = snapshot
    switch coalescer.changed(snapshot) {
    case .publishNow: publish(snapshot)
    case .wait:
      limit?.cancel()
      limit = delay(coalescer.limit) { $0.publishUnsettled() }
    case .keepWaiting: break
    }
  }

  /// Runs a closure after a delay, unless the returned task is cancelled.
  private func delay(
    _ delay: Duration, _ work: @escaping @Sendable (isolated MPRISExportedPlayer) -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: connection.taskExecutor) { [clock, self] in
      // Throws if the task is cancelled or the loop stops.
      guard (try? await clock.sleep(for: delay)) != nil else { return }
      await runUnlessCancelled(work)
    }
  }

  /// Runs a closure, unless its task was cancelled before the actor was free.
  private func runUnlessCancelled(_ work: @Sendable (isolated MPRISExportedPlayer) -> Void) {
    if !Task.isCancelled { work(self) }
  }

  private func seeked(to position: Duration, _ snapshot: MPRISSnapshot) {
    latest = snapshot
    publishUnsettled()
    emit(PlayerInterface.seeked, of: PlayerInterface.name, .int64(max(position.microseconds, 0)))
  }

  private func publishUnsettled() {
    coalescer.markPublished(latest)
    publish(latest)
  }

  /// Publishes the present track list, together with the last snapshot.
  private func publishTrackList() { changed(to: latest) }

  private func publish(_ snapshot: MPRISSnapshot) {
    limit?.cancel()
    let changes = takeTrackListChanges()
    let renamed = playlists?.update() ?? []
    let shown = shown(snapshot)
    if let object { connection.assumeIsolated { [peer] in $0.publish(object, showing: shown, to: peer) } }
    for item in changes { publish(item, showing: shown.track) }
    for playlist in renamed { emit(PlaylistsInterface.changed, of: PlaylistsInterface.name, playlist.value) }
    if let track = snapshot.track { emitMetadataChange(of: track) }
  }

  private func emit(_ signal: DBusSignal, of interface: InterfaceName, _ values: DBusValue...) {
    // Fails only if the connection is lost; the connection reports that to its owner.
    connection.assumeIsolated { [peer] in
      try? $0.emit(signal.name, of: interface, at: MPRISService.path, values, to: peer)
    }
  }

  // MARK: The track list

  /// The shortest interval between two updates, so that a growing queue is not published file by file.
  private static let shortestTrackListPause = Duration.milliseconds(250)

  private func takeTrackListChanges() -> [TrackListChange] {
    guard let trackList, trackListPause == nil else { return [] }
    let changes = trackList.update()
    if !changes.isEmpty {
      trackListPause = delay(Self.shortestTrackListPause) { exported in
        exported.trackListPause = nil
        if trackList.isLate { exported.publishTrackList() }
      }
    }
    return changes
  }

  private func publish(_ changes: TrackListChange, showing current: MPRISTrackID?) {
    guard let trackList else { return }
    switch changes {
    case .replaced:
      emit(
        TrackListInterface.replaced, of: TrackListInterface.name, .objectPaths(trackList.published.map(\.path)),
        .objectPath((current ?? .noTrack).path))
    case .added(let track, let after):
      guard let metadata = trackList.metadata(of: [track]).first else { return }
      emit(TrackListInterface.added, of: TrackListInterface.name, metadata.value, .objectPath(after.path))
    case .removed(let track): emit(TrackListInterface.removed, of: TrackListInterface.name, .objectPath(track.path))
    }
  }

  private func emitMetadataChange(of track: MPRISTrackID) {
    guard let metadata = trackList?.changedMetadata(of: track) else { return }
    emit(TrackListInterface.metadataChanged, of: TrackListInterface.name, .objectPath(track.path), metadata.value)
  }
}
