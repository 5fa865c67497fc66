/// The order in which a person sorts file names: without regard to ASCII case, and numbers by their value.
enum NaturalOrder {
  /// Whether `left` stands before `right`: `Track 2` before `track 10`.
  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var (a, b) = (left[...], right[...])
    while let first = a.first, let second = b.first {
      if isDigit(first), isDigit(second) {
        let (m, n) = (takeNumber(&a), takeNumber(&b))
        if m.count != n.count { return m.count < n.count }
        if m != n { return m.lexicographicallyPrecedes(n) }
      } else {
        let (x, y) = (lowercase(first), lowercase(second))
        if x != y { return x < y }
        a.removeFirst()
        b.removeFirst()
      }
    }
    if a.isEmpty != b.isEmpty { return a.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }

  /// The digits at the front, leading zeros left out.
  private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = bytes.prefix(while: isDigit)
    bytes = bytes.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
