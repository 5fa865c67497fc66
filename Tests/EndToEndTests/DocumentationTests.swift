import FoundationEssentials
import Testing

/// Compares the links of the documentation and the lists of its topics with the declarations of the sources.
@Suite struct DocumentationTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// A target of the package: its sources, and its pages if it has a catalog.
  struct Module: Sendable, CustomTestStringConvertible {
    var name: String
    var sources: [SwiftSource]
    var declarations: [SwiftSource.Declaration]
    /// The paths that links may name; pages and the documentation of public symbols may name only public ones.
    var paths: (all: Set<String>, open: Set<String>)
    var pages: [String: String]
    var testDescription: String { name }

    init(_ name: String) {
      self.name = name
      let texts = DocumentationTests.texts(in: "Sources/\(name)")
      sources = texts.filter { $0.path.hasSuffix(".swift") }.map { SwiftSource($0.text) }
      declarations = sources.flatMap(\.declarations)
      let joined = declarations.map { (path: $0.path.joined(separator: "/"), isPublic: $0.isPublic) }
      paths = (Set(joined.map(\.path)), Set(joined.filter(\.isPublic).map(\.path)))
      pages = Dictionary(
        texts.filter { $0.path.contains(".docc/") && $0.path.hasSuffix(".md") }.map { path, text in
          (String(path.split(separator: "/").last?.dropLast(3) ?? ""), text)
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  private static let modules = [
    "Playback", "GstPlayer", "EventLoop", "DBus", "MPRISService", "CoreMedia", "AVFoundation", "PlayerdInterfaces",
    "PlaylistFormats", "Playerd",
  ].map { Module($0) }

  /// Returns the texts below a folder of the package, by their paths.
  private static func texts(in folder: String) -> [(path: String, text: String)] {
    let folder = "\(root)/\(folder)"
    let paths = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
    return paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.map {
      ($0, String(decoding: FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data(), as: UTF8.self))
    }
  }

  /// Returns the symbols and pages that a text links to, outside of code blocks; the symbols without the types that
  /// distinguish overloads.
  private static func links(in text: String) -> (symbols: [String], pages: [String]) {
    let blocks = text.split(separator: "```", omittingEmptySubsequences: false)
    let prose = blocks.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
    let symbols = prose.matches(of: /``([^`]+)``/).map { String($0.output.1.replacing(/-\([^)]*\)$/, with: "")) }
    return (symbols, prose.matches(of: /<doc:([^>]+)>/).map { String($0.output.1) })
  }

  /// Whether a link leads to a public symbol of another module, `/Playback/Player`, or to the module itself.
  ///
  /// DocC alone checks members that a module adds to the standard library.
  private static func isExternal(_ link: String) -> Bool {
    guard !link.hasPrefix("Swift/") else { return true }
    let parts = link.split(separator: "/", maxSplits: 1).map(String.init)
    guard link.hasPrefix("/"), let module = modules.first(where: { $0.name == parts.first }) else { return false }
    return parts.count == 1 || module.paths.open.contains(parts[1])
  }

  /// Returns the link without the name of a module, which also precedes the symbols that a module adds to another one.
  private static func withoutModule(_ link: String, _ module: Module) -> String {
    let parts = link.split(separator: "/", maxSplits: 1).map(String.init)
    let names = [module.name] + (module.name == "GstPlayer" ? ["Playback"] : [])
    return parts.count == 2 && names.contains(parts[0]) ? parts[1] : link
  }

  @Test(
    "Each link of a documentation comment resolves, and from public symbols to public ones", arguments: modules)
  func comments(module: Module) {
    #expect(!module.declarations.isEmpty)
    let (all, open) = module.paths
    let others = Set(Self.modules.filter { $0.name != module.name }.flatMap(\.paths.open))
    let allOrOthers = all.union(others)
    let openOrOthers = open.union(others)
    for source in module.sources {
      for (line, text) in source.documentation {
        let declaration = source.declaration(documentedAt: line)
        let isPublished = declaration?.isPublic == true && !module.pages.isEmpty
        let targets = isPublished ? open : declaration?.isPublic == true ? openOrOthers : allOrOthers
        // A link is relative to the declaration, or to one that encloses it.
        let bases = declaration.map { declaration in declaration.path.indices.map { declaration.path[...$0] } } ?? []
        let prefixes = [""] + bases.map { $0.joined(separator: "/") + "/" }
        for link in Self.links(in: text).symbols where !Self.isExternal(link) {
          #expect(prefixes.contains { targets.contains($0 + link) }, "``\(link)`` at \(declaration?.path ?? [])")
        }
        for page in Self.links(in: text).pages { #expect(module.pages[page] != nil, "<doc:\(page)>") }
      }
    }
  }

  @Test("Each link of a page resolves to a public declaration or to a page", arguments: modules)
  func pages(module: Module) {
    let targets = module.paths.open
    for (page, text) in module.pages {
      let links = Self.links(in: text)
      let title = Self.title(of: text, in: module)
      let dead = links.symbols.dropFirst(title == nil ? 0 : 1).filter { link in
        !Self.isExternal(link)
          && ![link, "\(title ?? "")/\(link)", Self.withoutModule(link, module)].contains(where: targets.contains)
      }
      #expect(dead == [], "links of \(page)")
      #expect(links.pages.filter { module.pages[$0] == nil } == [], "pages that \(page) names")
    }
  }

  /// Returns the symbol that a page describes; nil for an article, an empty string for the module.
  private static func title(of page: String, in module: Module) -> String? {
    guard let match = page.prefixMatch(of: /# ``([^`]+)``\n/) else { return nil }
    return String(match.output.1) == module.name ? "" : String(match.output.1)
  }

  /// Returns the symbols in the topics of a page, by their headings.
  private static func topics(of page: String) throws -> [String: [String]] {
    let topics = try #require(page.firstRange(of: "\n## Topics\n")).upperBound
    let groups = page[topics...].split(separator: "\n### ").map { group in
      let lines = group.split(separator: "\n")
      return (
        String(lines.first ?? ""), lines.filter { $0.hasPrefix("- ``") }.flatMap { links(in: String($0)).symbols }
      )
    }
    return Dictionary(groups, uniquingKeysWith: +)
  }

  @Test("A page with topics lists each public declaration of its library or type, once")
  func topics() throws {
    let catalogs = Self.modules.filter { !$0.pages.isEmpty }
    #expect(
      catalogs.map(\.name) == [
        "Playback", "GstPlayer", "EventLoop", "DBus", "MPRISService", "CoreMedia", "AVFoundation",
      ])
    for module in catalogs {
      #expect(module.pages[module.name] != nil)
      for page in module.pages.values {
        guard let title = Self.title(of: page, in: module) else { continue }
        let listed = try Self.topics(of: page).values.joined().filter { !$0.hasPrefix("/") }
          .map { Self.withoutModule($0, module) }
        let path = title.split(separator: "/").map(String.init)
        var members = module.declarations.filter { $0.isPublic && $0.path.dropLast() == path[...] }.map { $0.path.last }
        // A library also lists the declarations that it adds to types of others.
        if title.isEmpty { members += listed.filter { $0.contains("/") }.map { $0 } }
        #expect(listed.sorted() == members.compactMap(\.self).sorted(), "``\(title.isEmpty ? module.name : title)``")
      }
    }
  }

  @Test("Each public declaration of a library is documented")
  func documentedDeclarations() {
    for module in Self.modules where !module.pages.isEmpty {
      for source in module.sources {
        let documented = Set(source.documentation.compactMap { source.declaration(documentedAt: $0.line)?.line })
        let missing = source.declarations.filter { $0.isPublic && !documented.contains($0.line) }
        #expect(missing.map(\.path) == [], "\(module.name)")
      }
    }
  }

  @Test("The public types for the message bus have names that applications do not use")
  func ownNames() {
    let terms: Set = ["BusName", "ObjectPath", "InterfaceName", "MemberName"]
    for (name, prefix) in [("DBus", "DBus"), ("MPRISService", "MPRIS")] {
      let types = Self.modules.filter { $0.name == name }.flatMap(\.declarations).filter {
        $0.isPublic && $0.isType && $0.path.count == 1
      }
      #expect(types.count > 10)
      #expect(types.flatMap(\.path).filter { !$0.contains(prefix) && !terms.contains($0) } == [], "\(name)")
    }
  }

  @Test("The page of GstPlayer lists each type of Playback that a program without its own engine uses")
  func exportedTypes() throws {
    let exported = try #require(Self.modules.first { $0.name == "Playback" }?.pages["Playback"])
    let page = try #require(Self.modules.first { $0.name == "GstPlayer" }?.pages["GstPlayer"])
    let types = try Self.topics(of: exported).filter { $0.key != "Engines" }.values.joined().map { "/Playback/\($0)" }
    #expect(types.count > 5)
    #expect(Set(types).subtracting(try Self.topics(of: page).values.joined()) == [])
  }

  /// Returns the lines of a listing or a file, without indentation and empty lines.
  private static func lines(of code: some StringProtocol) -> [String] {
    code.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  @Test("Each listing of a page is code that the tests compile")
  func listings() {
    let files = Self.texts(in: "Tests/ListingTests").map { file in
      Self.lines(of: file.text)
    }
    var count = 0
    for module in Self.modules {
      for (page, text) in module.pages {
        for match in text.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()) {
          let lines = Self.lines(of: match.output.1)
          let imports = lines.filter { $0.hasPrefix("import ") }
          let code = lines.filter { !$0.hasPrefix("import ") }
          #expect(!code.isEmpty)
          let isCompiled = files.contains { $0.contains(code) && Set(imports).isSubset(of: $0) }
          #expect(isCompiled, "listing of \(page): \(code.first ?? "")")
          count += 1
        }
      }
    }
    #expect(count > 20)
  }

  /// Returns the text of a file of the package.
  private static func text(of file: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data(), as: UTF8.self)
  }

  @Test("make docs and the Swift Package Index build the documentation of each library with a catalog")
  func builtDocumentation() throws {
    let catalogs = Self.modules.filter { !$0.pages.isEmpty }.map(\.name)
    let script = try #require(Self.text(of: "scripts/docs.sh").firstMatch(of: /\nfor target in (.*); do\n/))
    #expect(script.output.1.split(separator: " ").map(String.init) == catalogs)
    let index = try #require(Self.text(of: ".spi.yml").firstMatch(of: /\n +documentation_targets: \[(.*)\]\n/))
    #expect(index.output.1.split(separator: ", ").map(String.init) == catalogs)
  }

  @Test("LIBRARIES shows the dependency for each library of the package")
  func libraries() {
    let products = Self.text(of: "Package.swift").matches(of: /\.library\(name: "([^"]*)"/).map { String($0.output.1) }
    #expect(products.contains("GstPlayer"))
    let shown = Self.text(of: "docs/LIBRARIES.md")
      .matches(of: /\.product\(name: "([^"]*)", package: "mpris-playerd"\)/).map { String($0.output.1) }
    #expect(shown.sorted() == products.sorted())
  }

  @Test("Each folder of Examples is a target, which the tests build")
  func examples() throws {
    let manifest = Self.text(of: "Package.swift")
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Examples")
    #expect(!folders.isEmpty)
    #expect(folders.filter { !manifest.contains("path: \"Examples/\($0)\"") } == [])
  }

  @Test("Each file that ARCHITECTURE names for an addition exists")
  func additions() throws {
    let text = Self.text(of: "docs/ARCHITECTURE.md")
    let start = try #require(text.firstRange(of: "## Where to add\n")).upperBound
    let end = try #require(text[start...].firstRange(of: "\n## ")).lowerBound
    let paths = text[start..<end].matches(of: /`([A-Za-z]+[\/.][^` ]*)`/).map { String($0.output.1) }
    #expect(paths.count >= 15)
    #expect(paths.filter { !FileManager.default.fileExists(atPath: "\(Self.root)/\($0)") } == [])
  }

  @Test("Declarations are found as DocC names them")
  func declarations() {
    let source = SwiftSource(
      #"""
      public import N
      struct O {}
      public struct A<T: B>: C {
        /// See ``b(_:to:)``.
        public func b<U>(_ c: [U: Int], to d: (Int, Int) -> Void = { _ in }) throws -> Int { let hidden = 0; return hidden }
        public static func < (left: Self, right: Self) -> Bool { left.text < "\(right.map { "}" } ?? "{")" }
        var e: Int { get { 1 } }
        init?(f: Int) {}
        public enum G: String { case h = "x", i; case j(Int, k: Int); var m: Int { 0 } }
      }
      extension A.G { public var l: String { switch self { case .h: "{"; default: "" } } }
      """#)
    let names = source.declarations.map { $0.path.joined(separator: "/") }
    #expect(
      names == [
        "O", "A", "A/b(_:to:)", "A/<(_:_:)", "A/e", "A/init(f:)", "A/G", "A/G/h", "A/G/i", "A/G/j(_:k:)", "A/G/m",
        "A/G/l",
      ])
    #expect(source.declarations.filter { !$0.isPublic }.map { $0.path.last } == ["O", "e", "init(f:)", "m"])
    #expect(source.declaration(documentedAt: source.documentation[0].line)?.path == ["A", "b(_:to:)"])
  }
}
