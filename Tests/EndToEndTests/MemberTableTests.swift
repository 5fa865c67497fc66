import FoundationEssentials
import TestSupport
import Testing

/// The members of Apple's modules in docs/AVFAUDIO.md, docs/AVFOUNDATION.md and docs/MEDIAPLAYER.md.
///
/// People describe the members that differ and those that are missing; all others are listed by `make tables`.
@Suite struct MemberTableTests {
  /// The types whose constants are not listed.
  private static let typesOfConstants: Set = [
    "AVContentKeySystem", "AVError", "AVFileType", "AVLayerVideoGravity", "AVMediaCharacteristic", "AVMediaType",
    "AVMetadataExtraAttributeKey", "AVMetadataFormat", "AVMetadataIdentifier", "AVMetadataKey", "AVMetadataKeySpace",
  ]

  /// Returns the members that have rows in the tables of a part of a document.
  private static func described(in part: Substring) throws -> [String] {
    try part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      let cells = line.split(separator: " | ")
      try #require(cells.count == 2 && cells[1] != "|", "a row without a difference or a reason: \(line)")
      return cells[0].matches(of: #/`(.*?)`/#).map { String($0.output.1) }
    }
  }

  /// Returns the public declarations of a module that a document names.
  private static func declarations(of module: String) async throws -> Set<String> {
    let paths = try await SymbolGraph.symbols(of: module).map(\.pathComponents)
    let names = paths.filter { $0.count == 1 || !typesOfConstants.contains($0[0]) }.map { $0.joined(separator: ".") }
    // Notification is a structure, and its name an alias.
    return Set(names.map { $0.hasPrefix("NSNotification.Name.") ? String($0.dropFirst(2)) : $0 })
  }

  /// Returns a list: an item for each type and its members, and one for the types and constants without members.
  ///
  /// After “of”, only the members behave as Apple's.
  private static func list(_ members: Set<String>) -> String {
    let groups = Dictionary(grouping: members) { name in name.split(separator: ".").dropLast().joined(separator: ".") }
    let items = groups.keys.sorted { ($0.isEmpty ? "~" : $0) < ($1.isEmpty ? "~" : $1) }.compactMap { type -> String? in
      let names = (groups[type] ?? []).sorted().filter { groups[$0] == nil }
        .map { "`\($0.split(separator: ".").last ?? "")`" }
      let head = type.isEmpty ? "" : "\(members.contains(type) ? "" : "of ")`\(type)`: "
      // All members of a type may be types with their own items.
      if names.isEmpty { return members.contains(type) ? "- `\(type)`\n" : nil }
      return "- \(head)\(names.joined(separator: ", "))\n"
    }
    return "\n" + items.joined() + "\n"
  }

  @Test(
    "A document names each public member of its module once, and the missing ones are not declared",
    arguments: ["AVFAudio", "AVFoundation", "MediaPlayer"])
  func members(module: String) async throws {
    let document = "docs/\(module.uppercased()).md"
    let text = try String(contentsOfFile: "\(GeneratedTable.package)/\(document)", encoding: .utf8)
    let parts = text.split(separator: "\n### Missing\n", maxSplits: 1)
    let (differing, missing) = (try Self.described(in: parts[0]), try Self.described(in: try #require(parts.last)))
    #expect(Set(differing).count == differing.count, "a member is named twice")
    let declared = try await Self.declarations(of: module)
    #expect(Set(differing).subtracting(declared).sorted() == [], "names without a declaration")
    #expect(declared.intersection(missing).sorted() == [], "declared, and not missing")
    let same = declared.subtracting(differing)
    #expect(differing.count >= 50 && same.count >= 80 && missing.count >= 10)
    try GeneratedTable("same", in: document).expect(Self.list(same))
  }

  @Test("Each property and method of an open class can be overridden", arguments: ["AVFAudio", "AVFoundation"])
  func overrides(module: String) async throws {
    let symbols = try await SymbolGraph.symbols(of: module)
    let isOpen = { (symbol: SymbolGraph.Symbol) in symbol.accessLevel == "open" }
    let classes = Set(symbols.filter { $0.kind.identifier == "swift.class" && isOpen($0) }.map(\.pathComponents))
    let members = symbols.filter { symbol in
      ["swift.method", "swift.property"].contains(symbol.kind.identifier)
        && classes.contains(Array(symbol.pathComponents.dropLast()))
        && symbol.pathComponents.last != "keyValueObservers"
    }
    #expect(members.filter { !isOpen($0) }.map { $0.pathComponents.joined(separator: ".") } == [])
    #expect(classes.count >= 5 && members.count >= 50)
  }
}
