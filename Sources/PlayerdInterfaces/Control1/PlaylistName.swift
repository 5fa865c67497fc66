/// The name of a saved queue: a valid name of a playlist file in the playlist folder.
package struct PlaylistName: Equatable, Sendable {
  package static let rule =
    "a playlist name has 1 to 200 bytes without '/' or control characters, and does not start with a dot"
  private static let ending = ".m3u8"

  /// The name without its extension.
  package let text: String

  package var fileName: String { text + Self.ending }

  /// Validates a name, with or without its extension; nil if it is not a valid file name in the playlist folder.
  package init?(_ name: String) {
    let text = name.hasSuffix(Self.ending) ? String(name.dropLast(Self.ending.count)) : name
    guard (1...200).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
      text.unicodeScalars.allSatisfy({ $0 != "/" && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }),
      text.contains(where: { !$0.isWhitespace })
    else { return nil }
    self.text = text
  }
}
