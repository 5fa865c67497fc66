import FoundationEssentials
import Testing

/// Checks that the tests named in docs/CONFORMANCE.md exist.
@Suite struct ConformanceTableTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Returns all texts between two quotes or backticks in the sources of a folder, including the names of tests.
  private static func names(in folder: String) throws -> Set<String> {
    let path = "\(root)/Tests/\(folder)"
    let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
    let marks = Set("\"`".utf8)
    return Set(files.flatMap { text("\(path)/\($0)").utf8.split { marks.contains($0) }.map { String(Substring($0)) } })
  }

  /// Returns the sentences between backticks; a single word is the name of something else.
  private static func tests(in text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.contains(" ") }.map { String($0.element) }
  }

  /// Returns the one name that a name with an ellipsis at its end begins; without one, the name itself.
  private static func whole(_ name: String, of names: Set<String>) -> String {
    guard name.hasSuffix(" …") else { return name }
    let found = names.filter { !$0.hasSuffix(" …") && $0.hasPrefix(name.dropLast()) }
    return found.count == 1 ? found.first ?? name : name
  }

  @Test("Each test that the table names exists in the target of its column, and each row names a test")
  func names() throws {
    let targets = try ["MPRISServiceTests", "EndToEndTests"].map(Self.names)
    let text = Self.text("\(Self.root)/docs/CONFORMANCE.md")
    let named = Set(Self.tests(in: text[...]))
    let tests = named.map { Self.whole($0, of: named) }
    #expect(Set(tests).subtracting(targets.joined()).isEmpty, "tests that do not exist")
    let lines = text.split(separator: "\n")
    // The line below the head of a table consists of dashes.
    let rows = zip(lines, lines.dropFirst() + [""]).filter { $0.hasPrefix("| ") && !$1.hasPrefix("|---") }.map(\.0)
    #expect(rows.count >= 60)
    for row in rows {
      let cells = row.split(separator: "|")
      try #require(cells.count == 2 + targets.count, "\(row)")
      let columns = cells.suffix(targets.count).map { Set(Self.tests(in: $0).map { Self.whole($0, of: named) }) }
      let unknown = zip(columns, targets).map { $0.subtracting($1) }
      #expect(!columns.joined().isEmpty, "a row without a test: \(row)")
      #expect(unknown.joined().isEmpty, "not in the target of their column: \(unknown)")
    }
  }
}
