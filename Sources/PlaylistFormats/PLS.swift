import TextCoding

/// PLS: `File1=`, `Title1=` and `Length1=` in any order; played in numerical order.
///
/// <https://en.wikipedia.org/wiki/PLS_(file_format)>
enum PLS {
  /// The lines of one number: small, because a file may have a million of them.
  private struct Item {
    var line: UInt32
    /// The bytes of the location and of the title in the file; empty for none.
    var location: Range<UInt32> = 0..<0
    var title: Range<UInt32> = 0..<0
    /// In seconds; 0 if unknown.
    var length: UInt32 = 0
  }

  /// The items in the order of their first lines.
  private struct Items {
    private(set) var numbers: [Int] = []
    var items: [Item] = []
    /// The index of each number; nil as long as the numbers ascend, as in most files.
    private var indices: [Int: Int]?

    mutating func index(of number: Int) -> Int? {
      guard let last = numbers.last else { return nil }
      if number == last { return numbers.count - 1 }
      if indices == nil, number > last { return nil }
      let known = indices ?? Dictionary(uniqueKeysWithValues: zip(numbers, numbers.indices))
      indices = known
      return known[number]
    }

    mutating func add(_ number: Int, line: Int) -> Int {
      indices?[number] = numbers.count
      numbers.append(number)
      items.append(Item(line: UInt32(clamping: line)))
      return items.count - 1
    }

    /// The items in the order of their numbers.
    var inOrder: [Item] {
      indices == nil ? items : items.indices.sorted { numbers[$0] < numbers[$1] }.map { items[$0] }
    }
  }

  static func read(_ bytes: [UInt8], _ decoding: TextDecoding) -> Playlist {
    var playlist = Playlist()
    var items = Items()
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
      guard ["file", "title", "length"].contains(name) else { return true }
      guard
        let index = items.index(of: place)
          ?? (items.items.count < Playlist.entryLimit ? items.add(place, line: number) : nil)
      else {
        isCut = true
        return true
      }
      let range = UInt32(clamping: value.startIndex)..<UInt32(clamping: value.endIndex)
      switch name {
      case "file" where value.isEmpty: playlist.warn("no location", line: number)
      case "file" where !items.items[index].location.isEmpty: playlist.warn("duplicate File\(place)", line: number)
      case "file": (items.items[index].location, items.items[index].line) = (range, UInt32(clamping: number))
      case "title": items.items[index].title = range
      default:
        guard let seconds = Int64(String(decoding: value, as: UTF8.self)) else {
          playlist.warn("the length is not a number of seconds", line: number)
          break
        }
        items.items[index].length = seconds > 0 && seconds < 1_000_000_000 ? UInt32(seconds) : 0
      }
      return true
    }
    for item in items.inOrder where !item.location.isEmpty {
      func text(_ range: Range<UInt32>) -> ArraySlice<UInt8> { bytes[Int(range.lowerBound)..<Int(range.upperBound)] }
      var entry = PlaylistEntry(PlaylistLocation(line: text(item.location)))
      entry.title = PlaylistText.text(text(item.title), decoding)
      entry.duration = item.length > 0 ? .seconds(Int64(item.length)) : nil
      playlist.add(entry, line: Int(item.line))
    }
    if isCut { playlist.warn("more than \(Playlist.entryLimit) items; the rest is omitted", line: 0) }
    return playlist
  }
}
