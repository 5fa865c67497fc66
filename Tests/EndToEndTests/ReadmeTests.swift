import DBus
import Glibc
import TestSupport
import Testing

/// The commands that the README and the documents for users show.
@Suite(
  .enabled(if: Tool.areAvailable("playerctl", "busctl", "gdbus", "timeout"), "playerctl, busctl or gdbus is missing"))
struct ReadmeTests {
  private static let documents = [
    "README.md", "docs/COMMAND-LINE.md", "docs/CONFIGURATION.md", "docs/COOKBOOK.md", "docs/JSON.md",
  ]

  /// Returns the commands of a document, in its shell blocks and sentences, that control a running daemon.
  private static func commands(of document: String) async throws -> [String] {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/" + document
    var block: Substring?
    var commands: [String] = []
    let text = try await run(["cat", path])
    try #require(text.succeeded, "\(text.error)")
    for line in text.output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        block = block == nil ? line : nil
      } else if block == "```sh" {
        // CookbookTests runs the examples of the cookbook.
        if document != "docs/COOKBOOK.md" { commands.append(String(line)) }
      } else if block == "```console", line.hasPrefix("$ ") {
        commands.append(String(line.dropFirst(2)))
      } else if block == nil {
        commands += line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
    }
    return commands.filter { command in
      let isForDaemon = ["playerctl ", "mpris-playerd ", "busctl ", "gdbus "].contains(where: command.hasPrefix)
      // A command with a placeholder cannot run. The exit status of `devices` depends on the machine.
      // VerificationTests runs `doctor --verify`, which plays a file to its end. StationTests runs `live`, which only a station supports,
      // and ResolverTests opens pages.
      return isForDaemon
        && !["<", "[OPTION", "ITEM", " devices", " --verify", "playerd live", "youtube.com"].contains(
          where: command.contains)
    }
  }

  /// Whether a command runs until it is stopped.
  private static func follows(_ command: String) -> Bool {
    ["--follow", " watch", " lyrics", " monitor "].contains(where: command.contains)
  }

  @Test("The commands of a document succeed while a daemon plays, or run until they are stopped", arguments: documents)
  func commands(document: String) async throws {
    let shown = try await Self.commands(of: document)
    try #require(!shown.isEmpty)
    let commands = shown.filter { !$0.hasSuffix(" quit") } + ["mpris-playerd quit"]
    let media = [
      try await Media.sine(seconds: 150, format: .flac, tags: Tags(title: "Cook")),
      try await Media.sine(seconds: 150, format: .flac, tags: Tags(title: "Bake")),
    ]
    try await withTemporaryDirectory { home in
      let tracks = [home.file("cook.flac"), home.file("bake.flac")]
      for (file, track) in zip(media, tracks) { #expect(unsafe link(file, track) == 0) }
      try home.makeDirectory("album")
      try home.makeDirectory("Music")
      for name in ["next.flac", "song.flac", "album/1.flac", "Music/1.flac"] {
        #expect(unsafe link(media[0], home.file(name)) == 0)
      }
      for name in ["cook", "bake", "next", "album/1", "Music/1"] {
        _ = try home.write("[00:00.00]La\n", to: "\(name).lrc")
      }
      let folder = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      let playlists = ["XDG_MUSIC_DIR": home.path, "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": home.path]
      try await withDaemon(["--loop", "playlist"] + tracks, environment: playlists) { daemon in
        try await daemon.opened(titled: "Cook")
        let environment = daemon.bus.environment.merging(
          ["HOME": home.path, "PATH": "\(folder):/usr/local/bin:/usr/bin:/bin"]) { $1 }
        for command in commands {
          // An earlier command may have paused or stopped playback.
          try await daemon.call("Play")
          let line = ["sh", "-c", "cd \"$HOME\" && \(Self.follows(command) ? "exec " : "")\(command)"]
          if Self.follows(command) {
            try await withChildProcess(line, environment: environment) { child in
              try await child.waitForLine(containing: "")
              #expect(child.isRunning && !child.captured(.error).contains("rror"), "\(child.diagnostics)")
            }
          } else {
            let result = try await run(line, environment: environment)
            let devices = ["ID", "NAME"].map { "the output device “\($0)” does not exist" }
            let refusals = devices + ["the current track has no chapters\n"]
            let isRefused = refusals.contains { result.error.hasPrefix("mpris-playerd: \($0)") }
            #expect(result.succeeded || isRefused, "\(command): \(result.error)")
            #expect(!result.error.contains("rror"), "\(command): \(result.error)")
          }
        }
        #expect(try await daemon.process.exitStatus() == .exited(0))
      }
    }
  }
}
