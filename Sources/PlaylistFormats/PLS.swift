/// PLS: `File1=`, `Title1=` and `Length1=` in any order, played in the order of their numbers.
///
/// <https://en.wikipedia.org/wiki/PLS_(file_format)>
enum PLS {
  private struct Item {
    var line: Int
    var location: PlaylistLocation?
    var title: String?
    var duration: Duration?
  }

  static func read(_ bytes: [UInt8]) -> Playlist {
    var playlist = Playlist()
    var items: [Int: Item] = [:]
    var isCut = false
    PlaylistText.forEachLine(of: bytes) { line, number in
      // The section's name, and comments.
      if line.first == UInt8(ascii: "[") || line.first == UInt8(ascii: ";") || line.first == UInt8(ascii: "#") {
        return true
      }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), !line.contains(0) else {
        playlist.warn("no name and value", line: number)
        return true
      }
      let (key, value) = (PlaylistText.trimmed(line[..<equals]), PlaylistText.trimmed(line[equals...].dropFirst()))
      let digits = key.suffix(while: PlaylistText.isDigit)
      guard let place = Int(String(decoding: digits, as: UTF8.self)) else { return true }
      let name = String(decoding: key[..<digits.startIndex], as: UTF8.self).lowercased()
      guard items[place] != nil || items.count < Playlist.entryLimit else {
        isCut = true
        return true
      }
      var item = items[place] ?? Item(line: number)
      switch name {
      case "file" where value.isEmpty: playlist.warn("no location", line: number)
      case "file" where item.location != nil: playlist.warn("File\(place) for the second time", line: number)
      case "file":
        item.location = PlaylistLocation(line: value)
        item.line = number
      case "title": item.title = PlaylistText.text(value)
      case "length":
        guard let seconds = Int64(String(decoding: value, as: UTF8.self)) else {
          playlist.warn("no length in seconds", line: number)
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
    if isCut { playlist.warn("it lists more than \(Playlist.entryLimit) items; the rest is left out", line: 0) }
    return playlist
  }
}

extension ArraySlice<UInt8> {
  /// The longest end of the slice whose bytes all fulfil the condition.
  fileprivate func suffix(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, fits(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
