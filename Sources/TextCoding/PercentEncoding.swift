/// The percent-encoding of bytes in URIs.
///
/// <https://www.rfc-editor.org/rfc/rfc3986#section-2.1>
package enum PercentEncoding {
  /// Replaces each byte that is not allowed with a percent sign and two hexadecimal digits; allowed bytes are ASCII.
  package static func encode(_ bytes: some Sequence<UInt8>, allowing isAllowed: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    for byte in Array(bytes) {
      if isAllowed(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Replaces each percent sign and the two hexadecimal digits after it with their byte; any other percent sign stays.
  package static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let encoded = Array(bytes)
    guard encoded.contains(UInt8(ascii: "%")) else { return encoded }
    var decoded: [UInt8] = []
    var rest = encoded[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(value),
        let low = rest.dropFirst().first.flatMap(value)
      {
        decoded.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Returns the value of a hexadecimal digit; nil for any other byte.
  private static func value(_ byte: UInt8) -> UInt8? {
    if byte.isASCIIDigit { return byte - UInt8(ascii: "0") }
    let letter = byte.asciiLowercased
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
  }
}
