/// Writes extended M3U in UTF-8, which most players read; ``PlaylistFormat/m3u`` reads it back.
///
/// <https://en.wikipedia.org/wiki/M3U>
package struct M3UWriter: Sendable {
  /// The limit of a title, artist or album in Unicode scalars; a longer one is cut.
  private static let textLimit = 1_000

  /// The file written so far.
  package private(set) var bytes = Array("#EXTM3U\n".utf8)

  package init() {}

  /// Continues a file, whose lines stay unchanged.
  package init(continuing file: [UInt8]) {
    bytes = file
    if let last = file.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Adds an entry; returns false and adds nothing if its location cannot be written.
  ///
  /// The writer stores title, artist, album, the length in whole seconds, the start and end in the file, and the headers.
  @discardableResult
  package mutating func add(_ entry: PlaylistEntry) -> Bool {
    let location: [UInt8]
    switch entry.location {
    case .uri(let text), .reference(let text): location = Array(text.utf8)
    case .path(let path): location = path
    }
    // The location must read back unchanged: without surrounding blanks, and not as a comment.
    guard let first = location.first, let last = location.last, first != UInt8(ascii: "#"),
      !PlaylistText.isBlank(first), !PlaylistText.isBlank(last), location.allSatisfy({ $0 >= 0x20 })
    else { return false }
    let seconds = entry.duration.map { max(1, ($0 + .milliseconds(500)).components.seconds) }
    let title = Self.line(entry.title)
    if seconds != nil || !title.isEmpty { add("#EXTINF:\(seconds ?? -1),\(title)") }
    let artist = Self.line(entry.artist)
    if !artist.isEmpty { add("#EXTART:\(artist)") }
    let album = Self.line(entry.album)
    if !album.isEmpty { add("#EXTALB:\(album)") }
    if let start = entry.start { add("#EXTVLCOPT:start-time=\(Self.decimal(start))") }
    if let end = entry.end { add("#EXTVLCOPT:stop-time=\(Self.decimal(end))") }
    let agent = Self.line(entry.userAgent)
    if !agent.isEmpty { add("#EXTVLCOPT:http-user-agent=\(agent)") }
    let referrer = Self.line(entry.referrer)
    if !referrer.isEmpty { add("#EXTVLCOPT:http-referrer=\(referrer)") }
    bytes += location
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  private mutating func add(_ line: String) {
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the text in one line.
  private static func line(_ text: String?) -> String {
    let scalars = (text ?? "").unicodeScalars.prefix(textLimit)
    return String(String.UnicodeScalarView(scalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Formats seconds with all nanoseconds, because adjacent clips must still be adjacent when they are read back.
  private static func decimal(_ time: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, time).components
    let digits = String(attoseconds / 1_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
  }
}
