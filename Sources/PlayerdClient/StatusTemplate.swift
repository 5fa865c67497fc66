import PlayerdInterfaces
import PlayerdSystem

/// A text with `{{…}}` expressions, in the syntax of `playerctl --format`.
///
/// An expression is a field (`title`, `xesam:album`), a number, a string in quotes, a function call or arithmetic. A field
/// without a value is empty. Two functions are not in playerctl: `json`, a string of JSON with its quotes; `polybar_escape`, a
/// text without the tags of Polybar.
///
/// <https://github.com/altdesktop/playerctl#printing-properties-and-metadata>
package struct StatusTemplate: Sendable {
  /// A mistake in a template; its description follows the text of ArgumentParser for an invalid value.
  package struct SyntaxError: Error, Equatable, CustomStringConvertible {
    var message: String
    package var description: String { "--format: \(message)" }
  }

  package enum Value: Equatable, Sendable {
    case none
    case text(String)
    case number(Double)

    var text: String {
      switch self {
      case .none: ""
      case .text(let text): text
      case .number(let number): number.plainText
      }
    }

    var number: Double? {
      switch self {
      case .none: nil
      case .text(let text): Double(text)
      case .number(let number): number
      }
    }
  }

  indirect enum Expression: Sendable {
    case literal(Value)
    case name(String)
    case call(StatusFunction, [Expression])
    case arithmetic(Character, Expression, Expression)
  }

  /// The names of all fields: those of the state, and the entries of the MPRIS metadata.
  package static let fieldNames: [String] =
    PlayerStatus.templateFields.map(\.name)
    + metadataNames.filter { name in !PlayerStatus.templateFields.contains { $0.name == name } }

  /// The functions with their arguments, such as `trunc(x, y)`.
  package static let functions: [String] = StatusFunction.allCases.map(\.form)

  /// The entries that the MPRIS metadata of a track may have.
  static let metadataNames = [
    "mpris:trackid", "mpris:length", "xesam:title", "xesam:artist", "xesam:album", "mpris:artUrl", "xesam:url",
    "xesam:albumArtist", "xesam:trackNumber", "xesam:discNumber", "xesam:genre", "xesam:contentCreated",
    "xesam:composer", "xesam:musicBrainzTrackID", "xesam:musicBrainzAlbumID", "xesam:musicBrainzArtistID",
    "xesam:musicBrainzAlbumArtistID", "xesam:comment", "xesam:userRating", "xesam:useCount", "xesam:audioBPM",
    "xesam:asText",
  ]

  private var parts: [Expression] = []

  /// Parses a template.
  package init(_ source: String) throws(SyntaxError) {
    var rest = Substring(source)
    while let open = rest.firstRange(of: "{{") {
      parts.append(.literal(.text(String(rest[..<open.lowerBound]))))
      let inside = rest[open.upperBound...]
      guard let close = inside.firstRange(of: "}}") else { throw SyntaxError(message: "“{{” without “}}”") }
      var parser = Parser(inside[..<close.lowerBound])
      parts.append(try parser.whole())
      rest = rest[close.upperBound...]
    }
    parts.append(.literal(.text(String(rest))))
  }

  /// Returns the text with the values of the names filled in.
  package func text(_ values: [String: Value]) -> String { parts.map { Self.value(of: $0, values).text }.joined() }

  /// Whether an expression of the template has a name in it.
  package func contains(_ name: String) -> Bool { parts.contains { Self.contains(name, in: $0) } }

  private static func contains(_ name: String, in expression: Expression) -> Bool {
    switch expression {
    case .literal: false
    case .name(let other): other == name
    case .call(_, let arguments): arguments.contains { contains(name, in: $0) }
    case .arithmetic(_, let left, let right): contains(name, in: left) || contains(name, in: right)
    }
  }

  private static func value(of expression: Expression, _ values: [String: Value]) -> Value {
    switch expression {
    case .literal(let value): return value
    case .name(let name): return values[name] ?? .none
    case .call(let function, let arguments):
      return function.value(arguments.map { value(of: $0, values) }, expression)
    case .arithmetic(let sign, let left, let right):
      let (left, right) = (value(of: left, values), value(of: right, values))
      guard let first = left.number, let second = right.number else {
        return sign == "+" && (left != .none || right != .none) ? .text(left.text + right.text) : .none
      }
      switch sign {
      case "+": return .number(first + second)
      case "-": return .number(first - second)
      case "*": return .number(first * second)
      default: return second == 0 ? .none : .number(first / second)
      }
    }
  }
}

/// The functions of a template.
enum StatusFunction: String, CaseIterable {
  case lc, uc, duration, emoji, trunc, json
  case polybarEscape = "polybar_escape"
  case markupEscape = "markup_escape"
  case `default`

  /// The number of arguments.
  var arity: Int { self == .trunc || self == .default ? 2 : 1 }

  /// The call, such as `trunc(x, y)`.
  var form: String { "\(rawValue)(\(arity == 2 ? "x, y" : "x"))" }

  func value(_ arguments: [StatusTemplate.Value], _ expression: StatusTemplate.Expression) -> StatusTemplate.Value {
    guard let first = arguments.first else { return .none }
    switch self {
    case .lc: return .text(first.text.lowercased())
    case .uc: return .text(first.text.uppercased())
    case .duration:
      return first.number.flatMap { Int64(exactly: $0.rounded()) }.map { .text(ClockTime.text($0)) } ?? .none
    case .markupEscape: return .text(first.text.markupEscaped)
    // The tags of Polybar cannot be quoted; a space of no width keeps the bracket apart.
    case .polybarEscape: return .text(first.text.replacing("%{", with: "%\u{200B}{"))
    case .json: return .text(jsonLine(encoding: first.text) ?? "\"\"")
    case .default: return first.text.isEmpty ? arguments.last ?? .none : first
    case .trunc:
      guard let limit = arguments.last?.number, limit >= 0, limit < 1e6, Double(first.text.count) > limit else {
        return first
      }
      return .text(first.text.prefix(Int(limit)) + "…")
    case .emoji: return .text(Self.emoji(first, expression))
    }
  }

  /// Returns a symbol for a playback status or a volume; other values stay as they are.
  private static func emoji(_ value: StatusTemplate.Value, _ expression: StatusTemplate.Expression) -> String {
    switch value.text {
    case "Playing": return "▶️"
    case "Paused": return "⏸️"
    case "Stopped": return "⏹️"
    default: break
    }
    guard case .call(_, let arguments) = expression, case .name("volume")? = arguments.first, let volume = value.number
    else { return value.text }
    return volume <= 0 ? "🔇" : volume < 1.0 / 3 ? "🔈" : volume < 2.0 / 3 ? "🔉" : "🔊"
  }
}

/// Parses one expression.
private struct Parser {
  typealias Expression = StatusTemplate.Expression
  typealias SyntaxError = StatusTemplate.SyntaxError

  /// The deepest nesting of parentheses and calls.
  private static let depthLimit = 64

  private let source: Substring
  private var rest: Substring
  private var depth = 0

  init(_ source: Substring) { (self.source, rest) = (source, source) }

  mutating func whole() throws(SyntaxError) -> Expression {
    let expression = try sum()
    skipSpace()
    guard rest.isEmpty else { throw unexpected() }
    return expression
  }

  private mutating func sum() throws(SyntaxError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw SyntaxError(message: "“{{\(source)}}” is nested too deeply") }
    var left = try product()
    while let sign = take("+", "-") { left = .arithmetic(sign, left, try product()) }
    return left
  }

  private mutating func product() throws(SyntaxError) -> Expression {
    var left = try term()
    while let sign = take("*", "/") { left = .arithmetic(sign, left, try term()) }
    return left
  }

  private mutating func term() throws(SyntaxError) -> Expression {
    skipSpace()
    guard let first = rest.first else { throw unexpected() }
    if take("(") != nil {
      let inner = try sum()
      guard take(")") != nil else { throw unexpected() }
      return inner
    }
    if first == "\"" || first == "'" {
      let content = rest.dropFirst().prefix { $0 != first }
      guard content.endIndex < rest.endIndex else { throw unexpected() }
      rest = rest[content.endIndex...].dropFirst()
      return .literal(.text(String(content)))
    }
    if first.isNumber || first == "." {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits) else { throw unexpected() }
      rest = rest[digits.endIndex...]
      return .literal(.number(number))
    }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
    guard !name.isEmpty else { throw unexpected() }
    rest = rest[name.endIndex...]
    guard take("(") != nil else {
      try check(String(name))
      return .name(String(name))
    }
    return try call(String(name))
  }

  /// Throws an error with the nearest name for a field that does not exist.
  private func check(_ name: String) throws(SyntaxError) {
    let names = StatusTemplate.fieldNames
    guard !names.contains(name) else { return }
    // Such as `genre` for `xesam:genre`.
    let word = name.lowercased()
    let entry = names.first { $0.lowercased() == word } ?? names.first { $0.lowercased().hasSuffix(":" + word) }
    let hint = entry.map { "; did you mean “\($0)”?" } ?? Spelling.hint(for: name, among: names)
    throw SyntaxError(
      message: "unknown field “\(name)”"
        + (hint.isEmpty ? "; “\(Names.executable) status --help” lists the fields" : hint))
  }

  private mutating func call(_ name: String) throws(SyntaxError) -> Expression {
    guard let function = StatusFunction(rawValue: name) else {
      let known = StatusFunction.allCases.map(\.rawValue).joined(separator: ", ")
      throw SyntaxError(message: "unknown function “\(name)”; the functions are \(known)")
    }
    var arguments: [Expression] = []
    repeat { arguments.append(try sum()) } while take(",") != nil
    guard take(")") != nil else { throw unexpected() }
    guard arguments.count == function.arity else {
      throw SyntaxError(message: "\(name) takes \(counted(function.arity, "argument"))")
    }
    return .call(function, arguments)
  }

  private mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }

  private mutating func take(_ characters: Character...) -> Character? {
    skipSpace()
    guard let first = rest.first, characters.contains(first) else { return nil }
    rest = rest.dropFirst()
    return first
  }

  private func unexpected() -> SyntaxError {
    SyntaxError(message: "cannot parse “{{\(source)}}”" + (rest.isEmpty ? "" : " at “\(rest)”"))
  }
}
