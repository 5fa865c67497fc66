/// The declarations and documentation comments of a Swift source file, parsed without a compiler.
struct SwiftSource: Sendable {
  /// A declaration with the name that DocC uses in links.
  struct Declaration: Hashable, Sendable {
    /// The names of the enclosing types and its own, such as `Player`, `seek(to:)`.
    var path: [String]
    var isPublic: Bool
    var isType: Bool
    var line: Int
  }

  private(set) var declarations: [Declaration] = []
  /// The lines of documentation comments, with their line numbers.
  private(set) var documentation: [(line: Int, text: String)] = []

  init(_ text: String) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " }
      if content.hasPrefix("///") { documentation.append((number, String(content.dropFirst(3)))) }
    }
    var parser = DeclarationParser(tokens: SwiftLexer.tokens(of: text))
    declarations = parser.parse()
  }

  /// Returns the declaration that a documentation comment belongs to.
  func declaration(documentedAt line: Int) -> Declaration? { declarations.first { $0.line > line } }
}

/// A token of Swift code: a word, or a single other character.
struct SwiftToken: Equatable {
  var text: String
  var line: Int
  var isWord: Bool { text.first.map { $0.isLetter || $0 == "_" || $0 == "`" } ?? false }
}

/// The lexer that splits Swift code into tokens, without comments and string literals.
struct SwiftLexer {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 0
  private var tokens: [SwiftToken] = []

  static func tokens(of text: String) -> [SwiftToken] {
    var lexer = SwiftLexer(bytes: Array(text.utf8))
    while lexer.index < lexer.bytes.count { lexer.step() }
    return lexer.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func isNext(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private mutating func step() {
    if isNext("//") {
      while index < bytes.count, !isNext("\n") { advance() }
    } else if isNext("/*") {
      while index < bytes.count, !isNext("*/") { advance() }
      advance(2)
    } else if isNext("\"") || isNext("#\"") {
      skipString()
    } else if Self.isWordByte(bytes[index]) {
      let start = index
      while index < bytes.count, Self.isWordByte(bytes[index]) { advance() }
      tokens.append(SwiftToken(text: String(decoding: bytes[start..<index], as: UTF8.self), line: line))
    } else {
      if bytes[index] > UInt8(ascii: " ") {
        tokens.append(SwiftToken(text: String(UnicodeScalar(bytes[index])), line: line))
      }
      advance()
    }
  }

  private mutating func skipString() {
    let hash = isNext("#") ? "#" : ""
    advance(hash.count)
    let quote = isNext("\"\"\"") ? "\"\"\"" : "\""
    advance(quote.count)
    while index < bytes.count, !isNext(quote + hash) {
      if isNext("\\\(hash)(") {
        skipInterpolation(after: hash.count + 2)
      } else {
        advance(isNext("\\") ? 2 : 1)
      }
    }
    advance(quote.count + hash.count)
  }

  /// Skips an interpolation, which may contain strings.
  private mutating func skipInterpolation(after prefix: Int) {
    let count = tokens.count
    advance(prefix)
    var depth = 1
    while index < bytes.count, depth > 0 {
      if isNext("(") { depth += 1 }
      if isNext(")") { depth -= 1 }
      step()
    }
    tokens.removeSubrange(count...)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...: true
    default: false
    }
  }
}

/// The parser that finds the declarations at file scope and in types, but not those in functions.
private struct DeclarationParser {
  private struct Scope {
    var path: [String]
    /// Whether the brace opens a type, and not a function, an accessor or a closure.
    var isType: Bool
    /// Requirements of a public protocol are public without a modifier.
    var givesAccess = false
    /// Cases of a public enumeration are, too; its other members are not.
    var givesCasesAccess = false
  }

  let tokens: [SwiftToken]
  private var index = 0
  private var scopes = [Scope(path: [], isType: true)]
  private var pending: Scope?
  private var isPublic = false
  private var found: [SwiftSource.Declaration] = []

  init(tokens: [SwiftToken]) { self.tokens = tokens }

  private var token: SwiftToken? { index < tokens.count ? tokens[index] : nil }
  private var scope: Scope { scopes.last ?? Scope(path: [], isType: false) }

  mutating func parse() -> [SwiftSource.Declaration] {
    while let token {
      let isMember = index > 0 && tokens[index - 1].text == "."
      index += 1
      switch token.text {
      case "{":
        scopes.append(pending ?? Scope(path: scope.path, isType: false))
        (pending, isPublic) = (nil, false)
      case "}":
        if scopes.count > 1 { scopes.removeLast() }
        isPublic = false
      case _ where isMember || !scope.isType: break
      case "public", "open": isPublic = true
      case "import": isPublic = false
      case "struct", "class", "enum", "actor", "protocol", "extension": openType(token)
      case "func":
        let name = name()
        let labels = labels()
        // Operators are named without labels.
        let isOperator = name.first.map { !$0.isLetter && $0 != "_" } ?? false
        add(name + (isOperator ? labels.replacing(/\w+:/, with: "_:") : labels), token)
      case "init": add("init" + labels(), token)
      case "subscript": add("subscript" + labels(), token)
      case "var", "let", "typealias", "associatedtype": add(name(), token)
      case "case": addCases(token)
      default: break
      }
    }
    return found
  }

  private mutating func add(_ name: String, _ token: SwiftToken, isType: Bool = false) {
    found.append(
      SwiftSource.Declaration(
        path: scope.path + [name], isPublic: isPublic || scope.givesAccess, isType: isType, line: token.line))
    isPublic = false
  }

  private mutating func openType(_ keyword: SwiftToken) {
    // In `class func`, the keyword is a modifier.
    guard let first = token, first.isWord, !["func", "var", "let"].contains(first.text) else { return }
    var path = [name()]
    while token?.text == ".", index + 1 < tokens.count {
      index += 1
      path.append(name())
    }
    pending = Scope(
      path: scope.path + path, isType: true, givesAccess: keyword.text == "protocol" && isPublic,
      givesCasesAccess: keyword.text == "enum" && isPublic)
    if keyword.text != "extension" { add(path[0], keyword, isType: true) }
    isPublic = false
  }

  private mutating func addCases(_ keyword: SwiftToken) {
    let access = isPublic || scope.givesCasesAccess
    repeat {
      isPublic = access
      let name = name()
      add(name + (token?.text == "(" ? labels() : ""), keyword)
      // Skips a raw value; a string literal leaves no token.
      if skip("="), token?.text != ",", token?.line == keyword.line { index += 1 }
    } while skip(",")
  }

  private mutating func skip(_ text: String) -> Bool {
    guard token?.text == text else { return false }
    index += 1
    return true
  }

  /// Reads an identifier, or an operator up to its parameters.
  private mutating func name() -> String {
    guard let first = token else { return "" }
    index += 1
    guard !first.isWord else { return first.text.filter { $0 != "`" } }
    var name = first.text
    while let token, !token.isWord, token.text != "(" {
      name += token.text
      index += 1
    }
    return name
  }

  /// Reads the parameters, and returns their labels as DocC writes them: `(to:within:)`.
  private mutating func labels() -> String {
    while let token, token.text != "(" {
      guard !["{", "}"].contains(token.text) else { return "" }
      index += 1
    }
    index += 1
    var (labels, depth, isFirst) = ("", 0, true)
    while let token {
      index += 1
      if token.text == ")", depth == 0 { break }
      if ["(", "[", "{", "<"].contains(token.text) { depth += 1 }
      let isArrow = token.text == ">" && index > 1 && tokens[index - 2].text == "-"
      if [")", "]", "}", ">"].contains(token.text), !isArrow { depth -= 1 }
      if isFirst {
        let isLabel =
          token.isWord && [":", "_"].contains(self.token?.text) || self.token?.isWord == true && token.isWord
        labels += isLabel ? "\(token.text):" : "_:"
        isFirst = false
      }
      if token.text == ",", depth == 0 { isFirst = true }
    }
    return "(\(labels))"
  }
}
