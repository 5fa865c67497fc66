import Glibc
import TestSupport
import Testing

/// The README shows commands that work.
@Suite(
  .enabled(if: Tool.areAvailable("playerctl", "busctl", "gdbus", "timeout"), "playerctl, busctl or gdbus is missing"))
struct ReadmeTests {
  /// The lines of the README's shell blocks that ask a running daemon for something.
  private static func commands() async throws -> [String] {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/README.md"
    var isShell = false
    var commands: [String] = []
    for line in try await run(["cat", path]).output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isShell = line == "```sh"
      } else if isShell, ["playerctl ", "mpris-playerd ", "busctl ", "gdbus "].contains(where: line.hasPrefix) {
        commands.append(String(line))
      }
    }
    return commands
  }

  @Test("Every command for a daemon that plays does what it should: it ends well, or goes on until it is stopped")
  func cookbook() async throws {
    let commands = try await Self.commands()
    try #require(commands.count > 8)
    let track = try await Media.sine(seconds: 30, format: .flac, tags: Tags(title: "Cook"))
    try await withTemporaryDirectory { home in
      #expect(unsafe link(track, home.file("next.flac")) == 0)
      _ = try home.write("[00:01.00]One\n[00:02.00]Two\n", to: "song.lrc")
      let folder = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      try await withDaemon(["--loop", "track", track]) { daemon in
        try await daemon.titled("Cook")
        let environment = daemon.bus.environment.merging(
          ["HOME": home.path, "PATH": "\(folder):/usr/local/bin:/usr/bin:/bin"]) { $1 }
        for command in commands {
          let result = try await run(
            ["timeout", "--kill-after=2", "1", "sh", "-c", command], environment: environment)
          // What follows is ended by timeout, which says 124; a program that ends in order on its signal says 0.
          #expect([.exited(0), .exited(124)].contains(result.status), "\(command): \(result.error)")
          #expect(!result.error.contains("rror"), "\(command): \(result.error)")
          #expect(!result.output.isEmpty || result.status != .exited(124) || command.contains("--exec"), "\(command)")
        }
        #expect(daemon.process.isRunning)
      }
    }
  }
}
