import Testing

@testable import PlaylistFormats

/// Reads text as a playlist of a format.
func read(_ format: PlaylistFormat, _ text: String) throws -> Playlist { try read(format, Array(text.utf8)) }

/// Reads bytes as a playlist of a format.
func read(_ format: PlaylistFormat, _ bytes: [UInt8]) throws -> Playlist {
  guard let playlist = format.read(bytes) else { throw NoPlaylist() }
  return playlist
}

struct NoPlaylist: Error {}

extension PlaylistLocation {
  static func path(_ text: String) -> PlaylistLocation { .path(Array(text.utf8)) }
}
