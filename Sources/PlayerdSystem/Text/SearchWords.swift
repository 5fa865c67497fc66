@_spi(_Unicode) import Swift

/// Words to find in texts, without regard to case, accents and typographic punctuation.
package struct SearchWords: Equatable, Sendable {
  /// The words as they were typed.
  package let words: [String]
  private let folded: [[UInt8]]

  package init(_ words: [String]) {
    self.words = words
    folded = words.map { Array(Self.fold($0).utf8) }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// The words for a message.
  package var text: String { words.joined(separator: " ") }

  /// Whether each word is in one of the texts.
  package func match(_ texts: [String?]) -> Bool { match(texts) { $0.contains($1) } }

  /// Whether each word is in one of the texts, without a digit beside it: “99” is not in “1999”.
  package func matchNumbers(_ texts: [String?]) -> Bool {
    match(texts) { text, word in
      text.ranges(of: word).contains { range in
        ![text[..<range.lowerBound].last, text[range.upperBound...].first].contains { byte in
          byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        }
      }
    }
  }

  private func match(_ texts: [String?], _ isIn: ([UInt8], [UInt8]) -> Bool) -> Bool {
    let texts = texts.compactMap { $0.map { Array(Self.fold($0).utf8) } }
    return folded.allSatisfy { word in texts.contains { isIn($0, word) } }
  }

  /// Returns a text without case and accents, and with the punctuation of a keyboard.
  private static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "`") }) { return text.uppercased() }
    var folded = String.UnicodeScalarView()
    // The standard library lacks a public normal form; FoundationEssentials uses this one too.
    // https://www.unicode.org/reports/tr15/
    for scalar in text.uppercased()._nfd { folded.append(contentsOf: fold(scalar)) }
    return String(folded)
  }

  /// Returns the keyboard characters for an upper-case character of the canonical decomposition.
  ///
  /// MusicBrainz writes U+2019 and U+2010 where most keyboards have ' and -.
  /// <https://musicbrainz.org/doc/Style/Miscellaneous>
  private static func fold(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    switch scalar {
    // The full-width forms of ASCII.
    case "\u{FF01}"..."\u{FF5E}": return fold(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
    case "`", "´", "‘", "’", "‚", "‛", "‹", "›", "′", "‵", "ʹ", "ʻ", "ʼ", "ʽ", "ˈ", "Ꞌ", "՚": return "'".unicodeScalars
    case "“", "”", "„", "‟", "«", "»", "″", "‶", "ʺ", "〝", "〞", "〟": return "\"".unicodeScalars
    case "−", "⁃", "˗": return "-".unicodeScalars
    case "…", "⋯": return "...".unicodeScalars
    case "‥": return "..".unicodeScalars
    case "⁄", "∕": return "/".unicodeScalars
    // Letters with strokes, and ligatures, are not decomposed.
    case "Ø": return "O".unicodeScalars
    case "Ł": return "L".unicodeScalars
    case "Đ", "Ð": return "D".unicodeScalars
    case "Æ": return "AE".unicodeScalars
    case "Œ": return "OE".unicodeScalars
    default: break
    }
    switch scalar.properties.generalCategory {
    // Marks, soft hyphens and joiners.
    case .nonspacingMark, .format: return "".unicodeScalars
    case .dashPunctuation: return "-".unicodeScalars
    case .spaceSeparator: return " ".unicodeScalars
    default: return String.UnicodeScalarView([scalar])
    }
  }
}
