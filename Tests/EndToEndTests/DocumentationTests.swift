import FoundationEssentials
import TestSupport
import Testing

/// Compares the documentation with the libraries, the package and the files; DocC checks the links of the libraries' pages.
@Suite struct DocumentationTests {
  private static let root = GeneratedTable.package

  private static func text(of file: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data(), as: UTF8.self)
  }

  /// Returns the paths of the files below a folder that end with a text, from the top of the package.
  private static func files(in folder: String, _ end: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").filter { $0.hasSuffix(end) }
      .map { "\(folder)/\($0)" }.sorted()
  }

  /// The libraries with a catalog, which `make docs` builds.
  private static let catalogs: [String] = {
    let folders = (try? files(in: "Sources", ".docc")) ?? []
    return folders.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }
  }()

  /// Returns the pages of a catalog.
  private static func pages(of library: String) throws -> [String] {
    try files(in: "Sources/\(library)/\(library).docc", ".md").map(text)
  }

  // MARK: Declarations

  /// Returns the symbol that a page describes; nil for an article, an empty path for the module.
  private static func title(of page: String, in library: String) -> [String]? {
    guard let match = page.prefixMatch(of: /# ``([^`]+)``\n/) else { return nil }
    return match.output.1 == library ? [] : match.output.1.split(separator: "/").map(String.init)
  }

  /// Returns the symbols in the topics of a page, without the types that distinguish overloads, and without other libraries'.
  private static func topics(of page: String, in library: String) throws -> [[String]] {
    // A module that adds to other modules, or exports one, has a page without topics.
    guard let topics = page.firstRange(of: "\n## Topics\n")?.upperBound else { return [] }
    let links = page[topics...].matches(of: /(?m)^- ``([^`]+)``$/).map {
      $0.output.1.replacing(/-\([^)]*\)$/, with: "")
    }
    let ownLinks = links.filter { $0.first != "/" && !$0.hasPrefix("Swift/") && !$0.contains(")->") }
    return ownLinks.map { $0.split(separator: "/").map(String.init) }.map {
      // A member that the library adds to a type of another one begins with that module.
      catalogs.contains($0[0]) && $0.count > 1 ? Array($0.dropFirst()) : $0
    }
  }

  @Test(
    "Each public declaration of a library is documented, in a topic of its page, and without a pointer",
    arguments: catalogs)
  func declarations(library: String) async throws {
    let symbols = try await SymbolGraph.symbols(of: library)
    #expect(symbols.count > 10 || ["AVKit", "PlayerMPRIS"].contains(library))
    #expect(symbols.filter { $0.docComment?.module != library }.map(\.pathComponents) == [], "undocumented")
    for page in try Self.pages(of: library) {
      guard let title = Self.title(of: page, in: library) else { continue }
      let listed = try Self.topics(of: page, in: library)
      let members = symbols.map(\.pathComponents).filter { $0.dropLast() == title[...] }
      #expect(
        listed.filter { title.isEmpty ? $0.count == 1 : true }.map { $0.last ?? "" }.sorted()
          == members.map { $0.last ?? "" }.sorted(), "the topics of \(title)")
    }
    // A type of C reaches an API only as a pointer, because the modules of C are not imported publicly.
    guard !["CoreMedia", "AVFAudio", "AVFoundation", "MediaPlayer"].contains(library) else { return }
    let pointers = symbols.filter { symbol in
      symbol.declarationFragments.contains {
        $0.kind == "typeIdentifier" && $0.spelling.contains(/Pointer|^Unsafe|^Unmanaged$/)
      }
    }
    #expect(pointers.map(\.pathComponents) == [], "with a pointer")
  }

  /// Returns the lines of a listing or a file, without indentation and empty lines.
  private static func lines(of code: some StringProtocol) -> [String] {
    code.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  @Test("Each listing of a page is code that the tests compile")
  func listings() throws {
    let files = try Self.files(in: "Tests/ListingTests", ".swift").map { Self.lines(of: Self.text(of: $0)) }
    let pages = try Self.catalogs.flatMap(Self.pages)
    let listings = pages.flatMap { $0.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map(\.output.1) }
    #expect(listings.count > 20)
    for listing in listings {
      let lines = Self.lines(of: listing)
      let imports = Set(lines.filter { $0.hasPrefix("import ") })
      let code = lines.filter { !$0.hasPrefix("import ") }
      #expect(!code.isEmpty && files.contains { $0.contains(code) && imports.isSubset(of: $0) }, "\(listing)")
    }
  }

  // MARK: Package and files

  @Test("LIBRARIES shows the dependency for each library of the package, and the Swift Package Index builds its pages")
  func libraries() throws {
    let manifest = Self.text(of: "Package.swift")
    let products = manifest.matches(of: /\.library\(name: "([^"]*)"/).map { String($0.output.1) }
    let shown = Self.text(of: "docs/LIBRARIES.md")
      .matches(of: /\.product\(name: "([^"]*)", package: "mpris-playerd"\)/).map { String($0.output.1) }
    #expect(shown.sorted() == products.sorted())
    let index = try #require(Self.text(of: ".spi.yml").firstMatch(of: /documentation_targets: \[(.*)\]/))
    #expect(index.output.1.split(separator: ", ").map(String.init).sorted() == Self.catalogs.sorted())
    #expect(Set(products).isSubset(of: Self.catalogs))
    let examples = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Examples")
    #expect(examples.filter { !manifest.contains("path: \"Examples/\($0)\"") } == [], "not built")
  }

  private static let documents: [String] =
    ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + ((try? files(in: "docs", ".md")) ?? [])

  @Test("Each file that a document names exists, and each heading that it links to", arguments: documents)
  func paths(document: String) {
    let text = Self.text(of: document)
    let named = text.matches(of: /`((?:Sources|Tests|Examples|Benchmarks|data|docs|scripts)\/[\w.\/+-]+)`/).map {
      String($0.output.1)
    }
    let folder = document.contains("/") ? "docs/" : ""
    var missing = named
    for match in text.matches(of: /\]\(([^:)#]*)(?:#([^)]*))?\)/) {
      let path = match.output.1.isEmpty ? document : folder + match.output.1
      missing.append(path)
      if let anchor = match.output.2, path.hasSuffix(".md") {
        let headings = Self.text(of: path).matches(of: /(?m)^#+ (.*)$/).map { heading in
          heading.output.1.lowercased().replacing(" ", with: "-").filter {
            $0.isLetter || $0.isNumber || "-_".contains($0)
          }
        }
        #expect(headings.contains(String(anchor)), "\(match.output.0)")
      }
    }
    // The intended changes of the API exist only before a release.
    missing.removeAll {
      $0 == "scripts/api-changes.txt" || FileManager.default.fileExists(atPath: "\(Self.root)/\($0)")
    }
    #expect(missing == [])
  }
}
