import FoundationEssentials
import Testing

/// docs/CONFORMANCE.md and docs/SEMANTICS.md name the tests that hold what they say; this one sees to it that they are
/// there.
@Suite struct ConformanceTableTests {
  /// A document of tables.
  struct Document: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// How many cells say what holds; those after them name the tests.
    var sayings: ClosedRange<Int>
    /// The targets of the tests: a list for each of the cells that name them.
    var targets: [[String]]
    var leastRows: Int

    static let all = [
      Document(
        testDescription: "CONFORMANCE", sayings: 2...2, targets: [["MPRISServiceTests"], ["EndToEndTests"]],
        leastRows: 60),
      // What AVFoundation has differs somewhere; what GStreamer does has no such column.
      Document(
        testDescription: "SEMANTICS", sayings: 2...3, targets: [["PlaybackTests", "GstPlayerTests"]], leastRows: 80),
    ]
  }

  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Everything that stands between two quotes or backticks in the sources of a folder, the tests' names among it.
  private static func names(in folder: String) throws -> Set<String> {
    let path = "\(root)/Tests/\(folder)"
    let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
    let marks = Set("\"`".utf8)
    return Set(files.flatMap { text("\(path)/\($0)").utf8.split { marks.contains($0) }.map { String(Substring($0)) } })
  }

  /// The sentences between backticks; a single word is the name of something else.
  private static func tests(in text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.contains(" ") }.map { String($0.element) }
  }

  @Test(
    "Each test that a document of tables names is there, in the target of its column, and each row names one",
    arguments: Document.all)
  func names(document: Document) throws {
    let targets = try document.targets.map { try Set($0.flatMap { try Self.names(in: $0) }) }
    let text = Self.text("\(Self.root)/docs/\(document.testDescription).md")
    #expect(Set(Self.tests(in: text[...])).subtracting(targets.joined()).isEmpty, "tests that there are not")
    let lines = text.split(separator: "\n")
    // The line under a table's head is of dashes.
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
