/// The content of a playlist file: its entries in order, and warnings.
package struct Playlist: Hashable, Sendable {
  /// The limit of a file's size in bytes.
  package static let byteLimit = 64 << 20
  /// The limit of entries from one file; the rest is omitted with a warning.
  package static let entryLimit = 1_000_000
  /// The limit of warnings for one file.
  static let warningLimit = 1_000

  /// A line that was ignored.
  package struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The line number, from 1; 0 for the whole file.
    package let line: Int
    package let text: String

    /// The line number and the reason, for a log.
    package var description: String { line > 0 ? "line \(line): \(text)" : text }
  }

  package var title: String?
  /// The entries in order.
  package private(set) var entries = PlaylistEntries()
  /// The warnings in order of the lines.
  package private(set) var warnings: [Warning] = []

  /// Adds an entry; returns false beyond the limit, which causes one warning.
  @discardableResult
  mutating func add(_ entry: PlaylistEntry, line: Int = 0) -> Bool {
    guard entries.count >= Self.entryLimit else {
      entries.append(entry)
      return true
    }
    warn("more than \(Self.entryLimit) items; the rest is omitted", line: line)
    return false
  }

  mutating func warn(_ text: String, line: Int) {
    guard warnings.count <= Self.warningLimit else { return }
    let isLast = warnings.count == Self.warningLimit
    warnings.append(isLast ? Warning(line: 0, text: "further warnings are omitted") : Warning(line: line, text: text))
  }
}

/// One entry of a playlist.
package struct PlaylistEntry: Hashable, Sendable {
  /// The location, as written in the playlist.
  package var location: PlaylistLocation
  package var title: String?
  package var artist: String?
  package var album: String?
  /// The artist of the whole album.
  package var albumArtist: String?
  package var genre: String?
  /// The date of release, as written.
  package var date: String?
  /// The track number on the album, from 1.
  package var trackNumber: Int?
  /// The duration; nil if the playlist does not specify it or the entry is endless.
  package var duration: Duration?
  /// The location of a picture.
  package var image: PlaylistLocation?
  /// The international standard recording code.
  package var isrc: String?
  /// The start in the file; nil for the start of the file.
  package var start: Duration?
  /// The end in the file; nil for the end of the file.
  package var end: Duration?
  /// The user agent of the requests for the entry; nil for the player's own.
  package var userAgent: String?
  /// The referrer of the requests for the entry; nil for none.
  package var referrer: String?

  package init(_ location: PlaylistLocation) { self.location = location }
}
