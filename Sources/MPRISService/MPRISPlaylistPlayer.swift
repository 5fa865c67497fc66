public import DBus

/// A player that offers playlists.
///
/// The playlists are not read before a client requests them; their changes are emitted from then on.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html>
public protocol MPRISPlaylistPlayer: MPRISPlayer {
  /// The supported orders; the first is used if a client requests another one.
  var playlistOrderings: [MPRISPlaylistOrdering] { get }

  /// Returns the playlists ordered by name, in the player's collation.
  ///
  /// Called on the message bus's thread: first on the first request of a client, then after each event `changed`.
  func playlists() -> [MPRISPlaylist]

  /// Returns the playlist from which the queue was created; nil for none.
  func activePlaylist() -> MPRISPlaylist.ID?

  /// Plays a playlist of ``playlists()``; it becomes active at once or after a short delay.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func activate(_ playlist: MPRISPlaylist.ID) throws(MPRISCommandError)
}

extension MPRISPlaylistPlayer {
  /// The order by name.
  public var playlistOrderings: [MPRISPlaylistOrdering] { [.alphabetical] }
}

/// A playlist in the form that clients read.
public struct MPRISPlaylist: Hashable, Identifiable, Sendable {
  /// The identity for clients; stable while the playlist exists, and after a restart.
  public var id: ObjectPath
  /// The display name.
  public var name: String
  /// The URI of an icon; empty for none.
  public var icon = ""
  /// The time of creation, since 1970.
  public var created: Duration?
  /// The time of the last change, since 1970.
  public var modified: Duration?
  /// The time of the last playback, since 1970.
  public var played: Duration?

  /// Creates a playlist; the other properties are assigned later.
  public init(id: ObjectPath, name: String) {
    self.id = id
    self.name = name
  }

  /// The structure `(oss)` for clients.
  var value: DBusValue { .structure([.objectPath(id), .string(name), .string(icon)]) }
}

/// An order of playlists.
///
/// Orders by date start with the oldest; an unknown date is older than any known one.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html#Enum:Playlist_Ordering>
public enum MPRISPlaylistOrdering: String, Hashable, Sendable, CaseIterable {
  /// Alphabetical by name.
  case alphabetical = "Alphabetical"
  /// By creation time.
  case created = "Created"
  /// By time of the last change.
  case modified = "Modified"
  /// By time of the last playback.
  case played = "Played"
  /// By the user's own order.
  case user = "User"
}
