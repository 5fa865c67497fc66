import TextCoding

/// Compares file names in natural order: ASCII case is ignored, and numbers are compared by value.
package enum NaturalOrder {
  /// Whether `left` precedes `right`: `Track 2` before `track 10`.
  package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var (a, b) = (left[...], right[...])
    while let first = a.first, let second = b.first {
      if first.isASCIIDigit, second.isASCIIDigit {
        let (m, n) = (takeNumber(&a), takeNumber(&b))
        if m.count != n.count { return m.count < n.count }
        if m != n { return m.lexicographicallyPrecedes(n) }
      } else {
        let (x, y) = (first.asciiLowercased, second.asciiLowercased)
        if x != y { return x < y }
        a.removeFirst()
        b.removeFirst()
      }
    }
    if a.isEmpty != b.isEmpty { return a.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }

  /// Removes the leading digits and returns them without leading zeros.
  private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = bytes.prefix(while: \.isASCIIDigit)
    bytes = bytes.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
