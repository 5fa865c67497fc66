/// Text in UTF-16 as it is in files: bytes in either order.
package enum UTF16Bytes {
  /// Whether text begins with a byte order mark.
  package static func isMarked(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// Decodes text that begins with a byte order mark, without the mark; nil if there is none.
  package static func decodeMarked(_ bytes: ArraySlice<UInt8>) -> String? {
    guard isMarked(bytes) else { return nil }
    return decode(bytes.dropFirst(2), isLittleEndian: bytes.first == 0xFF)
  }

  /// Decodes text; half a unit at the end is left out, and surrogates without a partner become U+FFFD.
  package static func decode(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }
}
