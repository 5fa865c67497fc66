package import DBus

/// The requirements of `org.playerd.Control1` on a player, apart from opening.
package protocol ControlledPlayer: Sendable {
  /// Returns one consistent view of the player.
  func status() -> PlayerStatus
  func setMuted(_ isMuted: Bool)
  /// Plays through the output with this ID, empty for the configured one.
  func setOutput(_ id: String) async -> OutputSelection
  /// Saves the queue as a playlist; returns the path of the file.
  func saveQueue(as name: PlaylistName, replacing: Bool) -> Result<String, DBusError>
  /// Returns a part of the queue; waits for the tags near the current track.
  func tracks(from offset: Int, count: Int) async -> QueuePage
  func removeTracks(at indices: [Int]) throws(DBusError)
  func moveTrack(from source: Int, to target: Int) throws(DBusError)
  func playTrack(at index: Int) throws(DBusError)
  func clear()
  /// Restores the queue, the track and the position from before the last replacement or clear.
  func undo() throws(DBusError)
  /// The names of the saved playlists in natural order.
  var playlistNames: [String] { get }
  func playlistURI(named name: String) -> String?
  /// The configuration in force as TOML, with the origin of each value.
  var configurationText: String { get }
  /// Returns the latest inputs; with the names of the items and in the tags, or without.
  func recording(withNames: Bool) -> InputRecording
  /// Reloads the configuration; returns the keys that apply only at the next start.
  func reload() throws(DBusError) -> [String]
}

/// The result of `org.playerd.Control1.SetOutput`.
package struct OutputSelection: Equatable, Sendable {
  /// Whether an output has the ID.
  package var isFound: Bool
  /// All outputs.
  package var outputs: [Output]

  package init(isFound: Bool, outputs: [Output]) { (self.isFound, self.outputs) = (isFound, outputs) }

  /// An output by ID and name.
  package struct Output: Equatable, Sendable, ValueRecord {
    package var id = ""
    package var name = ""

    package init() {}
    package init(id: String, name: String) { (self.id, self.name) = (id, name) }

    package static let fields: [ValueField<Self>] = [.init("id", \.id), .init("name", \.name)]
  }
}
