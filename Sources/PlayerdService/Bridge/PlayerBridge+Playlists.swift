import MPRISService

/// The playlists of MPRIS: the files of the playlist folder.
extension PlayerBridge: MPRISPlaylistPlayer {
  var playlistOrderings: [MPRISPlaylistOrdering] { [.alphabetical, .modified, .played] }

  func playlists() -> [MPRISPlaylist] { playlistFolder.playlists() }

  func activePlaylist() -> MPRISPlaylist.ID? { playlistFolder.active }

  /// Plays a playlist; its entries are opened as the policy allows.
  func activate(_ playlist: MPRISPlaylist.ID) throws(MPRISCommandError) {
    guard let uri = playlistFolder.uri(of: playlist) else { throw .invalid("the playlist no longer exists") }
    try open(OpenRequest(uris: [uri], placement: .replace))
  }
}
