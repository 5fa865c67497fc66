import ArgumentParser
import DBus
import Logging
import MPRISService

/// The requests of the command line, as calls of the daemon's interfaces.
extension RunningInstance {
  // MARK: Playback

  func play() async throws(DBusError) { try await player("Play") }
  func pause() async throws(DBusError) { try await player("Pause") }
  func togglePlayback() async throws(DBusError) { try await player("PlayPause") }
  func stop() async throws(DBusError) { try await player("Stop") }
  func next() async throws(DBusError) { try await player("Next") }
  func previous() async throws(DBusError) { try await player("Previous") }

  /// Seeks by a distance, which may be negative.
  func seek(by distance: Duration) async throws(DBusError) {
    try await player("Seek", [.int64(distance.microseconds)])
  }

  /// Seeks in a track; a track that is no longer current is left alone.
  func seek(to position: Duration, in track: ObjectPath) async throws(DBusError) {
    try await player("SetPosition", [.objectPath(track), .int64(position.microseconds)])
  }

  func nextChapter() async throws(DBusError) { try await extra("NextChapter") }
  func previousChapter() async throws(DBusError) { try await extra("PreviousChapter") }

  /// Repeats a part of the current track.
  func repeatPart(from start: Duration, to end: Duration) async throws(DBusError) {
    try await extra("SetABRepeat", [.int64(start.microseconds), .int64(end.microseconds)])
  }

  func stopRepeating() async throws(DBusError) { try await extra("ClearABRepeat") }

  func setStopsAfterCurrent(_ stops: Bool) async throws(DBusError) {
    try await set("StopAfterCurrent", of: Names.extrasInterface, at: Names.objectPath, .boolean(stops))
  }

  /// Sets the sleep timer; zero turns it off.
  func sleep(after delay: Duration, afterTrack: Bool) async throws(DBusError) {
    try await extra("SetSleepTimer", [.int64(delay.microseconds), .boolean(afterTrack)])
  }

  // MARK: Sound

  /// Sets the MPRIS volume; 1 is unchanged.
  func setVolume(_ volume: Double) async throws(DBusError) { try await set("Volume", .double(volume)) }

  func setMuted(_ isMuted: Bool) async throws(DBusError) { try await control("SetMuted", [.boolean(isMuted)]) }
  func setRate(_ rate: Double) async throws(DBusError) { try await set("Rate", .double(rate)) }

  /// Plays through the device with this ID; an empty one is the configured output.
  ///
  /// - Throws: Exit status 1 for a device that does not exist; the reason and the list of devices have been logged.
  func setOutput(_ id: String) async throws {
    let reply = try await control("SetOutput", [.string(id)])
    guard reply.first?.asBool != true else { return }
    var devices: [Value] = []
    if reply.count == 2, case .array(_, let rows) = reply[1] { devices = rows }
    log.error("there is no output device “\(id)”; \(devices.isEmpty ? "none was found" : "the devices are:")")
    for device in devices.compactMap(\.asDictionary) {
      let line = "  \(device["id"]?.asString ?? "")  \(device["name"]?.asString ?? "")"
      _ = StandardError.write(line.withoutControls + "\n")
    }
    throw ExitStatus.failure
  }

  // MARK: Queue

  /// How long an instance may take to read folders, playlists and servers.
  private static let openTimeout = Duration.seconds(600)

  /// Opens items; returns when all that was found is in the queue.
  func open(_ request: OpenRequest) async throws(DBusError) -> OpenReport {
    let reply = try await connection.call(
      owner, Names.objectPath, Names.controlInterface, "Open", [.strings(request.uris), .dictionary(request.options)],
      timeout: Self.openTimeout)
    return OpenReport(reply.first?.asDictionary ?? [:])
  }

  func setShuffled(_ isShuffled: Bool) async throws(DBusError) { try await set("Shuffle", .boolean(isShuffled)) }

  func setLoop(_ mode: LoopArgument) async throws(DBusError) { try await set("LoopStatus", .string(mode.mprisName)) }

  /// Returns all tracks of the queue.
  ///
  /// A queue that changes while it is read is read again.
  func tracks() async throws(DBusError) -> [QueuedTrack] {
    var rows: [QueuedTrack] = []
    var revision: UInt64?
    var restarts = 0
    while true {
      let page = try await tracks(from: Int64(rows.count), count: Int64(ControlBridge.pageSize))
      if let revision, page.revision != revision, restarts < Self.restartLimit {
        restarts += 1
        rows = []
      } else {
        rows += page.rows
        guard !page.rows.isEmpty, rows.count < page.total else { return rows }
      }
      revision = page.revision
    }
  }

  /// How often the reading of a queue that changes starts again.
  private static let restartLimit = 5

  /// Returns a part of the queue; indices count from 0.
  func tracks(from offset: Int64, count: Int64) async throws(DBusError) -> QueuePage {
    let reply = try await control("GetQueue", [.uint32(UInt32(clamping: offset)), .uint32(UInt32(clamping: count))])
    guard reply.count == 3, case .uint64(let revision) = reply[0], let total = reply[1].asInt64,
      case .array(_, let rows) = reply[2]
    else { throw .failed("the instance has sent no queue") }
    return QueuePage(
      revision: revision, total: total, rows: rows.map { QueuedTrack($0.asDictionary ?? [:]) })
  }

  func removeTracks(at indices: [Int64]) async throws(DBusError) {
    try await control("RemoveTracks", [Value.array("u", indices.map { .uint32(UInt32(clamping: $0)) })])
  }

  func moveTrack(from source: Int64, to target: Int64) async throws(DBusError) {
    try await control("MoveTrack", [.uint32(UInt32(clamping: source)), .uint32(UInt32(clamping: target))])
  }

  func playTrack(at index: Int64) async throws(DBusError) {
    try await control("PlayTrack", [.uint32(UInt32(clamping: index))])
  }

  func clearQueue() async throws(DBusError) { try await control("Clear") }

  // MARK: Playlists

  /// Returns the names of the saved playlists in natural order.
  func playlists() async throws(DBusError) -> [String] { try await control("GetPlaylists").first?.asStrings ?? [] }

  /// Returns the URI of a saved playlist; nil when there is none of that name.
  func playlistURI(named name: String) async throws(DBusError) -> String? {
    let uri = try await control("GetPlaylistUri", [.string(name)]).first?.asString ?? ""
    return uri.isEmpty ? nil : uri
  }

  /// Saves the queue as a playlist.
  ///
  /// - Returns: The path of the file.
  func save(as name: PlaylistName, replacing: Bool) async throws(DBusError) -> String {
    try await control("Save", [.string(name.text), .boolean(replacing)]).first?.asString ?? ""
  }

  // MARK: Daemon

  /// Reads one consistent view of the player.
  func status() async throws(DBusError) -> PlayerStatus {
    PlayerStatus(try await control("GetStatus").first?.asDictionary ?? [:])
  }

  /// Returns the configuration in force as TOML, with the origin of each value.
  func configuration() async throws(DBusError) -> String {
    try await control("GetConfiguration").first?.asString ?? ""
  }

  /// Makes the daemon read its configuration again.
  ///
  /// - Returns: The keys whose new values apply at the next start only.
  func reload() async throws(DBusError) -> [String] { try await control("Reload").first?.asStrings ?? [] }

  /// Whether the daemon may be ended over the bus.
  func canQuit() async throws(DBusError) -> Bool {
    let reply = try await connection.call(
      owner, Names.mprisPath, .properties, "Get", [.string(Names.mprisInterface.rawValue), .string("CanQuit")])
    return reply.first?.asVariant?.asBool ?? false
  }

  /// Ends the daemon; returns when it has left the bus.
  func quit() async throws(DBusError) {
    _ = try await connection.call(owner, Names.mprisPath, Names.mprisInterface, "Quit")
    await connection.untilGone(owner)
  }

  // MARK: Calls

  @discardableResult
  private func control(_ member: MemberName, _ arguments: [Value] = []) async throws(DBusError) -> [Value] {
    try await connection.call(owner, Names.objectPath, Names.controlInterface, member, arguments)
  }

  private func extra(_ member: MemberName, _ arguments: [Value] = []) async throws(DBusError) {
    _ = try await connection.call(owner, Names.objectPath, Names.extrasInterface, member, arguments)
  }

  private func player(_ member: MemberName, _ arguments: [Value] = []) async throws(DBusError) {
    _ = try await connection.call(owner, Names.mprisPath, Names.playerInterface, member, arguments)
  }

  private func set(
    _ property: String, of interface: InterfaceName = Names.playerInterface, at path: ObjectPath = Names.mprisPath,
    _ value: Value
  ) async throws(DBusError) {
    _ = try await connection.call(
      owner, path, .properties, "Set", [.string(interface.rawValue), .string(property), .variant(value)])
  }
}

extension LoopArgument {
  fileprivate var mprisName: String {
    switch self {
    case .none: "None"
    case .track: "Track"
    case .playlist: "Playlist"
    }
  }
}
