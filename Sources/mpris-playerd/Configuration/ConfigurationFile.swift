import TOMLKit

/// The keys that a TOML text sets, each with its line.
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
  /// - Throws: ``ConfigurationError`` that names the path and the line of what is wrong.
  init(_ text: String, path: String) throws(ConfigurationError) {
    // The parser takes a text in C, which would end here.
    guard !text.utf8.contains(0) else { throw ConfigurationError("\(path):1: there is a NUL in it") }
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
        if table[key]?.table != nil {
          throw ConfigurationError(
            "\(path):\(lines["[\(key)]"] ?? line): [\(key)]: keys are at the top level, without a section")
        }
        throw ConfigurationError(
          "\(path):\(line): \(key): this is neither a text, a number, true or false, nor a list of texts")
      }
      entries.append(Entry(key: key, value: value, line: line))
    }
    self.entries = entries.sorted { $0.line < $1.line }
  }

  /// Says in plain words what is wrong with a line: `3: resume: a text needs quotes, as in resume = "playing"`.
  private static func explanation(of error: TOMLParseError, in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let number = min(max(1, error.source.begin.line), lines.count)
    let parts = lines[number - 1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
    guard parts.count == 2, let key = parts.first, !key.isEmpty else {
      return "\(number): this is no line of the form key = value"
    }
    let value = parts[1].prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
    let isWord = !value.isEmpty && value.allSatisfy { $0.isLetter || $0.isNumber || "-_./~: ".contains($0) }
    if value.isEmpty { return "\(number): \(key): the value is missing" }
    if lines[..<(number - 1)].contains(where: { Self.key(of: $0) == key }) {
      return "\(number): \(key): this key is set twice"
    }
    if isWord { return "\(number): \(key): a text needs quotes, as in \(key) = \"\(value)\"" }
    return "\(number): \(key): “\(value.excerpt)” is no value: a text in quotes, a number, true, false or a list"
  }

  private static func key(of line: Substring) -> String? {
    line.firstIndex(of: "=").map { line[..<$0].filter { !" \t\"'".contains($0) } }
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

  /// Where each key stands; the parser has found the text well-formed, and keys are flat.
  private static func lines(of text: String) -> [String: Int] {
    var lines: [String: Int] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let section = line.filter { !" \t".contains($0) }
      guard let key = key(of: line) ?? (section.hasPrefix("[") ? String(section.prefix { $0 != "#" }) : nil) else {
        continue
      }
      if lines[key] == nil { lines[key] = index + 1 }
    }
    return lines
  }
}
