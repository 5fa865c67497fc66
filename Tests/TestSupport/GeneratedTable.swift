import FoundationEssentials
import Glibc
import Synchronization
public import Testing

/// A part of a document that a test computes, between the lines `<!-- generated: NAME -->` and `<!-- end -->`.
///
/// `make tables` sets `WRITE_TABLES`, so that a test writes the part. Otherwise it compares the part.
public struct GeneratedTable: Sendable {
  /// The folder of the package.
  public static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  /// Tests that run at the same time write parts of one document.
  private static let writing = Mutex(())

  private let start: String
  private let path: String

  /// Describes a part by its name, and by the path of its document in the package.
  public init(_ name: String, in document: String) {
    start = "\n<!-- generated: \(name) -->\n"
    path = "\(Self.package)/\(document)"
  }

  /// Returns a row of a Markdown table.
  public static func row(_ cells: some Sequence<String>) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n"
  }

  /// Returns the present text of the part.
  public func text() throws -> String {
    let document = try String(contentsOfFile: path, encoding: .utf8)
    return String(document[try range(in: document)])
  }

  /// Compares the part with a computed text, or writes it.
  public func expect(_ text: String, at location: SourceLocation = #_sourceLocation) throws {
    try Self.writing.withLock { _ in
      var document = try String(contentsOfFile: path, encoding: .utf8)
      let range = try range(in: document)
      guard unsafe getenv("WRITE_TABLES") != nil else {
        let written = document[range].split(separator: "\n")
        #expect(written == text.split(separator: "\n"), "make tables writes this", sourceLocation: location)
        return
      }
      document.replaceSubrange(range, with: text)
      try document.write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// Compares or writes a table whose first columns are computed and whose other columns are written by hand.
  ///
  /// The document keeps its order and its last cells, and may describe several names in one row. A name without a row gets the
  /// last one, and the test fails until somebody describes it.
  public func expect(
    rows: [(name: String, cells: [String])], at location: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try text().split(separator: "\n").map(String.init)
    let (head, written) = (lines.prefix(2), lines.dropFirst(2).map(Self.cells))
    let columns = Self.cells(of: try #require(head.first)).count
    var listed: Set<String> = []
    let known = written.map { row in
      Self.names(in: row[0]).filter { listed.insert($0).inserted }.compactMap { name in rows.first { $0.name == name } }
    }
    let new = rows.filter { !listed.contains($0.name) }
    var text = head.map { "\($0)\n" }.joined()
    for (group, old) in zip(known + new.map { [$0] }, written + new.map { _ in [] }) where !group.isEmpty {
      let computed = group[0].cells.indices.map { column in
        let cells = group.map { $0.cells[column] }
        return column > 0 && Set(cells).count == 1 ? cells[0] : cells.joined(separator: ", ")
      }
      let kept = old.dropFirst(computed.count)
      #expect(kept.first?.isEmpty == false, "describe \(computed[0])", sourceLocation: location)
      text += Self.row(computed + kept + [String](repeating: "", count: columns - computed.count - kept.count))
    }
    try expect(text, at: location)
  }

  private func range(in document: String) throws -> Range<String.Index> {
    let start = try #require(document.firstRange(of: start), "\(path) has no such part").upperBound
    return start..<(try #require(document[start...].firstRange(of: "<!-- end -->\n")).lowerBound)
  }

  private static func cells(of row: String) -> [String] {
    row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the names in a cell such as "`title`, `artist`" or "Next(u count), Clear() → b".
  private static func names(in cell: String) -> [String] {
    cell.matches(of: #/(?:^|, )`?([\w:-]+)(?=[`(,]| →|$)/#).map { String($0.output.1) }
  }
}
