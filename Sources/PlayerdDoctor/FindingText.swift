import TextCoding

/// A text of a finding.
///
/// A report publishes its literal parts, numbers and terms. Everything else that is inserted into it is a name, which a
/// report leaves out.
struct FindingText: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  fileprivate struct Part: Sendable {
    var text: String
    var isName: Bool
  }

  private var parts: [Part]

  init(stringLiteral text: String) { parts = [Part(text: text, isName: false)] }
  init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Creates a text that consists of terms and of these names; a name may be part of another name.
  init(_ text: String, names: [String?]) {
    parts = [Part(text: text, isName: false)]
    for name in names.compactMap(\.self).sorted(by: { $0.count > $1.count }) where !name.isEmpty {
      parts = parts.flatMap { part in part.isName ? [part] : Self.split(part.text, at: name) }
    }
  }

  private static func split(_ text: String, at name: String) -> [Part] {
    let rest = text.split(separator: name, omittingEmptySubsequences: false).map {
      Part(text: String($0), isName: false)
    }
    return Array(rest.map { [$0] }.joined(separator: [Part(text: name, isName: true)]))
  }

  /// The text with all names.
  var description: String { parts.map(\.text).joined() }

  var isEmpty: Bool { parts.allSatisfy(\.text.isEmpty) }

  /// Returns the text of a report: without passwords, and without the names unless they are requested.
  ///
  /// A name with “=”, such as the description of an output, may contain a password.
  func published(withNames: Bool) -> String {
    parts.map { part in
      guard part.isName, !part.text.isEmpty else { return part.text }
      return withNames && !part.text.contains("=") ? part.text : "…"
    }.joined().withoutURISecrets
  }

  static func + (left: FindingText, right: FindingText) -> FindingText {
    var text = left
    text.parts += right.parts
    return text
  }

  /// Joins texts; nil values are omitted.
  static func joined(_ texts: [FindingText?], by separator: FindingText) -> FindingText {
    texts.compactMap(\.self).reduce("") { $0.isEmpty ? $1 : $0 + separator + $1 }
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { parts.append(Part(text: text, isName: false)) }
    mutating func appendInterpolation(_ number: some BinaryInteger) {
      parts.append(Part(text: "\(number)", isName: false))
    }
    mutating func appendInterpolation(_ name: some CustomStringConvertible) {
      parts.append(Part(text: "\(name)", isName: true))
    }
    mutating func appendInterpolation(_ text: FindingText) { parts += text.parts }
    /// Inserts a text of the player or of a standard.
    mutating func appendInterpolation(term: some CustomStringConvertible) {
      parts.append(Part(text: "\(term)", isName: false))
    }
  }
}

extension FindingText: Equatable {
  static func == (left: FindingText, right: FindingText) -> Bool { left.description == right.description }
}
