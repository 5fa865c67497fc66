import TextCoding

/// The first bytes of a file or of a response; they show its kind whatever its name and its media type are.
package struct ContentStart: Sendable {
  /// The number of bytes that are enough.
  package static let size = 1_024

  /// The text, in lower case and without blanks at the beginning; nil for binary content.
  private let text: [UInt8]?

  /// Reads the beginning of the content, which may be packed by gzip.
  package init(_ bytes: some Sequence<UInt8>) {
    let start = Gzip.unpacked(Array(bytes.prefix(Self.size)), limit: Self.size)
    let text = PlaylistText.withoutMark(start)
    // A text contains no control characters but tabs, ends of lines and pages, and escapes.
    let isText = !text.contains { $0 < 0x09 || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
    self.text = isText ? text.drop { $0 <= 0x20 }.map(\.asciiLowercased) : nil
  }

  /// Whether the content may be text.
  package var isText: Bool { text != nil }

  /// Whether the content is an HTML document.
  package var isWebPage: Bool {
    guard let text else { return false }
    return ["<!doctype html", "<html", "<head", "<body"].contains { text.starts(with: $0.utf8) }
      || text.starts(with: "<".utf8) && contains("<html")
  }

  /// The playlist format that the content has for certain; nil for other content, and for a list of plain names.
  package var format: PlaylistFormat? {
    guard let text, !isWebPage else { return nil }
    if text.starts(with: "#extm3u".utf8) || text.starts(with: "#extinf:".utf8) { return .m3u }
    if text.starts(with: "[playlist]".utf8) { return .pls }
    if text.starts(with: "<".utf8) { return contains("<playlist") && contains("xspf.org/ns/") ? .xspf : nil }
    return isListOfURLs ? .m3u : nil
  }

  /// Whether the first line that is not a comment is a URL.
  private var isListOfURLs: Bool {
    let lines = (text ?? []).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(PlaylistText.trimmed)
    guard let first = lines.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }) else { return false }
    return ["http", "https"].contains(first.locationScheme) && !first.contains(where: PlaylistText.isBlank)
  }

  private func contains(_ words: String) -> Bool { text?.firstRange(of: Array(words.utf8)) != nil }
}
