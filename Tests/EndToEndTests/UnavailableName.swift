import FoundationEssentials
import TestSupport
import Testing

/// A name of Apple's that a library lacks: a declaration in its file `Unavailable.swift`, which is the list.
///
/// In that file, the attribute with the message is a line of its own, before a declaration or an extension. Each member of an extension
/// is one line.
struct UnavailableName {
  /// What the compiler reports.
  let message: String
  /// The name as in a document, such as `AVPlayerItem.step(byCount:)`.
  let name: String
  /// The name with the types of the parameters, which distinguishes it from an available one: `AVPlayer.seek(to: Date)`.
  let signature: String
  /// The type whose member it is, or an empty string.
  let type: String
  /// An expression that uses it; `value` is a value of the type.
  let use: String

  /// Returns the list of a library, in its order.
  static func list(of module: String) throws -> [UnavailableName] {
    let path = "\(GeneratedTable.package)/Sources/\(module)/Unavailable.swift"
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var names: [UnavailableName] = []
    for (index, line) in lines.enumerated() {
      guard let match = line.wholeMatch(of: /@available\(\*, unavailable, message: "(.*)"\)/) else { continue }
      let message = String(match.output.1)
      let declaration = lines[index + 1]
      guard let type = declaration.prefixMatch(of: /extension ([\w.]+) \{/)?.output.1 else {
        names.append(try UnavailableName(declaration, of: "", message))
        continue
      }
      for member in lines[(index + 2)...].prefix(while: { $0 != "}" }) {
        names.append(try UnavailableName(member.drop { $0 == " " }, of: String(type), message))
      }
    }
    return names
  }

  private init(_ declaration: Substring, of type: String, _ message: String) throws {
    let match = try #require(
      declaration.prefixMatch(of: /(?:public|open) (static |convenience |final )?(\w+)[ ?]?`?(\w*)`?/),
      "not a declaration of the list: \(declaration)"
    ).output
    let (isStatic, kind, own) = (match.1 == "static ", match.2, String(match.3))
    let path = type.isEmpty ? own : "\(type).\(own)"
    let owner = isStatic || type.isEmpty ? path : "value.\(own)"
    self.type = type
    self.message = message
    switch kind {
    case "class", "struct", "enum", "typealias":
      (name, signature, use) = (path, path, "\(path).self")
    case "protocol":
      (name, signature, use) = (path, path, "(any \(path)).self")
    case "var", "let":
      (name, signature, use) = (path, path, owner)
    default:
      let parameters = Self.parameters(of: declaration)
      let base = kind == "init" ? "\(type).init" : path
      name = "\(base)(\(parameters.map { "\($0.label):" }.joined()))"
      signature = "\(base)(\(parameters.map { "\($0.label): \($0.type)" }.joined(separator: ", ")))"
      let values = parameters.map { "\($0.label == "_" ? "" : "\($0.label): ")make((\($0.type)).self)" }
      use = "try await \(kind == "init" ? base : owner)(\(values.joined(separator: ", ")))"
    }
  }

  /// Returns the labels and the types of the parameters of a function, without default values.
  private static func parameters(of declaration: Substring) -> [(label: Substring, type: String)] {
    guard let start = declaration.firstIndex(of: "(") else { return [] }
    var depth = 0
    var previous: Character = " "
    var parameters: [Substring] = []
    var begin = declaration.index(after: start)
    for index in declaration[start...].indices {
      switch declaration[index] {
      case "(", "[", "<": depth += 1
      case ")", "]": depth -= 1
      case ">" where previous != "-": depth -= 1
      default: break
      }
      if depth == 0 || (depth == 1 && declaration[index] == ",") {
        parameters.append(declaration[begin..<index])
        begin = declaration.index(after: index)
      }
      if depth == 0 { break }
      previous = declaration[index]
    }
    return parameters.compactMap { parameter in
      let parts = parameter.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let label = parts[0].split(separator: " ").first else { return nil }
      let type = parts[1].split(separator: " = ")[0].drop { $0 == " " }
      return (label, String(type.replacing("@escaping ", with: "")))
    }
  }
}
