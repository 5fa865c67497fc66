import FoundationEssentials
import Testing

/// Links of the documentation, and the lists of its topics, against the declarations of the sources.
@Suite struct DocumentationTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// A target of the package: its sources, and its pages if it has a catalog.
  struct Module: Sendable, CustomTestStringConvertible {
    var name: String
    var sources: [SwiftSource]
    var pages: [String: String]
    var testDescription: String { name }

    /// Reads a target, and another one that it exports as its own.
    init(_ name: String, exporting exported: String? = nil) {
      self.name = name
      let texts = [name, exported].compactMap(\.self).flatMap { target in
        let folder = "\(root)/Sources/\(target)"
        let paths = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
        return paths.map {
          ($0, String(decoding: FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data(), as: UTF8.self))
        }
      }
      sources = texts.filter { $0.0.hasSuffix(".swift") }.map { SwiftSource($0.1) }
      pages = Dictionary(
        texts.filter { $0.0.contains(".docc/") && $0.0.hasSuffix(".md") }.map { path, text in
          (String(path.split(separator: "/").last?.dropLast(3) ?? ""), text)
        }, uniquingKeysWith: { first, _ in first })
    }

    var declarations: [SwiftSource.Declaration] { sources.flatMap(\.declarations) }

    /// Returns the paths that links may name; in a page and in the documentation of a public symbol, public ones only.
    func paths(publicOnly: Bool) -> Set<String> {
      Set(declarations.filter { $0.isPublic || !publicOnly }.map { $0.path.joined(separator: "/") }).union([name])
    }
  }

  private static let modules =
    ["DBus", "MPRISService", "PlayerdInterfaces", "PlaylistFormats", "mpris-playerd"].map { Module($0) } + [
      Module("GstPlayer", exporting: "Playback")
    ]

  /// Returns the symbols and pages that a text links to, outside of code blocks.
  private static func links(in text: String) -> (symbols: [String], pages: [String]) {
    let blocks = text.split(separator: "```", omittingEmptySubsequences: false)
    let prose = blocks.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
    let symbols = prose.matches(of: /``([^`]+)``/).map { String($0.output.1) }
    return (symbols, prose.matches(of: /<doc:([^>]+)>/).map { String($0.output.1) })
  }

  @Test(
    "Each link of a documentation comment leads to a declaration, from public ones to public ones", arguments: modules)
  func comments(module: Module) {
    #expect(module.declarations.count > 20)
    let (all, open) = (module.paths(publicOnly: false), module.paths(publicOnly: true))
    let others = Set(Self.modules.filter { $0.name != module.name }.flatMap { $0.paths(publicOnly: true) })
    for source in module.sources {
      for (line, text) in source.documentation {
        let declaration = source.declaration(documentedAt: line)
        let targets = (declaration?.isPublic == true ? open : all).union(others)
        // A link is relative to the declaration, or to one around it.
        let bases = declaration.map { declaration in declaration.path.indices.map { declaration.path[...$0] } } ?? []
        let prefixes = [""] + bases.map { $0.joined(separator: "/") + "/" }
        for link in Self.links(in: text).symbols {
          #expect(prefixes.contains { targets.contains($0 + link) }, "``\(link)`` at \(declaration?.path ?? [])")
        }
        for page in Self.links(in: text).pages { #expect(module.pages[page] != nil, "<doc:\(page)>") }
      }
    }
  }

  @Test("Each link of a page leads to a public declaration or to a page", arguments: modules)
  func pages(module: Module) {
    let targets = module.paths(publicOnly: true)
    for (page, text) in module.pages {
      let links = Self.links(in: text)
      #expect(links.symbols.filter { !targets.contains($0) } == [], "links of \(page)")
      #expect(links.pages.filter { module.pages[$0] == nil } == [], "pages that \(page) names")
    }
  }

  @Test("Each public type of a library with a catalog is in its list of topics, once")
  func topics() throws {
    let catalogs = Self.modules.filter { !$0.pages.isEmpty }
    #expect(catalogs.map(\.name).contains("GstPlayer"))
    for module in catalogs {
      let page = try #require(module.pages[module.name])
      let topics = try #require(page.firstRange(of: "\n## Topics\n")).upperBound
      let listed = page[topics...].split(separator: "\n").filter { $0.hasPrefix("- ``") }.flatMap {
        Self.links(in: String($0)).symbols
      }
      let types = module.declarations.filter { $0.isType && $0.isPublic && $0.path.count == 1 }.map { $0.path[0] }
      #expect(types.count > 10)
      #expect(listed.filter { !$0.contains("/") }.sorted() == types.sorted())
      #expect(Set(listed).count == listed.count)
    }
  }

  @Test("Each file that CONTRIBUTING names for an addition is there")
  func additions() throws {
    let text = String(
      decoding: FileManager.default.contents(atPath: "\(Self.root)/CONTRIBUTING.md") ?? Data(), as: UTF8.self)
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
      public struct A<T: B>: C {
        /// See ``b(_:to:)``.
        public func b<U>(_ c: [U: Int], to d: (Int, Int) -> Void = { _ in }) throws -> Int { let hidden = 0; return hidden }
        public static func < (left: Self, right: Self) -> Bool { left.text < "\(right.map { "}" } ?? "{")" }
        var e: Int { get { 1 } }
        init?(f: Int) {}
        public enum G: String { case h = "x", i; case j(Int, k: Int) }
      }
      extension A.G { public var l: String { switch self { case .h: "{"; default: "" } } }
      """#)
    let names = source.declarations.map { $0.path.joined(separator: "/") }
    #expect(
      names == [
        "A", "A/b(_:to:)", "A/<(_:_:)", "A/e", "A/init(f:)", "A/G", "A/G/h", "A/G/i", "A/G/j(_:k:)", "A/G/l",
      ])
    #expect(source.declarations.filter { !$0.isPublic }.map { $0.path[1] } == ["e", "init(f:)"])
    #expect(source.declaration(documentedAt: source.documentation[0].line)?.path == ["A", "b(_:to:)"])
  }
}
