import TestSupport
import Testing

/// The lines of `data/release`, and everything that repeats them.
@Suite struct ReleaseTests {
  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  private func text(of file: String) async throws -> String {
    let result = try await run(["cat", "\(Self.package)/\(file)"])
    try #require(result.succeeded, "\(result.error)")
    return result.output
  }

  private func release(_ key: String) async throws -> String {
    let lines = try await text(of: "data/release").split(separator: "\n")
    return String(try #require(lines.first { $0.hasPrefix("\(key)=") }).dropFirst(key.count + 1))
  }

  @Test("The command, the README, the metainfo and the change log have the version and the date of the release")
  func version() async throws {
    let (version, date) = (try await release("version"), try await release("date"))
    #expect(try await run([DaemonUnderTest.executable, "--version"]).output == "\(version)\n")
    #expect(try await text(of: "README.md").contains("\nVersion \(version):"))
    let metainfo = try await text(of: "data/metainfo/org.playerd.mpris_playerd.metainfo.xml")
    #expect(metainfo.contains("<releases>\n    <release version=\"\(version)\" date=\"\(date)\"/>"))
    // The heading comes with the release.
    let heading = try await text(of: "CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## [\(version)]") }
    #expect(heading == nil || heading == "## [\(version)] - \(date)")
  }

  @Test(
    "The manual page has the date of the release", .enabled(if: Tool.areAvailable("python3"), "there is no python3"))
  func manual() async throws {
    let page = try await run(["\(Self.package)/scripts/manual.py", DaemonUnderTest.executable])
    let date = try await run(["date", "--date=\(try await release("date"))", "+.Dd %B %-d, %Y"])
    #expect(date.succeeded && page.output.contains("\n\(date.output)"), "\(page.error)")
  }

  @Test(
    "The package names the maintainer of the release, whoever builds it",
    .enabled(if: Tool.areAvailable("dpkg-deb", "dpkg-shlibdeps", "strip", "python3"), "dpkg-dev is not installed"))
  func maintainer() async throws {
    try await withTemporaryDirectory { directory in
      let built = try await run(
        ["\(Self.package)/scripts/deb.sh"],
        environment: [
          "BINARY": DaemonUnderTest.executable, "OUT": directory.file("deb"), "COMPRESSION": "none",
          "DEBFULLNAME": "Somebody Else", "DEBEMAIL": "somebody@example.org",
          "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Somebody Else",
          "GIT_CONFIG_KEY_1": "user.email", "GIT_CONFIG_VALUE_1": "somebody@example.org",
        ], within: 60)
      try #require(built.succeeded, "\(built.error)")
      let package = try #require(built.error.split(separator: " ").first { $0.hasSuffix(".deb,") }).dropLast()
      let fields = try await run(["dpkg-deb", "--field", String(package), "Maintainer", "Version"])
      let (maintainer, version) = (try await release("maintainer"), try await release("version"))
      #expect(fields.output.contains("Maintainer: \(maintainer)\n"))
      #expect(fields.output.contains("Version: \(version)"))
      let log = try await run([
        "gzip", "--decompress", "--stdout",
        directory.file("deb/tree/usr/share/doc/mpris-playerd/changelog.Debian.gz"),
      ])
      #expect(log.output.contains("\n -- \(maintainer)  "))
    }
  }
}
