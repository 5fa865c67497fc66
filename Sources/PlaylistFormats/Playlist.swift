/// What a playlist file says: its entries in their order, and what in it could not be understood.
public struct Playlist: Hashable, Sendable {
  /// The largest file that is read, in bytes.
  public static let byteLimit = 64 << 20
  /// The most entries that are taken from one file; the rest is cut with a warning.
  public static let entryLimit = 1_000_000
  /// The most warnings that are kept of one file.
  static let warningLimit = 1_000

  /// One line that could not be used.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The line's number, 1 and up; 0 where it is about no line.
    public let line: Int
    /// What is wrong with it.
    public let text: String

    /// The line and what is wrong with it, for a log.
    public var description: String { line > 0 ? "line \(line): \(text)" : text }
  }

  /// What the playlist calls itself.
  public var title: String?
  /// What it lists, in its order.
  public private(set) var entries: [PlaylistEntry] = []
  /// What could not be used, in order of the lines.
  public private(set) var warnings: [Warning] = []

  /// Whether the limit has been reached.
  var isFull: Bool { entries.count >= Self.entryLimit }

  init() {}

  /// Adds an entry; false when the limit cuts it off, which is warned of once.
  @discardableResult
  mutating func add(_ entry: PlaylistEntry, line: Int = 0) -> Bool {
    guard isFull else {
      entries.append(entry)
      return true
    }
    warn("it lists more than \(Self.entryLimit) items; the rest is left out", line: line)
    return false
  }

  mutating func warn(_ text: String, line: Int) {
    guard warnings.count <= Self.warningLimit else { return }
    let isLast = warnings.count == Self.warningLimit
    warnings.append(isLast ? Warning(line: 0, text: "more that could not be used") : Warning(line: line, text: text))
  }
}

/// One entry of a playlist.
public struct PlaylistEntry: Hashable, Sendable {
  /// Where it is, as the playlist writes it.
  public var location: PlaylistLocation
  /// The title.
  public var title: String?
  /// The performer.
  public var artist: String?
  /// The album.
  public var album: String?
  /// The performer of the whole album.
  public var albumArtist: String?
  /// The genre.
  public var genre: String?
  /// The date of release, as written.
  public var date: String?
  /// The number on the album, 1 and up.
  public var trackNumber: Int?
  /// How long it plays; nil when the playlist does not know, or it never ends.
  public var duration: Duration?
  /// Where a picture for it is.
  public var image: PlaylistLocation?
  /// The international standard recording code.
  public var isrc: String?
  /// Where in the file it begins; nil for the start.
  public var start: Duration?
  /// Where in the file it ends; nil for the end.
  public var end: Duration?

  /// Makes an entry of which nothing but its place is known.
  public init(_ location: PlaylistLocation) { self.location = location }
}
