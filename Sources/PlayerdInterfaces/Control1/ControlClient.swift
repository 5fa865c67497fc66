package import DBus

/// A client of `org.playerd.Control1` of a running daemon.
package struct ControlClient: Sendable {
  private let remote: DBusProxy

  package init(of owner: BusName, on connection: DBusConnection) {
    remote = DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection)
  }

  /// The time limit for an instance to read folders, playlists and servers.
  private static let openTimeout = Duration.seconds(600)

  /// Opens URIs; returns when all resolved items are in the queue.
  package func open(_ uris: [String], _ options: [(String, DBusValue)]) async throws(DBusError) -> OpenReport {
    let reply = try await remote.call(
      ControlInterface.open, .strings(uris), .dictionary(options), timeout: Self.openTimeout)
    return OpenReport(reply.first?.asDictionary ?? [:])
  }

  /// Saves the queue as a playlist; returns the path of the file.
  package func save(as name: PlaylistName, replacing: Bool) async throws(DBusError) -> String {
    try await remote.call(ControlInterface.save, .string(name.text), .boolean(replacing)).first?.asString ?? ""
  }

  /// Returns one consistent view of the player.
  package func status() async throws(DBusError) -> PlayerStatus {
    PlayerStatus(try await remote.call(ControlInterface.getStatus).first?.asDictionary ?? [:])
  }

  // MARK: Queue

  /// The limit of restarts if the queue changes while it is read.
  private static let restartLimit = 5

  /// Returns all tracks of the queue.
  ///
  /// If the queue changes during the read, the read restarts. After five restarts, the rest is read from the changed
  /// queue, so tracks may be missing or repeated.
  package func tracks() async throws(DBusError) -> [QueuedTrack] {
    var rows: [QueuedTrack] = []
    var revision: UInt64?
    var restarts = 0
    while true {
      let page = try await tracks(from: Int64(rows.count), count: Int64(QueuePage.limit))
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

  /// Returns a part of the queue; indices count from 0.
  ///
  /// A reply beyond the limits of a page or of a queue is cut there, so that reading the whole queue ends.
  package func tracks(from offset: Int64, count: Int64) async throws(DBusError) -> QueuePage {
    let reply = try await remote.call(ControlInterface.getQueue, .index(offset), .index(count))
    guard reply.count == 3, case .uint64(let revision) = reply[0], let total = reply[1].asInt64,
      case .array(_, let rows) = reply[2]
    else { throw .failed("the instance sent an invalid reply to GetQueue") }
    return QueuePage(
      revision: revision, total: min(total, QueuePage.totalLimit),
      rows: rows.prefix(QueuePage.limit).map { QueuedTrack($0.asDictionary ?? [:]) })
  }

  package func removeTracks(at indices: [Int64]) async throws(DBusError) {
    try await remote.call(ControlInterface.removeTracks, .array("u", indices.map { .index($0) }))
  }

  package func moveTrack(from source: Int64, to target: Int64) async throws(DBusError) {
    try await remote.call(ControlInterface.moveTrack, .index(source), .index(target))
  }

  package func playTrack(at index: Int64) async throws(DBusError) {
    try await remote.call(ControlInterface.playTrack, .index(index))
  }

  package func clear() async throws(DBusError) { try await remote.call(ControlInterface.clear) }

  /// Restores the queue, the track and the position from before the last replacement or clear.
  package func undo() async throws(DBusError) { try await remote.call(ControlInterface.undo) }

  // MARK: Playlists

  /// Returns the names of the saved playlists in natural order.
  package func playlists() async throws(DBusError) -> [String] {
    try await remote.call(ControlInterface.getPlaylists).first?.asStrings ?? []
  }

  /// Returns the URI of a saved playlist; nil if no playlist has that name.
  package func playlistURI(named name: String) async throws(DBusError) -> String? {
    let uri = try await remote.call(ControlInterface.getPlaylistURI, .string(name)).first?.asString ?? ""
    return uri.isEmpty ? nil : uri
  }

  // MARK: Sound and configuration

  /// Plays through the device with this ID; an empty ID means the configured output.
  package func setOutput(_ id: String) async throws(DBusError) -> OutputSelection {
    let reply = try await remote.call(ControlInterface.setOutput, .string(id))
    var outputs: [DBusValue] = []
    if reply.count == 2, case .array(_, let rows) = reply[1] { outputs = rows }
    return OutputSelection(
      isFound: reply.first?.asBool ?? false, outputs: outputs.compactMap(\.asDictionary).map { .init($0) })
  }

  package func setMuted(_ isMuted: Bool) async throws(DBusError) {
    try await remote.call(ControlInterface.setMuted, .boolean(isMuted))
  }

  /// Returns the configuration in force as TOML, with the origin of each value.
  package func configuration() async throws(DBusError) -> String {
    try await remote.call(ControlInterface.getConfiguration).first?.asString ?? ""
  }

  /// Returns the latest inputs of the player; with the names of the items and in the tags, or without.
  package func recording(withNames: Bool) async throws(DBusError) -> InputRecording {
    try InputRecording(await remote.call(ControlInterface.getRecording, .boolean(withNames)))
  }

  /// Reloads the configuration of the daemon; returns the keys whose new values apply only at the next start.
  package func reload() async throws(DBusError) -> [String] {
    try await remote.call(ControlInterface.reload).first?.asStrings ?? []
  }
}

extension DBusValue {
  /// Creates the argument for an index in the queue.
  fileprivate static func index(_ index: Int64) -> DBusValue { .uint32(UInt32(clamping: index)) }
}
