import PlayerdSystem
import TOMLKit

/// The keys of a TOML text, each with its value and line.
///
/// TOMLKit contains toml++, a parser in C++: 0.3 of the program's 20 MB, and 14 s to compile. Debian packages no TOML parser in C, and
/// one of its parsers in C++ would need a C interface of our own and a package at run time.
///
/// <https://toml.io/en/v1.0.0>
struct ConfigurationFile: Sendable {
  struct Entry: Equatable, Sendable {
    let key: String
    let value: ConfigurationValue
    let line: Int
  }

  let entries: [Entry]

  /// Reads a text.
  ///
  /// - Throws: ``ConfigurationError`` with the path and the line of the first error.
  init(_ text: String, path: String) throws(ConfigurationError) {
    // The parser takes a C string, which ends at a NUL byte.
    guard !text.utf8.contains(0) else { throw ConfigurationError("\(path):1: the file contains a NUL byte") }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ConfigurationError("\(path):\(Self.explanation(of: error, in: text))")
    } catch {
      throw ConfigurationError("\(path): \(error)")
    }
    let lines = Self.lines(of: text)
    var entries: [Entry] = []
    for key in table.keys {
      let line = lines[key] ?? 1
      guard let node = table[key], let value = Self.value(of: node) else {
        let section = lines["[\(key)"]
        if table[key]?.table != nil || section != nil {
          throw ConfigurationError(
            "\(path):\(section ?? line): [\(key)]: sections are not supported; put the keys at the top level")
        }
        throw ConfigurationError(
          "\(path):\(line): \(key): the value is not a string, a number, true, false or a list of strings")
      }
      entries.append(Entry(key: key, value: value, line: line))
    }
    self.entries = entries.sorted { $0.line < $1.line }
  }

  /// Describes a syntax error: `3: resume: a string needs quotes, as in resume = "playing"`.
  private static func explanation(of error: TOMLParseError, in text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    let number = min(max(1, error.source.begin.line), lines.count)
    let parts = lines[number - 1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
    guard parts.count == 2, let key = parts.first, !key.isEmpty else {
      return "\(number): the line does not have the form key = value"
    }
    let value = parts[1].prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
    let isWord = !value.isEmpty && value.allSatisfy { $0.isLetter || $0.isNumber || "-_./~: ".contains($0) }
    if value.isEmpty { return "\(number): \(key): the value is missing" }
    if lines[..<(number - 1)].contains(where: { Self.name(in: $0, before: "=") == key }) {
      return "\(number): \(key): the key is set twice"
    }
    if isWord, let kind = ConfigurationKey.named(key)?.kind, !kind.acceptsWords {
      return "\(number): \(key): invalid value “\(value.excerpt)”; expected \(kind.description)"
    }
    if isWord { return "\(number): \(key): a string needs quotes, as in \(key) = \"\(value)\"" }
    return "\(number): \(key): “\(value.excerpt)” is not a string in quotes, a number, true, false or a list"
  }

  /// Returns the text before a character, without blanks and quotes; nil if the line does not contain the character.
  private static func name(in line: Substring, before end: Character) -> String? {
    line.firstIndex(of: end).map { line[..<$0].filter { !" \t\"'".contains($0) } }
  }

  private static func value(of node: any TOMLValueConvertible) -> ConfigurationValue? {
    if let value = node.bool { return .boolean(value) }
    if let value = node.int { return .number(Double(value)) }
    if let value = node.double { return .number(value) }
    if let value = node.string { return .text(value) }
    guard let array = node.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? .list(texts) : nil
  }

  /// Returns the line of each key, and of each section or array of sections under `[name`; the text is well-formed.
  ///
  /// The first part of a dotted name has a line, too: `a.b` defines the section `a`.
  private static func lines(of text: String) -> [String: Int] {
    var lines: [String: Int] = [:]
    for (index, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    {
      // Most lines of a file that `config` has printed are comments.
      guard let first = bytes.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }),
        first != UInt8(ascii: "#")
      else { continue }
      guard var key = name(in: Substring(bytes), before: first == UInt8(ascii: "[") ? "]" : "=") else { continue }
      if key.hasPrefix("[[") { key.removeFirst() }
      for name in [key, String(key.prefix { $0 != "." })] where lines[name] == nil { lines[name] = index + 1 }
    }
    return lines
  }
}
