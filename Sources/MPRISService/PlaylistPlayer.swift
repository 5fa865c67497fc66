public import DBus

/// A player that offers playlists.
///
/// Nothing is asked of it before a client asks, and what changes is told from then on.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html>
public protocol PlaylistPlayer: MediaPlayer {
  /// The orders in which clients can have the playlists; the first is used where a client names another.
  var playlistOrderings: [PlaylistOrdering] { get }

  /// Returns the playlists in the order of their names, as the player sorts names.
  ///
  /// Called on the message bus's thread: for the first time when a client asks, then after each event `changed`.
  func playlists() -> [Playlist]

  /// Returns the playlist that the queue was made from; nil for none.
  func activePlaylist() -> Playlist.ID?

  /// Plays a playlist, one of ``playlists()``; it is active from then on or a moment later.
  ///
  /// - Throws: ``CommandError`` when the command is refused; nothing has changed then.
  func activate(_ playlist: Playlist.ID) throws(CommandError)
}

/// A playlist as clients see it.
public struct Playlist: Hashable, Identifiable, Sendable {
  /// What identifies it for clients; the same for as long as the playlist is there, and after a restart.
  public var id: ObjectPath
  /// What people call it.
  public var name: String
  /// The URI of a picture; empty for none.
  public var icon = ""
  /// When it was made, since 1970.
  public var created: Duration?
  /// When it was changed last, since 1970.
  public var modified: Duration?
  /// When it was played last, since 1970.
  public var played: Duration?

  /// Names a playlist; the rest is assigned.
  public init(id: ObjectPath, name: String) {
    self.id = id
    self.name = name
  }

  /// The structure `(oss)` that clients read.
  var value: Value { .structure([.objectPath(id), .string(name), .string(icon)]) }
}

/// An order of playlists; those by date begin with the oldest, and a date that is not known is older than any.
///
/// <https://specifications.freedesktop.org/mpris-spec/latest/Playlists_Interface.html#Enum:Playlist_Ordering>
public enum PlaylistOrdering: String, Hashable, Sendable, CaseIterable {
  /// By name.
  case alphabetical = "Alphabetical"
  /// By the time when it was made.
  case created = "Created"
  /// By the time of its last change.
  case modified = "Modified"
  /// By the time when it was played last.
  case played = "Played"
  /// As the user has it.
  case user = "User"
}
