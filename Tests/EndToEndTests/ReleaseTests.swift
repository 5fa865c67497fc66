import FoundationEssentials
import TestSupport
import Testing

/// Tests of the values in `data/release`, and of all files that repeat them.
@Suite struct ReleaseTests {
  private static let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  private func text(of file: String, in tree: String = package) async throws -> String {
    let result = try await run(["cat", "\(tree)/\(file)"])
    try #require(result.succeeded, "\(result.error)")
    return result.output
  }

  private func release(_ key: String, in tree: String = package) async throws -> String {
    let lines = try await text(of: "data/release", in: tree).split(separator: "\n")
    return String(try #require(lines.first { $0.hasPrefix("\(key)=") }).dropFirst(key.count + 1))
  }

  /// Expects that the files of a tree state the version and the date in its `data/release`.
  private func expectSameVersion(in tree: String) async throws {
    let (version, date) = (try await release("version", in: tree), try await release("date", in: tree))
    let names = try await text(of: "Sources/PlayerdSystem/Names.swift", in: tree)
    #expect(names.contains("\n  package static let version = \"\(version)\"\n"))
    #expect(try await text(of: "README.md", in: tree).contains("\nVersion \(version):"))
    let changes = try await text(of: "debian/changelog", in: tree)
    #expect(changes.hasPrefix("mpris-playerd (\(version)-0upstream1) "))
    let day = try await run(["date", "--utc", "--rfc-email", "--date=\(date)"]).output
    #expect(changes.contains("\n -- \(try await release("maintainer", in: tree))  \(day)"))
    let metainfo = try await text(of: "data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in", in: tree)
    #expect(metainfo.contains("<releases>\n    <release version=\"\(version)\" date=\"\(date)\"/>"))
    // The heading is added with the release.
    let heading = try await text(of: "CHANGELOG.md", in: tree).split(separator: "\n")
      .first { $0.hasPrefix("## [\(version)]") }
    #expect(heading == nil || heading == "## [\(version)] - \(date)")
  }

  @Test("The command, the README, the metainfo and the change log have the version and the date of the release")
  func version() async throws {
    try await expectSameVersion(in: Self.package)
    #expect(try await run([DaemonUnderTest.executable, "--version"]).output == "\(try await release("version"))\n")
  }

  /// The environment of git: an author, and no files of the user or the system.
  private static let git = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.org", "GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.org",
  ]

  /// Runs git in a tree, and returns its output.
  @discardableResult
  private func git(_ arguments: String..., in tree: String) async throws -> String {
    let result = try await run(["git", "-C", tree] + arguments, environment: Self.git)
    try #require(result.succeeded, "\(arguments): \(result.error)")
    return result.output
  }

  /// Passes a repository with one commit, a copy of the project's files.
  private func withRepository(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let tree = directory.file("tree")
      let copied = try await run([
        "bash", "-c", #"mkdir "$2" && tar --exclude="./.build*" --exclude=./.git -C "$1" -c . | tar -C "$2" -x"#,
        "copy",
        Self.package, tree,
      ])
      try #require(copied.succeeded, "\(copied.error)")
      for command in [["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "Before"]] {
        let result = try await run(["git", "-C", tree] + command, environment: Self.git)
        try #require(result.succeeded, "\(command): \(result.error)")
      }
      try await body(tree)
    }
  }

  @Test(
    "make release sets the version and the date in every file, commits them and tags the commit",
    .enabled(if: Tool.areAvailable("git", "make", "tar"), "git, make or tar is not installed"))
  func released() async throws {
    let earlier = try await release("version")
    try await withRepository { tree in
      let intended = try await run(["touch", "\(tree)/scripts/api-changes.txt"])
      try #require(intended.succeeded)
      let address = "https://example.org/music/mpris-playerd"
      let addressed = try await run(["sed", "-i", "s|^url=.*|url=\(address)|", "\(tree)/data/release"])
      try #require(addressed.succeeded)
      try await git("add", ".", in: tree)
      try await git("commit", "--quiet", "--message", "Intended changes", in: tree)
      let made = try await run(
        ["make", "--directory", tree, "release", "VERSION=987.6.5"], environment: Self.git)
      try #require(made.succeeded, "\(made.error)")

      #expect(try await release("version", in: tree) == "987.6.5")
      try await expectSameVersion(in: tree)
      let date = try await release("date", in: tree)
      let log = try await text(of: "CHANGELOG.md", in: tree)
      #expect(log.contains("\n## [Unreleased]\n\n## [987.6.5] - \(date)\n\n"))
      // Earlier releases stay.
      let metainfo = try await text(of: "data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in", in: tree)
      #expect(metainfo.contains("\n    <release version=\"\(earlier)\" date=\"\(try await release("date"))\"/>"))
      for file in ["README.md", "docs/APP.md", "docs/LIBRARIES.md", "docs/PORTING.md"] {
        let text = try await text(of: file, in: tree)
        let stated = text.matches(of: /([a-z]+: "[^"]*\/mpris-playerd"[^\)]*), traits:/).map(\.output.1)
        #expect(!stated.isEmpty, "\(file)")
        for dependency in stated { #expect(dependency == "url: \"\(address)\", from: \"987.6.5\"", "\(file)") }
      }
      #expect(try await git("ls-files", "scripts/api-changes.txt", in: tree).isEmpty)
      #expect(try await git("status", "--porcelain", in: tree).isEmpty)
      #expect(try await git("describe", "--exact-match", in: tree) == "v987.6.5\n")
      #expect(try await git("rev-list", "--count", "HEAD", in: tree) == "3\n")
    }
  }

  @Test(
    "make release refuses a tag that exists, a version that is not newer, and a tree with changes",
    .enabled(if: Tool.areAvailable("git", "make", "tar"), "git, make or tar is not installed"))
  func refusedRelease() async throws {
    let current = try await release("version")
    try await withRepository { tree in
      try await git("tag", "v987.6.5", in: tree)
      let head = try await git("rev-parse", "HEAD", in: tree)
      func refusal(_ version: String) async throws -> String {
        let result = try await run(
          ["make", "--directory", tree, "release", "VERSION=\(version)"], environment: Self.git)
        #expect(!result.succeeded, "\(version)")
        #expect(try await git("rev-parse", "HEAD", in: tree) == head)
        #expect(try await git("tag", in: tree) == "v987.6.5\n")
        return result.error
      }
      #expect(try await refusal("987.6.5").contains("error: tag v987.6.5 exists\n"))
      for version in [current, "0.0.1"] {
        #expect(try await refusal(version).contains("error: version \(version) is not newer than \(current)\n"))
      }
      for version in ["v988.0.0", "988.0", "988.0.0-beta", "988.0.00", "988.0.0;true"] {
        #expect(try await refusal(version).contains("does not have the form MAJOR.MINOR.PATCH"), "\(version)")
      }
      #expect(try await refusal("").contains("usage: make release VERSION=1.2.3"))
      #expect(try await git("status", "--porcelain", in: tree).isEmpty)

      // Files that state the version in another form stop the release, and the edits are undone.
      let edited = try await run(["sed", "-i", "s/^Version /Release /", "\(tree)/README.md"])
      try #require(edited.succeeded)
      #expect(try await refusal("988.0.0").contains("error: the tree has uncommitted changes"))
      #expect(try await git("status", "--porcelain", in: tree) == " M README.md\n")
      try await git("commit", "--quiet", "--all", "--amend", "--message", "Edited", in: tree)
      let incomplete = try await run(
        ["make", "--directory", tree, "release", "VERSION=988.0.0"], environment: Self.git)
      #expect(!incomplete.succeeded && incomplete.error.contains("error: README.md has no line that matches"))
      #expect(try await git("status", "--porcelain", in: tree).isEmpty)
    }
  }

  @Test("LICENSE, the metainfo, the copyright file, the README and CONTRIBUTING state the same licence")
  func licence() async throws {
    let metainfo = try await text(of: "data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in")
    let stated = try #require(metainfo.firstMatch(of: /<project_license>(.+)<\/project_license>/))
    let licence = String(stated.output.1)
    let copyright = try await text(of: "debian/copyright")
    #expect(copyright.contains("\nFiles: *\nCopyright: The mpris-playerd developers\nLicense: \(licence)\n"))
    for file in ["README.md", "CONTRIBUTING.md"] {
      #expect(try await text(of: file).contains("licence of the project is [\(licence)](LICENSE)."), "\(file)")
    }
    // "Apache-2.0" has this title in the full text.
    let name = licence.split(separator: "-")
    let title = try await text(of: "LICENSE").split(separator: "\n").prefix(2).joined()
    #expect(title.contains("\(name[0]) License") && title.contains("Version \(name[1])"))
    // Debian has the full texts of common licences; the copyright file refers to them.
    let reference = "/usr/share/common-licenses/\(licence)"
    #expect(copyright.contains(" \(reference)."))
    if FileManager.default.fileExists(atPath: "/usr/share/common-licenses") {
      #expect(try await run(["cmp", "\(Self.package)/LICENSE", reference]).succeeded)
    }
  }

  /// Returns a file with the address of a tree, as it is in the archive and in an installation.
  private func addressed(_ file: String, in tree: String) async throws -> String {
    let result = try await run([
      "bash", "-c", #". "$0/scripts/common.sh" && with_address "$1""#, tree, file,
    ])
    try #require(result.succeeded, "\(result.error)")
    return result.output
  }

  @Test("Packages and the metainfo have the address of the project, and none while data/release has none")
  func address() async throws {
    let metainfo = "data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in"
    let files = [metainfo, "debian/control", "debian/watch", "debian/upstream/metadata"]
    try await withTemporaryDirectory { directory in
      for (address, isKnown) in [("https://example.org/music/mpris-playerd", true), ("", false)] {
        let copied = try await run([
          "bash", "-c",
          #"mkdir -p "$1/data" && cp -r "$0/scripts" "$0/debian" "$1" && cp -r "$0/data/metainfo" "$1/data" && "#
            + #"echo "url=$2" >"$1/data/release""#,
          Self.package, directory.file("tree"), address,
        ])
        try #require(copied.succeeded, "\(copied.error)")
        for file in files {
          let text = try await addressed(file, in: directory.file("tree"))
          #expect(text.contains("https://example.org/") == isKnown && !text.contains("@url@"), "\(file)")
        }
        let filled = try await addressed(metainfo, in: directory.file("tree"))
        #expect(filled.contains("<screenshots>") == isKnown && filled.contains("<launchable"))
      }
    }
    let address = try await release("url")
    // Its last part is the identity of the package for SwiftPM.
    #expect(address.isEmpty || address.wholeMatch(of: /https:\/\/.+\/mpris-playerd/) != nil, "\(address)")
  }

  @Test("The pictures of the metainfo and of the README exist")
  func pictures() async throws {
    let metainfo = try await text(of: "data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in")
    let pictures = metainfo.matches(of: /<image>@url@\/raw\/HEAD\/(.+)<\/image>/).map { String($0.output.1) }
    let shown = try await text(of: "README.md").matches(of: /<img src="([^"]+)"/).map { String($0.output.1) }
    #expect(pictures.count == 2 && shown.count == 3)
    for picture in pictures + shown {
      #expect(try await run(["test", "-s", "\(Self.package)/\(picture)"]).succeeded, "\(picture)")
    }
  }

  @Test("No file of the project names another licence in a header")
  func headers() async throws {
    // The expression does not match itself.
    let found = try await run(
      ["grep", "-rnIE", "SPDX-License-[I]dentifier|General [P]ublic Licen|[L]GPL"]
        + ["Sources", "Tests", "Examples", "Benchmarks", "scripts", "data", "Package.swift"].map {
          "\(Self.package)/\($0)"
        })
    // grep exits with 1 if no line matches.
    #expect(found.status == .exited(1), "\(found.output)\(found.error)")
  }

  @Test(
    "The manual page has the date of the release", .enabled(if: Tool.areAvailable("python3"), "there is no python3"))
  func manual() async throws {
    let page = try await run(["\(Self.package)/scripts/manual.py", DaemonUnderTest.executable])
    let date = try await run(["date", "--date=\(try await release("date"))", "+.Dd %B %-d, %Y"])
    #expect(date.succeeded && page.output.contains("\n\(date.output)"), "\(page.error)")
  }

  @Test("The source package has the maintainer of the release, and needs the packages that a build installs")
  func sourcePackage() async throws {
    let maintainer = try await release("maintainer")
    let control = try await text(of: "debian/control")
    #expect(control.contains("\nMaintainer: \(maintainer)\n"))
    #expect(try await text(of: "debian/copyright").contains("\nUpstream-Contact: \(maintainer)\n"))
    let needed = try #require(control.firstMatch(of: /\nBuild-Depends:\n((?: .*\n)+)/)).output.1
      .split(separator: "\n").compactMap { $0.firstMatch(of: /^ ([a-z0-9.+-]+)/).map { String($0.output.1) } }
    let installed = try #require(
      try await text(of: "scripts/install-deps.sh").firstMatch(of: /\nbuild=\(([^)]*)\)/)
    ).output.1.split { $0 == " " || $0 == "\n" }.map(String.init)
    // An archive needs nothing that fetches sources.
    let ofBuild = Set(installed).subtracting(["pkg-config", "git", "ca-certificates"]).union(["pkgconf"])
    #expect(
      Set(needed) == ofBuild.union(["debhelper-compat", "libtomlplusplus-dev", "python3", "swiftlang"]))
  }
}
