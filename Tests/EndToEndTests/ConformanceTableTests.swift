import FoundationEssentials
import Testing

/// Checks that the tests named in docs/CONFORMANCE.md and docs/SEMANTICS.md exist.
@Suite struct ConformanceTableTests {
  /// A document of tables.
  struct Document: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The number of cells with statements; the cells after them name the tests.
    var sayings: ClosedRange<Int>
    /// The test targets of each cell that names tests.
    var targets: [[String]]
    var leastRows: Int

    static let all = [
      Document(
        testDescription: "CONFORMANCE", sayings: 2...2, targets: [["MPRISServiceTests"], ["EndToEndTests"]],
        leastRows: 60),
      // A row has a third statement if AVFoundation differs; GStreamer has no such column.
      Document(
        testDescription: "SEMANTICS", sayings: 2...3, targets: [["PlaybackTests", "GstPlayerTests"]], leastRows: 80),
    ]
  }

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

  @Test(
    "Each test that a table names exists in the target of its column, and each row names a test",
    arguments: Document.all)
  func names(document: Document) throws {
    let targets = try document.targets.map { try Set($0.flatMap { try Self.names(in: $0) }) }
    let text = Self.text("\(Self.root)/docs/\(document.testDescription).md")
    #expect(Set(Self.tests(in: text[...])).subtracting(targets.joined()).isEmpty, "tests that do not exist")
    let lines = text.split(separator: "\n")
    // The line below the head of a table consists of dashes.
    let rows = zip(lines, lines.dropFirst() + [""]).filter { $0.hasPrefix("| ") && !$1.hasPrefix("|---") }.map(\.0)
    #expect(rows.count >= document.leastRows)
    for row in rows {
      let cells = row.split(separator: "|")
      try #require(document.sayings.contains(cells.count - targets.count), "\(row)")
      let columns = cells.suffix(targets.count).map { Set(Self.tests(in: $0)) }
      let unknown = zip(columns, targets).map { $0.subtracting($1) }
      #expect(!columns.joined().isEmpty, "a row without a test: \(row)")
      #expect(unknown.joined().isEmpty, "not in the target of their column: \(unknown)")
    }
  }
}
