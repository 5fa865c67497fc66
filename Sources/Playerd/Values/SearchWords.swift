@_spi(_Unicode) import Swift

/// Words to find in texts, without regard to case and accents.
struct SearchWords: Equatable, Sendable {
  /// The words as they were typed.
  let words: [String]
  private let folded: [[UInt8]]

  init(_ words: [String]) {
    self.words = words
    folded = words.map { Array(Self.fold($0).utf8) }
  }

  var isEmpty: Bool { words.isEmpty }

  /// The words for a message.
  var text: String { words.joined(separator: " ") }

  /// Whether each word is in one of the texts.
  func match(_ texts: [String?]) -> Bool {
    let texts = texts.compactMap { $0.map { Array(Self.fold($0).utf8) } }
    return folded.allSatisfy { word in texts.contains { $0.contains(word) } }
  }

  /// Returns a text without case and accents.
  private static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.uppercased() }
    var folded = String.UnicodeScalarView()
    // The standard library has no public normal form; FoundationEssentials uses this one too.
    // https://www.unicode.org/reports/tr15/
    for scalar in text.uppercased()._nfd where scalar.properties.generalCategory != .nonspacingMark {
      folded.append(scalar)
    }
    return String(folded)
  }
}
