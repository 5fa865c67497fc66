import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the daemon with a disk that does not answer.
@Suite("A disk that does not answer", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct HangingDiskTests {
  private func tracks(_ names: String...) async throws -> [String: String] {
    var files: [String: String] = [:]
    for name in names {
      files["\(name).flac"] = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: name))
    }
    return files
  }

  private func good(_ title: String) async throws -> String {
    try await Media.sine(seconds: 30, format: .flac, tags: Tags(title: title))
  }

  private func run(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await TestSupport.run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  /// Expects that the daemon quits and leaves its name, so that another one can start.
  private func quits(_ daemon: DaemonUnderTest, for next: String) async throws {
    #expect(try await run(daemon, "quit").succeeded)
    try await withDaemon([next], on: daemon.bus) { try await $0.opened(titled: "Next") }
  }

  @Test("While a call to open an item hangs, another queue is opened, items are added, and the daemon quits")
  func opening() async throws {
    let (first, second, next) = (try await good("First"), try await good("Second"), try await good("Next"))
    try await HangingDisk.run(try await tracks("Hung"), arguments: { _ in ["--no-session", first] }) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang()
      try await daemon.call("OpenUri", [.string("file://" + disk.file("Hung.flac"))])
      try await disk.waits()
      #expect(try await daemon.status() == "Playing")
      try await daemon.call("Pause")
      try await daemon.call("Play")
      #expect(try await run(daemon, "--detach", second).output == "playing 1 track\n")
      try await daemon.opened(titled: "Second")
      try await daemon.call("OpenUri", [.string("file://" + disk.file("Hung.flac"))])
      #expect(try await run(daemon, "add", first).output == "queued 1 track after “Second”\n")
      try await quits(daemon, for: next)
    }
  }

  @Test(
    "A folder that hangs is reported to its caller, and does not delay other items", arguments: ["OPENDIR", "READ"])
  func folder(operation: String) async throws {
    let (first, second) = (try await good("First"), try await good("Second"))
    try await HangingDisk.run(try await tracks("Hung"), arguments: { _ in ["--no-session", first] }) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang("@\(operation)")
      let command = [DaemonUnderTest.executable, "add", disk.place]
      try await withChildProcess(command, environment: daemon.bus.environment) { adding in
        try await disk.waits(operation)
        try await daemon.process.waitForLine(containing: "the disk does not answer", on: .error)
        #expect(try await adding.exitStatus() == .exited(0))
        #expect(adding.captured(.output) == "no track yet; the rest is still being read\n")
      }
      #expect(try await run(daemon, "add", second).output == "queued 1 track after “First”\n")
      let mark = daemon.signals.count
      try await disk.answer()
      _ = try await daemon.signals.first("the folder is added", from: mark, within: 20) {
        $0.changes?["CanGoNext"] != nil || $0.member == "PropertiesChanged" || $0.member.rawValue.hasPrefix("Track")
      }
    }
  }

  @Test(
    "If reading or seeking hangs in a track, it fails, and the next one plays; the daemon quits",
    arguments: ["@READ", ""])
  func reading(words: String) async throws {
    let (second, next) = (try await good("Second"), try await good("Next"))
    try await HangingDisk.run(
      try await tracks("Hung"), arguments: { ["--no-session", $0.file("Hung.flac"), second] }
    ) { disk, daemon in
      try await daemon.opened(titled: "Hung")
      try await disk.hang(words)
      try await daemon.call("Seek", [.int64(20_000_000)])
      try await disk.waits("READ")
      try await daemon.titled("Second", within: 30)
      try await quits(daemon, for: next)
    }
  }

  @Test("If opening or closing the next track hangs, it is left out", arguments: ["", "@FLUSH"])
  func successor(words: String) async throws {
    let (first, next) = (try await good("First"), try await good("Next"))
    try await HangingDisk.run(
      try await tracks("Hung"), arguments: { ["--no-session", first, $0.file("Hung.flac"), next] }
    ) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang(words)
      try await daemon.call("Seek", [.int64(27_000_000)])
      try await disk.waits()
      try await daemon.titled("Next", within: 30)
    }
  }

  @Test("A decoder that SIGKILL does not end is replaced")
  func immortal() async throws {
    let (second, next) = (try await good("Second"), try await good("Next"))
    try await HangingDisk.run(
      try await tracks("Hung"), arguments: { ["--no-session", $0.file("Hung.flac"), second] }
    ) { disk, daemon in
      try await daemon.opened(titled: "Hung")
      let decoder = try await deadline(30, "a process that decodes") {
        while true {
          if let process = try await daemon.deckProcessIDs().first { return process }
          try await daemon.barrier()
        }
      }
      try await disk.hang("@READ")
      try await daemon.call("Seek", [.int64(20_000_000)])
      try await disk.waits("READ")
      #expect(kill(decoder, SIGKILL) == 0)
      _ = try await daemon.titled("Second", within: 60)
      #expect(kill(decoder, 0) == 0, "the process still exists")
      try await quits(daemon, for: next)
    }
  }

  @Test("A cover that hangs delays its track by some seconds, and no other one")
  func cover() async throws {
    let next = try await good("Next")
    try await HangingDisk.run(
      try await tracks("Hung"), arguments: { ["--no-session", "--paused", $0.file("Hung.flac"), next] }
    ) { disk, daemon in
      try await disk.hang("@OPENDIR")
      try await daemon.call("Play")
      try await disk.waits("OPENDIR")
      try await daemon.opened(titled: "Hung")
      try await daemon.call("Next")
      try await daemon.opened(titled: "Next")
      #expect(try await run(daemon, "queue").output.contains("Next"))
    }
  }

  @Test(
    "While the audio of a book is identified on the disk, the book plays, its place is listed, and the daemon quits")
  func identification() async throws {
    let next = try await good("Next")
    try await withTemporaryDirectory { directory in
      let configuration = try directory.write("books = []\n", to: "config.toml")
      try await HangingDisk.run(
        try await tracks("Hung", "Second"),
        arguments: { ["--config", configuration, $0.file("Hung.flac"), $0.file("Second.flac")] },
        environment: { _ in ["XDG_STATE_HOME": directory.path] }
      ) { disk, daemon in
        try await daemon.opened(titled: "Hung")
        // The decoder has opened the file; the identification opens it again, as soon as it is a book.
        try await disk.hang("@OPEN", "Hung")
        try directory.write("books = [\"\(disk.place)\"]\n", to: "config.toml")
        #expect(try await run(daemon, "reload").succeeded)
        try await daemon.call("Pause")
        try await daemon.call("Play")
        try await disk.waits("OPEN /Hung.flac")
        #expect(try await run(daemon, "status").output.contains("book"))
        #expect(try await run(daemon, "places").output.contains("Hung.flac"))
        let position = try await daemon.position()
        try await deadline(20, "the book plays") {
          while try await daemon.position() <= position { try await daemon.barrier() }
        }
        try await quits(daemon, for: next)
        #expect(!daemon.process.captured(.error).contains("does not end"))
      }
    }
  }

  @Test("With the session on the disk, the daemon plays, says that it cannot save, and quits")
  func session() async throws {
    let (first, next) = (try await good("First"), try await good("Next"))
    try await HangingDisk.run(
      [:], arguments: { _ in [first, first] }, environment: { ["XDG_STATE_HOME": $0.file("state")] }
    ) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang()
      try await daemon.call("Next")
      try await disk.waits()
      #expect(try await daemon.status() == "Playing")
      #expect(try await run(daemon, "quit").succeeded)
      try await daemon.process.waitForLine(containing: "the part “session” does not end", on: .error)
      try await withDaemon([next], on: daemon.bus) { try await $0.opened(titled: "Next") }
    }
  }

  @Test("A daemon whose session is on the disk says at its start what it waits for")
  func sessionAtStart() async throws {
    let (first, next) = (try await good("First"), try await good("Next"))
    try await HangingDisk.run([:], arguments: { _ in ["--no-session", first] }) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang()
      try await withPrivateBus { bus in
        var environment = bus.environment
        environment["XDG_STATE_HOME"] = disk.file("state")
        let command = [DaemonUnderTest.executable, "--audio-sink", "fakesink sync=true", next]
        try await withChildProcess(command, environment: environment) { waiting in
          try await waiting.waitForLine(containing: "state/mpris-playerd: waiting for its disk", on: .error)
          try await disk.answer()
          let quit = try await TestSupport.run([DaemonUnderTest.executable, "quit"], environment: environment)
          #expect(quit.succeeded, "\(quit.error)")
          #expect(try await waiting.exitStatus() == .exited(0))
        }
      }
    }
  }

  @Test("With the playlist folder on the disk, clients get an answer, and only commands for playlists wait")
  func playlists() async throws {
    let (first, next) = (try await good("First"), try await good("Next"))
    try await HangingDisk.run(
      [:], arguments: { _ in ["--no-session", first] }, environment: { ["XDG_MUSIC_DIR": $0.place] }
    ) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang()
      let count = try await daemon.get("PlaylistCount", of: "org.mpris.MediaPlayer2.Playlists")
      #expect(count == .uint32(0))
      try await disk.waits()
      try await withChildProcess(
        [DaemonUnderTest.executable, "save", "Evening"], environment: daemon.bus.environment
      ) { saving in
        #expect(try await run(daemon, "queue").succeeded)
        #expect(try await run(daemon, "status").succeeded)
        try await quits(daemon, for: next)
        try await disk.answer()
        _ = try await saving.exitStatus()
      }
    }
  }

  @Test("A command whose argument is on the disk says what it waits for")
  func commandLine() async throws {
    let first = try await good("First")
    try await HangingDisk.run(try await tracks("Hung"), arguments: { _ in ["--no-session", first] }) { disk, daemon in
      try await daemon.opened(titled: "First")
      try await disk.hang()
      let command = [DaemonUnderTest.executable, "add", disk.file("Hung.flac")]
      try await withChildProcess(command, environment: daemon.bus.environment) { adding in
        try await adding.waitForLine(containing: "waiting for its disk, which does not answer", on: .error)
        try await disk.answer()
        #expect(try await adding.exitStatus() == .exited(0))
        #expect(adding.captured(.output) == "queued 1 track after “First”\n")
      }
    }
  }
}
