import DBus
import Glibc
import TestSupport
import Testing

/// Tests of `watch --plain` in a real terminal.
@Suite("watch --plain") struct PlainWatchTests {
  private static let executable = DaemonUnderTest.executable

  private func sine(_ title: String) async throws -> String {
    try await Media.sine(
      seconds: 60, format: .flac, tags: Tags(title: title, artists: ["Somebody"], album: "Tones"))
  }

  /// Runs `body` with a paused player of three tracks, and the terminal of a command.
  private func withPlayer(
    _ command: [String], _ body: (PseudoTerminal, DaemonUnderTest) async throws -> Void
  ) async throws {
    let files = [try await sine("First"), try await sine("Second"), try await sine("Third")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "First")
      // The tags of all tracks are known.
      _ = try await run([Self.executable, "queue"], environment: daemon.bus.environment)
      let environment = daemon.bus.environment.merging(["PLAYERD": Self.executable]) { $1 }
      try await withPseudoTerminal(command, environment: environment, columns: 200, rows: 60) {
        try await body($0, daemon)
      }
    }
  }

  @Test("Each change and each key is one line of text, the time only on request; q restores the terminal")
  func keys() async throws {
    try await withPlayer([Self.executable, "watch", "--plain"]) { terminal, daemon in
      try await terminal.shows("paused\nFirst — Somebody")
      #expect(!terminal.hasEcho)
      let steps =
        [
          ("9", "volume 98 %"), ("m", "muted"), ("m", "unmuted"), ("r", "loop playlist"), ("]", "speed 1.1"),
          ("\u{7F}", "speed 1"), ("\u{1B}[C", "position 0:05"),
          ("t", "First — Somebody, 0:05 of 1:00, paused, track 1 of 3"), ("x", "no key “x”; ? lists the keys"),
          ("\u{1B}[B", "2: Second — Somebody"), ("\u{1B}[F", "3: Third — Somebody"),
          ("d", "removed “Third — Somebody”; u undoes it"), ("\t", nil), ("u", "undone: remove “Third”"),
          ("/", "find: type words, select with Up and Down, play with Enter, Esc ends"),
          ("thi", "thi: 1 of 1, Third — Somebody"), ("\u{1B}", nil),
        ] as [(String, String?)]
      var expected = ["paused", "First — Somebody"]
      for (key, line) in steps {
        terminal.type(key)
        guard let line else { continue }
        expected.append(line)
        let lines = expected.joined(separator: "\n")
        try await terminal.screen("“\(line)”") { $0.text.hasPrefix(lines) }
      }
      terminal.type(" ")
      // A slow machine has a line about the wait before.
      try await terminal.shows("playing")
      terminal.type(" ")
      try await terminal.shows("playing\npaused")
      _ = try await run([Self.executable, "stop-after", "on"], environment: daemon.bus.environment)
      try await terminal.shows("stops after this track")
      terminal.type("?")
      try await terminal.shows(
        "t: the track, the time and the state\nspace: pause or resume\nLeft or Right: seek 5 seconds")
      try await terminal.shows("q: leave")
      terminal.type("q")
      #expect(try await terminal.exitStatus() == .exited(0))
      #expect(!terminal.output.contains(0x1B), "\(String(decoding: terminal.output, as: UTF8.self))")
      #expect(try await daemon.status() == "Paused")
    }
  }

  @Test("Ctrl-Z and a signal restore the terminal, and fg takes the keys again")
  func modes() async throws {
    let script =
      #""$PLAYERD" watch --plain; echo "stopped $?"; read -r line; fg >/dev/null; echo "ended $?"; read -r line"#
    try await withPlayer(["bash", "--norc", "-m", "-c", script]) { terminal, _ in
      try await terminal.shows("First")
      #expect(!terminal.hasEcho)
      terminal.type("\u{1A}")
      var mark = try await terminal.shows("stopped 148")
      #expect(terminal.hasEcho)
      terminal.type("\n")
      // A key that arrives before the modes are set is echoed.
      terminal.type(" ")
      mark = try await terminal.shows("playing", from: mark)
      #expect(!terminal.hasEcho)
      terminal.type("\u{3}")
      try await terminal.shows("ended 0", from: mark)
      #expect(terminal.hasEcho)
    }
  }

  @Test("A fault and a signal restore the terminal", arguments: [SIGSEGV, SIGTERM, SIGHUP])
  func signals(number: Int32) async throws {
    let script = #""$PLAYERD" watch --plain; echo "ended $?"; read -r line"#
    try await withPlayer(["bash", "--norc", "-m", "-c", script]) { terminal, _ in
      try await terminal.shows("First")
      #expect(!terminal.hasEcho)
      let processes = try await run(["pgrep", "-P", "\(terminal.processID)"])
      let process = try #require(processes.output.split(separator: "\n").first.flatMap { Int32($0) })
      #expect(kill(process, number) == 0)
      try await terminal.shows("ended \(number == SIGSEGV ? 128 + number : 0)")
      #expect(terminal.hasEcho)
    }
  }

  @Test("Playback without an event prints nothing")
  func quiet() async throws {
    try await withPlayer([Self.executable, "watch", "--plain"]) { terminal, daemon in
      try await terminal.shows("First")
      terminal.type(" ")
      try await terminal.shows("playing")
      let before = terminal.output.count
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(3_000_000)]))
        try await monitor.signal("BoundaryReached", within: 20)
      }
      #expect(terminal.output.count == before)
    }
  }

  @Test("A terminal that cannot move the cursor is plain", arguments: [[], ["--plain"]])
  func dumb(arguments: [String]) async throws {
    let file = try await sine("Here")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Here")
      let environment = daemon.bus.environment.merging(["TERM": "dumb"]) { $1 }
      try await withPseudoTerminal([Self.executable, "watch"] + arguments, environment: environment) { terminal in
        try await terminal.shows("Here — Somebody")
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(!terminal.output.contains(0x1B))
      }
    }
  }

  @Test("--plain cannot be combined with another form", arguments: ["--json", "--format=x"])
  func combined(option: String) async throws {
    let result = try await run([Self.executable, "watch", "--plain", option])
    #expect(result.status == .exited(64) && result.error.contains("cannot be combined"), "\(result.error)")
  }
}
