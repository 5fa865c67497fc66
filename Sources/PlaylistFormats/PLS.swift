import TextCoding

/// PLS: `File1=`, `Title1=` and `Length1=` in any order; played in numerical order.
///
/// <https://en.wikipedia.org/wiki/PLS_(file_format)>
enum PLS {
  private struct Item {
    var line: Int
    var location: PlaylistLocation?
    var title: String?
    var duration: Duration?
  }

  static func read(_ bytes: [UInt8], _ decoding: TextDecoding) -> Playlist {
    var playlist = Playlist()
    var items: [Int: Item] = [:]
    var isCut = false
    PlaylistText.forEachLine(of: bytes) { line, number in
      // A section name or a comment.
      if line.first == UInt8(ascii: "[") || line.first == UInt8(ascii: ";") || line.first == UInt8(ascii: "#") {
        return true
      }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), !line.contains(0) else {
        playlist.warn("the line is not of the form name=value", line: number)
        return true
      }
      let (key, value) = (PlaylistText.trimmed(line[..<equals]), PlaylistText.trimmed(line[equals...].dropFirst()))
      let digits = key.lastIndex { !$0.isASCIIDigit }.map { key[($0 + 1)...] } ?? key
      guard !digits.isEmpty else { return true }
      guard let place = Int(String(decoding: digits, as: UTF8.self)) else {
        playlist.warn("the number is too large", line: number)
        return true
      }
      let name = String(decoding: key[..<digits.startIndex], as: UTF8.self).lowercased()
      guard items[place] != nil || items.count < Playlist.entryLimit else {
        isCut = isCut || ["file", "title", "length"].contains(name)
        return true
      }
      var item = items[place] ?? Item(line: number)
      switch name {
      case "file" where value.isEmpty: playlist.warn("no location", line: number)
      case "file" where item.location != nil: playlist.warn("duplicate File\(place)", line: number)
      case "file":
        item.location = PlaylistLocation(line: value)
        item.line = number
      case "title": item.title = PlaylistText.text(value, decoding)
      case "length":
        guard let seconds = Int64(String(decoding: value, as: UTF8.self)) else {
          playlist.warn("the length is not a number of seconds", line: number)
          break
        }
        item.duration = seconds > 0 && seconds < 1_000_000_000 ? .seconds(seconds) : nil
      default: return true
      }
      items[place] = item
      return true
    }
    for (_, item) in items.sorted(by: { $0.key < $1.key }) {
      guard let location = item.location else { continue }
      var entry = PlaylistEntry(location)
      entry.title = item.title
      entry.duration = item.duration
      playlist.add(entry, line: item.line)
    }
    if isCut { playlist.warn("more than \(Playlist.entryLimit) items; the rest is omitted", line: 0) }
    return playlist
  }
}
