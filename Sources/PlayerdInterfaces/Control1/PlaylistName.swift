/// What a saved queue is called: the name of a file that is a playlist and stays in its folder.
package struct PlaylistName: Equatable, Sendable {
  package static let rule =
    "a playlist's name is no path, does not begin with a dot, and is of 1 to 200 bytes without controls"
  private static let ending = ".m3u8"

  /// Without an ending.
  package let text: String

  package var fileName: String { text + Self.ending }

  /// Nil for what no file of the playlist folder can be called; the ending may be there or not.
  package init?(_ name: String) {
    let text = name.hasSuffix(Self.ending) ? String(name.dropLast(Self.ending.count)) : name
    guard (1...200).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
      text.unicodeScalars.allSatisfy({ $0 != "/" && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }),
      text.contains(where: { !$0.isWhitespace })
    else { return nil }
    self.text = text
  }
}
