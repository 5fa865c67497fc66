package import DBus

/// The declarations of `org.playerd.Control1`: the requests of the command line that MPRIS does not cover.
///
/// A request is declared once, with its Swift types, and needs only a handler in the daemon. Indices count from 0.
package enum ControlInterface {
  package static let name: InterfaceName = "org.playerd.Control1"

  /// A method with an `Input` tuple of arguments and an `Output` tuple of results.
  package typealias Request<Input, Output> = DBusFunction<Input, Output>

  /// Opens URIs; the reply is sent when all resolved items are in the queue, or with an unfinished report after some
  /// seconds of reading.
  ///
  /// The time limit is for folders and servers that do not respond.
  package static let open = Request<([String], [String: DBusValue]), OpenReport>(
    "Open", in: ["uris", "options"], out: ["report"], timeout: .seconds(600))
  /// Saves the queue as a playlist; returns the path of the file.
  package static let save = Request<(String, Bool), String>("Save", in: ["name", "replace"], out: ["path"])
  /// Saves the queue with paths relative to the playlist folder, where that is possible.
  package static let saveRelative = Request<(String, Bool), String>(
    "SaveRelative", in: ["name", "replace"], out: ["path"])
  /// Returns one consistent view of the player.
  package static let getStatus = Request<Void, PlayerStatus>("GetStatus", out: ["status"])
  /// Returns a part of the queue: the parts of a ``QueuePage``.
  package static let getQueue = Request<(UInt32, UInt32), (UInt64, UInt32, [QueuedTrack])>(
    "GetQueue", in: ["offset", "count"], out: ["revision", "total", "tracks"])
  package static let removeTracks = Request<[UInt32], Void>("RemoveTracks", in: ["indices"])
  package static let moveTrack = Request<(UInt32, UInt32), Void>("MoveTrack", in: ["from", "to"])
  package static let playTrack = Request<UInt32, Void>("PlayTrack", in: ["index"])
  /// Removes tracks of a listed queue, or plays one; nothing changes if the queue has changed since it was listed.
  package static let removeListedTracks = Request<(UInt64, [UInt32]), Void>(
    "RemoveListedTracks", in: ["revision", "indices"])
  package static let playListedTrack = Request<(UInt64, UInt32), Void>("PlayListedTrack", in: ["revision", "index"])
  /// Selects the track at a distance from the current one in the order of play, negative for an earlier one.
  package static let skip = Request<Int32, Void>("Skip", in: ["count"])
  /// Plays the queue in list order (`off`), or `tracks` or `albums` in random order.
  package static let setShuffleMode = Request<String, Void>("SetShuffleMode", in: ["mode"])
  package static let clear = Request<Void, Void>("Clear")
  /// Reverses the last edit of the queue, or repeats the one that was reversed last; returns the kind of the edit (`add`,
  /// `remove`, `clear`, `replace`, `move` or `shuffle`), the number of tracks that have returned or left, and the title if
  /// it is one.
  package static let undo = Request<Void, (String, UInt32, String)>("Undo", out: ["edit", "count", "title"])
  package static let redo = Request<Void, (String, UInt32, String)>("Redo", out: ["edit", "count", "title"])
  /// Returns the names of the saved playlists in natural order.
  package static let getPlaylists = Request<Void, [String]>("GetPlaylists", out: ["names"])
  /// Returns the URI of a saved playlist; an empty one if no playlist has that name.
  package static let getPlaylistURI = Request<String, String>("GetPlaylistUri", in: ["name"], out: ["uri"])
  /// Appends items, or the current track if there are none, to a saved playlist, which is created if it does not exist;
  /// returns the number of appended tracks.
  package static let appendToPlaylist = Request<(String, [String]), UInt32>(
    "AppendToPlaylist", in: ["name", "uris"], out: ["count"])
  package static let renamePlaylist = Request<(String, String), Void>("RenamePlaylist", in: ["name", "new_name"])
  package static let deletePlaylist = Request<String, Void>("DeletePlaylist", in: ["name"])
  /// Returns the places in long files and books, the most recently played first.
  package static let getPlaces = Request<Void, [SavedPlace]>("GetPlaces", out: ["places"])
  /// Removes the places in these files and folders; returns their number.
  package static let forgetPlaces = Request<[String], UInt32>("ForgetPlaces", in: ["uris"], out: ["count"])
  package static let setMuted = Request<Bool, Void>("SetMuted", in: ["muted"])
  /// Returns the configuration in force as TOML, with the origin of each value.
  package static let getConfiguration = Request<Void, String>("GetConfiguration", out: ["toml"])
  /// Returns the latest inputs of the player: the version of the daemon, the configured values as one TOML line each,
  /// the recorded state and the inputs as one JSON value each (none without a recording), and the URIs of the items by
  /// number if names are requested.
  package static let getRecording = Request<Bool, (String, [String], [String], [String: DBusValue])>(
    "GetRecording", in: ["with_names"], out: ["version", "configuration", "lines", "names"])
  /// Reloads the configuration; returns the keys whose new values apply only at the next start.
  package static let reload = Request<Void, [String]>("Reload", out: ["next_start"])

  package static let queueIndex = DBusPropertyDeclaration<Int32>("QueueIndex")
  package static let queueCount = DBusPropertyDeclaration<UInt32>("QueueCount")
  package static let queueRevision = DBusPropertyDeclaration<UInt64>("QueueRevision")
  package static let shuffleMode = DBusPropertyDeclaration<String>("ShuffleMode")

  /// Returns the interface with the rows of the requests, for export beside `org.playerd.Monitor1`.
  package static func rows(_ requests: [DBusMethod]) -> DBusInterface<MonitorSnapshot> {
    DBusInterface(
      name, methods: requests,
      properties: [
        DBusProperty(queueIndex, get: { Int32(clamping: $0.queueIndex ?? -1) }),
        DBusProperty(queueCount, get: { UInt32(clamping: $0.queueCount) }),
        DBusProperty(queueRevision, get: { $0.queueRevision }),
        DBusProperty(shuffleMode, get: { $0.shuffleMode }),
      ])
  }
}
