import PlaylistFormats

/// Counts the playlists that one request has read, with limits for all of them together: playlists that list each other
/// multiply.
struct ListExpansion {
  /// The limit of playlists.
  static let listLimit = 1_000

  /// The limit of playlists of this request.
  let limit: Int
  /// The limit of entries, whether they become items or not.
  static let entryLimit = Playlist.entryLimit
  /// The limit of bytes.
  static let byteLimit = Playlist.byteLimit

  private var lists = 0
  private var entries = 0
  private var bytes = 0
  /// The limit that has been exceeded, for users; nil if none has.
  private(set) var excess: String?

  init(limit: Int = listLimit) { self.limit = limit }

  /// Counts a playlist before its entries are added.
  mutating func add(listOf size: Int) {
    lists += 1
    bytes += min(size, Self.byteLimit)
    if lists > limit { excess = "more than \(limit) playlists" }
    if bytes > Self.byteLimit { excess = "playlists of more than 64 MiB" }
  }

  /// Counts an entry.
  mutating func addEntry() {
    entries += 1
    if entries > Self.entryLimit { excess = "playlists with more than \(Self.entryLimit) entries" }
  }
}
