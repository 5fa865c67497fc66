import TestSupport
import Testing

/// Tests of the part of `make dist` that needs no network.
@Suite("Source archive", .enabled(if: Tool.areAvailable("python3"), "python3 is not installed"))
struct SourceArchiveTests {
  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  /// Completes a tree with one Swift package, and returns the result with the manifest and the SPDX list.
  private func complete(
    _ name: String, licence: String = "LICENSE"
  ) async throws -> (result: ProcessResult, manifest: String, list: String) {
    try await withTemporaryDirectory { directory in
      let tree = directory.path
      let made = try await run([
        "bash", "-c", #"mkdir -p "$1/debian" "$1/Packages/$3" && cp "$2/debian/copyright" "$1/debian""#,
        "make", tree, Self.package, name,
      ])
      try #require(made.succeeded, "\(made.error)")
      _ = try directory.write("let package = Package()\n", to: "Package.swift")
      _ = try directory.write("Text\n", to: "Packages/\(name)/\(licence)")
      let resolved = """
        {"pins": [{"identity": "x", "location": "https://example.org/o/\(name).git",
          "state": {"revision": "0123abcd", "version": "1.2.3"}}], "version": 3}
        """
      _ = try directory.write(resolved, to: "Package.resolved")
      let result = try await run(["python3", "\(Self.package)/scripts/dist/vendor.py", tree, "0.9", "86400"])
      let list = try await run(["cat", "\(tree)/mpris-playerd.spdx.json"])
      return (result, try await run(["cat", "\(tree)/Package.swift"]).output, list.output)
    }
  }

  @Test("The manifest uses the folders of the packages, and the SPDX list has their versions and licences")
  func completed() async throws {
    let (result, manifest, list) = try await complete("TOMLKit")
    try #require(result.succeeded, "\(result.error)")
    #expect(manifest.hasPrefix("let package = Package()\n"))
    #expect(manifest.contains("package.dependencies = [\n  .package(path: \"Packages/TOMLKit\"),\n]\n"))
    #expect(list.contains("\"downloadLocation\": \"git+https://example.org/o/TOMLKit.git@0123abcd\""))
    #expect(list.contains("\"versionInfo\": \"1.2.3\"") && list.contains("\"licenseConcluded\": \"MIT\""))
    #expect(list.contains("Jeff Lebrun") && list.contains("Mark Gillard"))
    #expect(list.contains("\"created\": \"1970-01-02T00:00:00Z\""))
    #expect(try await complete("TOMLKit").list == list)
    #expect(try await complete("swift-argument-parser").list.contains("\"Apache-2.0 WITH Swift-exception AND ISC\""))
  }

  @Test("A package without a known licence, or without a licence file, is an error that names it")
  func refused() async throws {
    let unknown = try await complete("Unknown")
    #expect(unknown.result.error == "error: debian/copyright has no licence of Unknown\n")
    let unlicensed = try await complete("TOMLKit", licence: "README")
    #expect(unlicensed.result.error == "error: Packages/TOMLKit has no licence file\n")
    for (result, _, list) in [unknown, unlicensed] { #expect(!result.succeeded && list.isEmpty) }
  }
}
