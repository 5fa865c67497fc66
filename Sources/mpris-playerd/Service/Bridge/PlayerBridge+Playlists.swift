import MPRISService

/// The playlist folder as the playlists of MPRIS.
extension PlayerBridge: PlaylistPlayer {
  var playlistOrderings: [PlaylistOrdering] { [.alphabetical, .modified, .played] }

  func playlists() -> [Playlist] { playlistFolder.playlists() }

  func activePlaylist() -> Playlist.ID? { playlistFolder.active }

  /// The user's own folder: what stands in a playlist of it may be opened, whatever clients may have opened.
  func activate(_ playlist: Playlist.ID) throws(CommandError) {
    guard let uri = playlistFolder.uri(of: playlist) else { throw .invalid("the playlist is not there any more") }
    open(OpenRequest(uris: [uri], placement: .replace))
  }
}
