import TextCoding

/// Text of files without a declared encoding.
package enum PlaylistText {
  /// Removes the byte order mark of a file, and converts UTF-16 to UTF-8.
  package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    return UTF16Bytes.decodeMarked(bytes[...]).map { Array($0.utf8) } ?? bytes
  }

  // MARK: Lines

  /// Calls `body` with each line, trimmed, and its number; any line ending is accepted.
  ///
  /// Empty lines are counted but omitted.
  static func forEachLine(of bytes: [UInt8], _ body: (ArraySlice<UInt8>, Int) -> Bool) {
    var number = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.endIndex
      number += 1
      let line = trimmed(bytes[start..<end])
      if !line.isEmpty, !body(line, number) { return }
      start = end + (bytes[end...].starts(with: "\r\n".utf8) ? 2 : 1)
    }
  }

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  /// Returns the trimmed text; nil if it is empty.
  static func text(_ bytes: ArraySlice<UInt8>, _ decoding: TextDecoding) -> String? {
    let bytes = trimmed(bytes)
    return bytes.isEmpty ? nil : decoding.decode(bytes)
  }

  /// Removes the first word and the blanks after it, and returns the word; in quotes, a word may contain blanks.
  static func takeWord(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isQuoted = rest.first == UInt8(ascii: "\"")
    if isQuoted { rest = rest.dropFirst() }
    let end = rest.firstIndex { isQuoted ? $0 == UInt8(ascii: "\"") : isBlank($0) } ?? rest.endIndex
    defer { rest = rest[end...].dropFirst().drop(while: isBlank) }
    return rest[..<end]
  }

  /// Returns the rest of a line after a case-insensitive `prefix`; nil if the line does not start with it.
  static func rest(of line: ArraySlice<UInt8>, after prefix: String) -> ArraySlice<UInt8>? {
    let count = prefix.utf8.count
    guard line.count >= count, zip(line, prefix.utf8).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased }) else {
      return nil
    }
    return line.dropFirst(count)
  }

  // MARK: Bytes

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Percent-encodes the characters that are not allowed anywhere in a URI.
  static func escaped(_ bytes: [UInt8]) -> String {
    PercentEncoding.encode(bytes) { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
  }
}
