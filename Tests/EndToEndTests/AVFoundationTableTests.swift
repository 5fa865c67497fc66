import FoundationEssentials
import Testing

/// Compares the tables of docs/AVFOUNDATION.md with the public declarations of the module.
@Suite struct AVFoundationTableTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  /// The types whose constants have no rows.
  private static let typesOfConstants: Set = [
    "AVError", "AVMediaCharacteristic", "AVMediaType", "AVMetadataExtraAttributeKey", "AVMetadataFormat",
    "AVMetadataIdentifier", "AVMetadataKey", "AVMetadataKeySpace",
  ]

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
  }

  /// The rows of all tables: the member, its support, and the note.
  private static let rows: [(member: String, support: String, note: String)] =
    text("docs/AVFOUNDATION.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimming(" ") }
      return (cells[0].filter { $0 != "`" }, cells.dropFirst().first ?? "", cells.dropFirst(2).first ?? "")
    }

  /// The public declarations of the module that a row is for.
  private static func declarations() throws -> Set<String> {
    let folder = "Sources/AVFoundation"
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").filter {
      $0.hasSuffix(".swift")
    }
    let paths = files.flatMap { SwiftSource(text("\(folder)/\($0)")).declarations }.filter(\.isPublic).map(\.path)
    return Set(
      paths.filter { $0.count == 1 || !typesOfConstants.contains($0[0]) }.map { $0.joined(separator: ".") })
  }

  @Test("The tables of AVFOUNDATION.md contain each public member of the module, and no other")
  func members() throws {
    let listed = Self.rows.filter { $0.support != "missing" }.map(\.member)
    #expect(Set(listed).count == listed.count, "a member has two rows")
    let declared = try Self.declarations()
    #expect(Set(listed).subtracting(declared).sorted() == [], "rows without a declaration")
    #expect(declared.subtracting(listed).sorted() == [], "declarations without a row")
    #expect(listed.count >= 120)
  }

  @Test("The missing members of AVFOUNDATION.md are not declared, and each row has its support and a note")
  func missing() throws {
    let missing = Self.rows.filter { $0.support == "missing" }
    #expect(!missing.isEmpty)
    #expect(try Self.declarations().intersection(missing.map(\.member)).isEmpty)
    for row in Self.rows {
      #expect(["supported", "differs", "missing"].contains(row.support), "\(row.member)")
      #expect((row.note == "–") == (row.support == "supported") && !row.note.isEmpty, "\(row.member)")
    }
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    let start = drop { $0 == character }
    return String(start.reversed().drop { $0 == character }.reversed())
  }
}
