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
      throw ConfigurationError("\(path):\(error.source.begin.line): \(error.description)")
    } catch {
      throw ConfigurationError("\(path): \(error)")
    }
    let lines = Self.lines(of: text)
    var entries: [Entry] = []
    for key in table.keys {
      let line = lines[key] ?? 1
      guard let node = table[key], let value = Self.value(of: node) else {
        throw ConfigurationError(
          "\(path):\(line): \(key): this is neither a text, a number, true or false, nor a list of texts")
      }
      entries.append(Entry(key: key, value: value, line: line))
    }
    self.entries = entries.sorted { $0.line < $1.line }
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
      guard let equals = line.firstIndex(of: "=") else { continue }
      let key = line[..<equals].filter { !" \t\"'".contains($0) }
      if lines[key] == nil { lines[key] = index + 1 }
    }
    return lines
  }
}
