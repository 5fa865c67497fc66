import FoundationEssentials
import Testing

/// docs/CONFORMANCE.md names the tests that hold the specification; this one sees to it that they are there.
@Suite struct ConformanceTableTests {
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

  @Test("Each test that docs/CONFORMANCE.md names is there, in the target of its column, and each row names one")
  func names() throws {
    let service = try Self.names(in: "MPRISServiceTests")
    let daemon = try Self.names(in: "EndToEndTests")
    let table = Self.text(Self.root + "/docs/CONFORMANCE.md")
    let unknown = Set(Self.tests(in: table[...])).subtracting(service).subtracting(daemon)
    #expect(unknown.isEmpty, "tests that there are not")
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| member |") }
    #expect(rows.count > 60)
    for row in rows {
      let cells = row.split(separator: "|").dropFirst(2)
      try #require(cells.count == 2, "\(row)")
      let columns = cells.map { Set(Self.tests(in: $0)) }
      let unknown = [columns[0].subtracting(service), columns[1].subtracting(daemon)]
      #expect(!columns.joined().isEmpty, "a row without a test: \(row)")
      #expect(unknown.joined().isEmpty, "not in the target of their column: \(unknown)")
    }
  }
}
