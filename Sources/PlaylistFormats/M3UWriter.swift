/// Writes extended M3U in UTF-8, as most players read it; ``PlaylistFormat/m3u`` reads it back.
///
/// <https://en.wikipedia.org/wiki/M3U>
public struct M3UWriter: Sendable {
  /// A title longer than this is cut, in characters.
  private static let textLimit = 1_000

  /// The file so far.
  public private(set) var bytes = Array("#EXTM3U\n".utf8)

  /// Begins a file.
  public init() {}

  /// Adds an entry; false when there is no way to write its location, and then nothing is added.
  ///
  /// Of what is known of it, title, performer, album and whole seconds of its length are written, and where in the file
  /// it begins and ends.
  @discardableResult
  public mutating func add(_ entry: PlaylistEntry) -> Bool {
    let location: [UInt8]
    switch entry.location {
    case .uri(let text), .reference(let text): location = Array(text.utf8)
    case .path(let path): location = path
    }
    // The line has to be read as it was written: without blanks around it, and not as a remark.
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
    bytes += location
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  private mutating func add(_ line: String) {
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A text in one line.
  private static func line(_ text: String?) -> String {
    guard let text else { return "" }
    var line = ""
    for scalar in text.unicodeScalars.prefix(textLimit) {
      line.unicodeScalars.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar)
    }
    return line
  }

  /// Seconds with all of their nanoseconds: parts that meet must still meet when they are read again.
  private static func decimal(_ time: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, time).components
    let digits = String(attoseconds / 1_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
  }
}
