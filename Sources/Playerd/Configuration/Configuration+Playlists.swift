extension Configuration {
  /// The playlist folder: the configured one, or `Playlists` in the music directory.
  var playlistFolder: [UInt8]? {
    let folder = playlistsDirectory.isEmpty ? MusicDirectory.path.map { "\($0)/Playlists" } : playlistsDirectory
    return folder.map { Array($0.utf8) }
  }
}
