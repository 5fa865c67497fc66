import FoundationEssentials
import TestSupport
import Testing

/// The public declarations of a library, as the compiler describes them to DocC.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    /// The names of the enclosing types and its own, such as `Player`, `seek(to:)`.
    var pathComponents: [String]
    var kind: Kind
    /// `open` or `public`.
    var accessLevel: String
    var docComment: Comment?
    var declarationFragments: [Fragment]
    /// Nil for a declaration that the compiler synthesizes.
    var location: Location?
  }
  /// The kind of a declaration, such as `swift.method`.
  struct Kind: Decodable {
    var identifier: String
  }
  /// A documentation comment; a comment without its own module is inherited.
  struct Comment: Decodable {
    var module: String?
  }
  struct Fragment: Decodable {
    var kind: String
    var spelling: String
  }
  struct Location: Decodable {
    var uri: String
  }

  var symbols: [Symbol]

  /// Returns the options with which a compiler finds the built modules of the package.
  static func importOptions() async throws -> [String] {
    let build = DaemonUnderTest.executable.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let modules = try FileManager.default.contentsOfDirectory(atPath: "\(GeneratedTable.package)/Sources")
    let headers = try await run(["pkg-config", "--cflags-only-I", "gstreamer-audio-1.0", "dbus-1"]).output
    // Modules of C do not have files beside Swift's module files.
    var options = headers.split { $0 == " " || $0.isNewline }.flatMap { ["-Xcc", String($0)] }
    options += modules.filter { $0.first == "C" && $0 != "CoreMedia" }.flatMap {
      ["-I", "\(GeneratedTable.package)/Sources/\($0)"]
    }
    return options + [
      "-Xcc", "-fmodule-map-file=\(build)/COpenCombineHelpers.build/module.modulemap", "-I", "\(build)/Modules",
    ]
  }

  /// Returns the written public declarations of a built module, with those that it adds to types of others.
  static func symbols(of module: String) async throws -> [Symbol] {
    let info = try await run(["swiftc", "-print-target-info"]).output
    let triple = try #require(info.firstMatch(of: #/"unversionedTriple": "([^"]*)"/#)).output.1
    return try await withTemporaryDirectory { directory in
      let extracted = try await run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-target", String(triple)]
          + (try await importOptions()) + ["-skip-synthesized-members", "-output-dir", directory.path], within: 60)
      try #require(extracted.succeeded, "\(extracted.error)")
      return try FileManager.default.contentsOfDirectory(atPath: directory.path).flatMap { name in
        let file = FileManager.default.contents(atPath: directory.file(name)) ?? Data()
        return try JSONDecoder().decode(SymbolGraph.self, from: file).symbols.filter { $0.location != nil }
      }
    }
  }
}
