import DBus
import Glibc
import TestSupport
import Testing

/// The README shows commands that work.
@Suite(
  .enabled(if: Tool.areAvailable("playerctl", "busctl", "gdbus", "timeout"), "playerctl, busctl or gdbus is missing"))
struct ReadmeTests {
  /// The commands of the README, of its shell blocks and of its sentences, that ask a running daemon for something.
  private static func commands() async throws -> [String] {
    let path = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/README.md"
    var block: Substring?
    var commands: [String] = []
    for line in try await run(["cat", path]).output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        block = block == nil ? line : nil
      } else if block == "```sh" {
        commands.append(String(line))
      } else if block == nil {
        commands += line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
    }
    return commands.filter { command in
      let isForDaemon = ["playerctl ", "mpris-playerd ", "busctl ", "gdbus "].contains(where: command.hasPrefix)
      // With a blank to be filled it is a form of words. What `devices` exits with depends on the machine.
      return isForDaemon && !["<", "[OPTION", " devices"].contains(where: command.contains)
    }
  }

  /// Whether a command goes on until it is stopped.
  private static func follows(_ command: String) -> Bool {
    ["--follow", " watch", " monitor "].contains(where: command.contains)
  }

  /// Plays through the boundaries that a command observes, and waits for the output of the command it runs there.
  ///
  /// One of the commands appends to the file `heard.txt`, which is a FIFO here, so that its reader sees the line.
  private static func runAtBoundary(
    _ command: String, _ line: [String], _ environment: [String: String], _ daemon: DaemonUnderTest,
    in home: TemporaryDirectory
  ) async throws {
    let isHalf = command.contains("50%")
    let method = isHalf ? "AddBoundaryFractionObserver" : "AddBoundaryTimeObserver"
    try await withBusMonitor(daemon.bus, "member='\(method)'") { monitor in
      try await withChildProcess(line, environment: environment) { watch in
        try await monitor.waitForLine(containing: "member=\(method)")
        let track = try #require(try await daemon.metadata("mpris:trackid"))
        try await daemon.call("SetPosition", [track, .int64(isHalf ? 74_800_000 : 800_000)])
        if isHalf {
          let title = try #require(try await daemon.metadata("xesam:title")?.asString)
          try await withChildProcess(["cat", home.file("heard.txt")]) { try await $0.waitForLine(containing: title) }
        } else {
          try await watch.waitForLine(containing: "One")
        }
        #expect(watch.isRunning && !watch.captured(.error).contains("rror"), "\(watch.diagnostics)")
      }
    }
  }

  @Test("Every command for a daemon that plays does what it should: it ends well, or goes on until it is stopped")
  func cookbook() async throws {
    var commands = try await Self.commands()
    try #require(commands.count > 30)
    let quit = try #require(commands.firstIndex { $0.hasSuffix(" quit") })
    commands.append(commands.remove(at: quit))
    let tracks = [
      try await Media.sine(seconds: 150, format: .flac, tags: Tags(title: "Cook")),
      try await Media.sine(seconds: 150, format: .flac, tags: Tags(title: "Bake")),
    ]
    try await withTemporaryDirectory { home in
      try home.makeDirectory("album")
      for name in ["next.flac", "song.flac", "album/1.flac"] {
        #expect(unsafe link(tracks[0], home.file(name)) == 0)
      }
      _ = try home.write("[00:01.00]One\n[00:02.00]Two\n", to: "song.lrc")
      try #require(unsafe mkfifo(home.file("heard.txt"), 0o600) == 0)
      let folder = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      let playlists = ["XDG_MUSIC_DIR": home.path, "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": home.path]
      try await withDaemon(["--loop", "playlist"] + tracks, environment: playlists) { daemon in
        try await daemon.opened(titled: "Cook")
        let environment = daemon.bus.environment.merging(
          ["HOME": home.path, "PATH": "\(folder):/usr/local/bin:/usr/bin:/bin"]) { $1 }
        for command in commands {
          // What a command before it has paused, stopped or opened is in nobody's way.
          try await daemon.call("Play")
          let line = ["sh", "-c", "cd \"$HOME\" && \(Self.follows(command) ? "exec " : "")\(command)"]
          if command.contains("--exec") {
            try await Self.runAtBoundary(command, line, environment, daemon, in: home)
          } else if Self.follows(command) {
            try await withChildProcess(line, environment: environment) { child in
              try await child.waitForLine(containing: "")
              #expect(child.isRunning && !child.captured(.error).contains("rror"), "\(child.diagnostics)")
            }
          } else {
            let result = try await run(line, environment: environment)
            let refusals = ["the current track has no chapters\n", "there is no output device “ID”"]
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
