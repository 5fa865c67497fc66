import FoundationEssentials
import Testing

/// Compares the tables of docs/AVFAUDIO.md, docs/AVFOUNDATION.md and docs/MEDIAPLAYER.md with the public declarations of the modules.
@Suite struct AVFoundationTableTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  /// The types whose constants have no rows.
  private static let typesOfConstants: Set = [
    "AVContentKeySystem", "AVError", "AVFileType", "AVLayerVideoGravity", "AVMediaCharacteristic", "AVMediaType",
    "AVMetadataExtraAttributeKey", "AVMetadataFormat", "AVMetadataIdentifier", "AVMetadataKey", "AVMetadataKeySpace",
  ]

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(), as: UTF8.self)
  }

  private static let modules = ["AVFAudio", "AVFoundation", "MediaPlayer"]

  /// Returns the document of a module up to the table of missing members, and from there.
  private static func parts(of module: String) -> [Substring] {
    text("docs/\(module.uppercased()).md").split(separator: "\n### Missing\n", maxSplits: 1)
  }

  private static func names(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// Returns the members that have rows in the tables of a part of the document.
  private static func members(inRowsOf part: Substring) throws -> [String] {
    try part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      let cells = line.split(separator: " | ")
      try #require(cells.count == 2 && cells[1] != "|", "a row without a difference or a reason: \(line)")
      return names(cells[0])
    }
  }

  /// Returns the members in the lists of a part of the document.
  ///
  /// An item names a type and then its members; after “of”, only the members behave as Apple's.
  private static func members(inListsOf part: Substring) -> [String] {
    part.split(separator: "As in Apple's framework:\n").dropFirst().flatMap { rest in
      rest.prefix { $0 != "#" }.split(separator: "\n- ").flatMap { item in
        let halves = item.split(separator: ": ", maxSplits: 1)
        let types = names(halves[0])
        let members = halves.count == 2 ? names(halves[1]).map { "\(types[0]).\($0)" } : []
        return (item.drop { $0 == "\n" || $0 == "-" || $0 == " " }.hasPrefix("of ") ? [] : types) + members
      }
    }
  }

  /// Returns the public declarations of a module that a row is for.
  private static func declarations(of module: String) async throws -> Set<String> {
    let paths = try await SymbolGraph.symbols(of: module).map(\.pathComponents)
    let names = paths.filter { $0.count == 1 || !typesOfConstants.contains($0[0]) }.map { $0.joined(separator: ".") }
    // Notification is a structure, and its name an alias.
    return Set(names.map { $0.hasPrefix("NSNotification.Name.") ? String($0.dropFirst(2)) : $0 })
  }

  @Test("The document of a module contains each of its public members once, and no other", arguments: modules)
  func members(module: String) async throws {
    let part = try #require(Self.parts(of: module).first)
    let (differing, same) = (try Self.members(inRowsOf: part), Self.members(inListsOf: part))
    let listed = differing + same
    #expect(Set(listed).count == listed.count, "a member is named twice")
    let declared = try await Self.declarations(of: module)
    #expect(Set(listed).subtracting(declared).sorted() == [], "names without a declaration")
    #expect(declared.subtracting(listed).sorted() == [], "declarations that are not named")
    #expect(differing.count >= 50 && same.count >= 80)
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

  @Test("The missing members of a document are not declared", arguments: modules)
  func missing(module: String) async throws {
    let missing = try Self.members(inRowsOf: try #require(Self.parts(of: module).last))
    #expect(missing.count >= 10)
    #expect(try await Self.declarations(of: module).intersection(missing) == [])
  }
}
