/// A supported playlist format.
public enum PlaylistFormat: String, Hashable, Sendable, CaseIterable {
  /// A list of lines, with or without `#EXTINF`; also the format of HTTP Live Streaming, which is not a playlist.
  case m3u
  /// An INI file of Winamp and SHOUTcast.
  case pls
  /// XML: <https://xspf.org/spec>.
  case xspf
  /// The track list of a disc whose audio is in one or a few files.
  case cue

  /// Creates the format from a file name extension; nil if it is none of these.
  public init?(fileName: String) {
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "m3u", "m3u8": self = .m3u
    case "pls": self = .pls
    case "xspf": self = .xspf
    case "cue": self = .cue
    default: return nil
    }
  }

  /// Creates the format from a server's media type; nil if it is none of these.
  public init?(mediaType: String) {
    let name = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
    switch name {
    case "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/mpegurl",
      "application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl.audio":
      self = .m3u
    case "audio/x-scpls", "audio/scpls", "application/pls+xml", "application/x-scpls": self = .pls
    case "application/xspf+xml", "application/xspf": self = .xspf
    case "application/x-cue", "text/x-cue": self = .cue
    default: return nil
    }
  }
}

/// The result of reading a file.
public enum PlaylistReading: Hashable, Sendable {
  /// A list of items.
  case playlist(Playlist)
  /// HTTP Live Streaming: the file is one item, and the player reads its segments.
  case liveStream
}

extension PlaylistFormat {
  /// Reads a file of this format.
  ///
  /// This never fails: lines that cannot be used become warnings. Time and memory are proportional to the size. The
  /// function accesses no files and no servers.
  public func read(_ bytes: [UInt8]) -> PlaylistReading {
    guard bytes.count <= Playlist.byteLimit else {
      var playlist = Playlist()
      playlist.warn("the file is larger than 64 MiB", line: 0)
      return .playlist(playlist)
    }
    switch self {
    case .m3u: return M3U.read(PlaylistText.withoutMark(bytes))
    case .pls: return .playlist(PLS.read(PlaylistText.withoutMark(bytes)))
    case .xspf: return .playlist(XSPF.read(bytes))
    case .cue: return .playlist(CueSheet.read(PlaylistText.withoutMark(bytes)))
    }
  }
}
