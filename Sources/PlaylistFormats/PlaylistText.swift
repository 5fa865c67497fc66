/// Text of files that do not say how they are encoded.
enum PlaylistText {
  /// UTF-8 where it is, else Windows-1252, which is Latin-1 and what is found in its gaps.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(windows1252(byte)) }
    return text
  }

  /// A whole file: a byte order mark decides, and what is in UTF-16 comes back in UTF-8.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var rest = bytes.dropFirst(2)
    while let first = rest.popFirst(), let second = rest.popFirst() {
      units.append(isLittle ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let highControls: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(highControls[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  // MARK: Lines

  /// The lines of a file, whatever ends them, without the blanks around them; empty ones keep their numbers and are
  /// left out.
  static func forEachLine(of bytes: [UInt8], _ body: (ArraySlice<UInt8>, Int) -> Bool) {
    var number = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.endIndex
      number += 1
      let line = trimmed(bytes[start..<end])
      if !line.isEmpty, !body(line, number) { return }
      start = end + 1
      if end < bytes.endIndex, bytes[end] == UInt8(ascii: "\r"), start < bytes.endIndex,
        bytes[start] == UInt8(ascii: "\n")
      {
        start += 1
      }
    }
  }

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  /// The text without blanks around it; nil when nothing is left.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let bytes = trimmed(bytes)
    return bytes.isEmpty ? nil : decode(bytes)
  }

  /// The rest of a line that begins with `prefix`, whatever its case; nil when it does not.
  static func rest(of line: ArraySlice<UInt8>, after prefix: String) -> ArraySlice<UInt8>? {
    let count = prefix.utf8.count
    guard line.count >= count, zip(line, prefix.utf8).allSatisfy({ lowercase($0) == lowercase($1) }) else { return nil }
    return line.dropFirst(count)
  }

  // MARK: Bytes

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(byte))
  }
  static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  /// Percent signs in place of what may not stand in a URI at all.
  static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += byte < 0x10 ? "%0" : "%"
        text += String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
