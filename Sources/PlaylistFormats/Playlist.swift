/// The content of a playlist file: its entries in order, and warnings.
public struct Playlist: Hashable, Sendable {
  /// The limit of a file's size in bytes.
  public static let byteLimit = 64 << 20
  /// The limit of entries from one file; the rest is omitted with a warning.
  public static let entryLimit = 1_000_000
  /// The limit of warnings for one file.
  static let warningLimit = 1_000

  /// A line that was ignored.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The line number, from 1; 0 for the whole file.
    public let line: Int
    /// The reason.
    public let text: String

    /// The line number and the reason, for a log.
    public var description: String { line > 0 ? "line \(line): \(text)" : text }
  }

  /// The title of the playlist.
  public var title: String?
  /// The entries in order.
  public private(set) var entries: [PlaylistEntry] = []
  /// The warnings in order of the lines.
  public private(set) var warnings: [Warning] = []

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
public struct PlaylistEntry: Hashable, Sendable {
  /// The location, as written in the playlist.
  public var location: PlaylistLocation
  /// The title.
  public var title: String?
  /// The artist.
  public var artist: String?
  /// The album.
  public var album: String?
  /// The artist of the whole album.
  public var albumArtist: String?
  /// The genre.
  public var genre: String?
  /// The date of release, as written.
  public var date: String?
  /// The track number on the album, from 1.
  public var trackNumber: Int?
  /// The duration; nil if the playlist does not specify it or the entry is endless.
  public var duration: Duration?
  /// The location of a picture.
  public var image: PlaylistLocation?
  /// The international standard recording code.
  public var isrc: String?
  /// The start in the file; nil for the start of the file.
  public var start: Duration?
  /// The end in the file; nil for the end of the file.
  public var end: Duration?

  /// Creates an entry with only a location.
  public init(_ location: PlaylistLocation) { self.location = location }
}
