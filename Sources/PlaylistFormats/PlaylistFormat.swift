package import TextCoding

/// A supported playlist format.
package enum PlaylistFormat: String, Hashable, Sendable, CaseIterable {
  /// A list of lines, with or without `#EXTINF`; also the format of HTTP Live Streaming, which is not a playlist.
  case m3u
  /// An INI file of Winamp and SHOUTcast.
  case pls
  /// XML: <https://xspf.org/spec>.
  case xspf
  /// The track list of a disc whose audio is in one or a few files.
  case cue

  /// Creates the format from a file name extension, before `.gz` too; nil if it is none of these.
  package init?(fileName: String) {
    let fileName = fileName.lowercased().hasSuffix(".gz") ? String(fileName.dropLast(3)) : fileName
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let suffix = fileName[fileName.index(after: dot)...].lowercased()
    self.init(rawValue: suffix == "m3u8" ? "m3u" : suffix)
  }

  /// Creates the format from a server's media type; nil if it is none of these.
  package init?(mediaType: String) {
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

extension PlaylistFormat {
  /// Whether the beginning of a file shows that it is HTTP Live Streaming.
  package func isStream(_ beginning: [UInt8]) -> Bool {
    self == .m3u && M3U.isStream(PlaylistText.withoutMark(beginning))
  }

  /// Reads a file of this format, which may be packed by gzip.
  ///
  /// Nil for HTTP Live Streaming, which is one item whose segments the player reads.
  ///
  /// This never fails: lines that cannot be used become warnings. Time and memory are proportional to the size. The
  /// function accesses no files and no servers.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - decoding: The decoding of texts in formats other than XSPF.
  /// - Returns: The playlist.
  package func read(_ bytes: [UInt8], _ decoding: TextDecoding = TextDecoding()) -> Playlist? {
    let bytes = Gzip.unpacked(bytes, limit: Playlist.byteLimit)
    guard bytes.count <= Playlist.byteLimit else {
      var playlist = Playlist()
      playlist.warn("the file is larger than 64 MiB", line: 0)
      return playlist
    }
    switch self {
    case .m3u: return M3U.read(PlaylistText.withoutMark(bytes), decoding)
    case .pls: return PLS.read(PlaylistText.withoutMark(bytes), decoding)
    case .xspf: return XSPF.read(bytes)
    case .cue: return CueSheet.read(PlaylistText.withoutMark(bytes), decoding)
    }
  }
}
