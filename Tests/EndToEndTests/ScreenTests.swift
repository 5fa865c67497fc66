import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the screen in a real terminal: `mpris-playerd ITEM…` and `watch`.
@Suite("The screen of a terminal") struct ScreenTests {
  private static let executable = DaemonUnderTest.executable

  private func sine(_ title: String, seconds: Double = 60) async throws -> String {
    try await Media.sine(
      seconds: seconds, format: .flac, tags: Tags(title: title, artists: ["Somebody"], album: "Tones"))
  }

  /// Runs `body` with a command on a terminal; the daemon that it may leave behind is ended afterwards.
  private func withForeground(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, shell: String? = nil,
    _ body: (PseudoTerminal, [String: String]) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { state in
      try await withPrivateBus { bus in
        let environment = bus.environment.merging([
          "XDG_STATE_HOME": state.path, "MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true", "PLAYERD": Self.executable,
        ]) { $1 }
        let command = shell.map { ["bash", "--norc", "-m", "-c", $0, "bash"] } ?? [Self.executable]
        do {
          try await withPseudoTerminal(command + arguments, environment: environment, columns: columns, rows: rows) {
            try await body($0, environment)
          }
        } catch {
          _ = try? await run([Self.executable, "quit"], environment: environment)
          throw error
        }
        _ = try await run([Self.executable, "quit"], environment: environment)
      }
    }
  }

  private func status(_ format: String, _ environment: [String: String]) async throws -> String {
    let result = try await run([Self.executable, "status", "--format", format], environment: environment)
    return String(result.output.dropLast())
  }

  /// Returns `h` for each time when a terminal was told to report its mouse, and `l` for each time when no longer.
  private func mouseModes(of terminal: PseudoTerminal) -> [String] {
    let modes = String(decoding: terminal.output, as: UTF8.self)
      .matches(of: #/\e\[\?1000([hl])\e\[\?1006([hl])/#)
    return modes.compactMap { $0.1 == $0.2 ? String($0.1) : nil }
  }

  @Test(
    "The foreground shows the player in the size of the terminal, and restores the terminal",
    arguments: [(15, 4), (40, 10), (80, 24), (200, 50)])
  func sizes(columns: Int, rows: Int) async throws {
    let file = try await sine("Here")
    try await withForeground([file], columns: columns, rows: rows) { terminal, _ in
      let mark = try await terminal.screen("the player") {
        $0.isCursorHidden && $0.text.contains("▶ Here") && $0.text.contains("/ 1:00") && $0.text.contains("playing")
      }
      let lines = mark.element.lines
      if columns > 15 {
        #expect(lines.contains("  Somebody – Tones"))
        #expect(lines.contains { $0.hasSuffix("/ 1:00") && $0.contains("─") && $0.count == columns - 1 })
        let full = try await terminal.screen("the queue and the keys", from: mark.index) {
          $0.lines[rows - 2].hasPrefix("space pause") && $0.text.contains("> 1  Here")
        }
        #expect(full.element.lines[rows - 1].isEmpty)
      }
      #expect(!terminal.hasEcho)
      terminal.type("q")
      try await terminal.shows("Keep playing?", from: mark.index)
      terminal.type("n")
      #expect(try await terminal.exitStatus() == .exited(0))
      let last = try #require(terminal.pictures.elements.last)
      #expect(!last.isCursorHidden && !last.text.contains("Somebody"), "\(last.text)")
    }
  }

  @Test("Keys control the player, and the screen follows at once")
  func keys() async throws {
    let files = [try await sine("First"), try await sine("Second"), try await sine("Third")]
    try await withForeground(files) { terminal, environment in
      var mark = try await terminal.shows("track 1 of 3")
      func type(_ keys: String, _ text: String) async throws {
        terminal.type(keys)
        mark = try await terminal.shows(text, from: mark)
      }
      try await type(" ", "‖ First")
      try await type("99", "volume 96 %")
      try await type("m", "muted")
      try await type("r", "loop playlist")
      try await type("s", "shuffle")
      try await type("s]", "speed 1.1")
      try await type("\u{1B}[C\u{1B}[C", "0:1")
      try await type(">", "‖ Second")
      try await type("/thi\n", "▶ Third")
      try await type("x", "no key “x”")
      try await type("?", "this list")
      #expect(try await status("{{title}} {{status}} {{rate}} {{shuffle}}", environment) == "Third Playing 1.1 false")
      try await type("\u{1B}", "? keys")
    }
  }

  @Test("The queue is scrolled, and its selected track is played, removed and restored")
  func queue() async throws {
    var files: [String] = []
    for number in 1...4 { files.append(try await sine("Title \(number)")) }
    let items = (0..<10).flatMap { _ in files }
    try await withDaemon(["--paused"] + items) { daemon in
      try await daemon.opened(titled: "Title 1")
      try await withPseudoTerminal([Self.executable, "watch"], environment: daemon.bus.environment) { terminal in
        var mark = try await terminal.shows(">  1  Title 1")
        func type(_ keys: String, _ text: String) async throws {
          terminal.type(keys)
          mark = try await terminal.shows(text, from: mark)
        }
        try await type("\u{1B}[B", " » 2  Title 2")
        try await type("\u{1B}[F", " »40  Title 4")
        try await type("\u{1B}[5~", "  39  Title 3")
        try await type("\u{1B}[H\u{1B}[B", " » 2  Title 2")
        try await type("d", "removed “Title 2")
        mark = try await terminal.screen("the next track", from: mark) {
          $0.text.contains(" » 2  Title 3") && $0.text.contains("track 1 of 39")
        }.index
        try await type("u", "undone: remove “Title 2”")
        mark = try await terminal.screen("the restored track", from: mark) {
          $0.text.contains(" » 3  Title 3") && $0.text.contains("track 1 of 40")
        }.index
        try await type("\u{1B}[H\u{1B}[B\u{1B}[B\n", "▶ Title 3")
        mark = try await terminal.shows(">  3  Title 3", from: mark)
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(try await daemon.status() == "Playing")
      }
    }
  }

  @Test("A second of playback writes one line; leaving shows the earlier output again")
  func changedLines() async throws {
    let file = try await sine("Here")
    let script = #"echo "earlier output"; "$PLAYERD" "$@"; echo "ended $?"; read -r line"#
    try await withForeground([file], columns: 120, rows: 40, shell: script) { terminal, _ in
      try await terminal.shows("> 1  Here")
      var mark = try await terminal.shows("0:02")
      for second in 3...4 {
        let before = terminal.output.count
        mark = try await terminal.shows("0:0\(second)", from: mark)
        let written = String(decoding: terminal.output.dropFirst(before), as: UTF8.self)
        #expect(!written.contains("Here") && written.utf8.count < 800, "\(written)")
      }
      #expect(terminal.pictures.elements.last?.text.contains("earlier output") == false)
      terminal.type("qn")
      let last = try await terminal.screen("the shell") { $0.text.contains("ended 0") }
      #expect(last.element.text.contains("earlier output") && !last.element.text.contains("Somebody"))
    }
  }

  @Test("A terminal without an alternate screen has the player below the earlier output")
  func console() async throws {
    let file = try await sine("Here")
    try await withDaemon(["--paused", file]) { daemon in
      let environment = daemon.bus.environment.merging(["TERM": "linux"]) { $1 }
      try await withPseudoTerminal([Self.executable, "watch"], environment: environment, columns: 80, rows: 25) {
        terminal in
        var mark = try await terminal.shows("> 1  Here")
        for (columns, rows) in [(40, 12), (80, 25)] {
          terminal.resize(columns: columns, rows: rows)
          mark = try await terminal.screen("the keys in \(columns) columns", from: mark + 1) {
            $0.lines.count == rows && $0.lines[0] == "‖ Here" && $0.lines[rows - 2].hasPrefix("space play")
          }.index
        }
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("1049"))
        #expect(mouseModes(of: terminal).isEmpty)
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        let last = terminal.pictures.elements.last
        #expect(last?.text.filter { $0 != "\n" } == "", "\(last?.lines ?? [])")
      }
    }
  }

  @Test(
    "The list of keys is readable in a terminal of any size, in pages with a note",
    arguments: [(20, 5), (40, 10), (80, 24)])
  func help(columns: Int, rows: Int) async throws {
    let file = try await sine("Here")
    try await withForeground(["--paused", file], columns: columns, rows: rows) { terminal, _ in
      var mark = try await terminal.shows("‖ Here")
      var words: Set<Substring> = []
      var (page, isLast) = (0, false)
      while !isLast {
        page += 1
        terminal.type("?")
        let found = try await terminal.screen("page \(page)", from: mark) { [page] picture in
          columns == 80
            ? picture.text.contains("this list")
            : picture.lines.contains { $0.hasPrefix("\(page)/") && $0.contains("?: ") }
        }
        mark = found.index
        words.formUnion(found.element.text.split { $0.isWhitespace })
        isLast = !found.element.text.contains("?: more keys")
      }
      for word in ["space", "pause", "resume", "Backspace:", "playlist,", "lyrics", "Tab", "track", "leave;"] {
        #expect(words.contains(Substring(word)), "\(word) in \(words)")
      }
      #expect((page > 1) == (columns < 80))
      terminal.type("?")
      try await terminal.screen("the player", from: mark) { !$0.text.contains("Tab") && $0.text.contains("Here") }
    }
  }

  @Test("The number of the track, the queue and a search follow when another client changes the queue")
  func otherClient() async throws {
    let files = [try await sine("First"), try await sine("Second"), try await sine("Third")]
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let environment = daemon.bus.environment
      func edit(_ arguments: String...) async throws {
        #expect(try await run([Self.executable] + arguments, environment: environment).succeeded)
      }
      try await withPseudoTerminal([Self.executable, "watch"], environment: environment) { terminal in
        var mark = try await terminal.shows("track 1 of 1")
        try await edit("add", files[1])
        mark = try await terminal.shows("track 1 of 2", from: mark)
        mark = try await terminal.shows("2  Second", from: mark)
        try await edit("add", files[2])
        mark = try await terminal.screen("both", from: mark) {
          $0.text.contains("track 1 of 3") && $0.text.contains("3  Third")
        }.index
        terminal.type("/thi")
        mark = try await terminal.shows("3  Third", from: mark)
        try await edit("remove", "2")
        mark = try await terminal.shows("2  Third", from: mark)
        terminal.type("\n")
        try await terminal.screen("the track", from: mark) {
          $0.text.contains("▶ Third") && $0.text.contains("track 2 of 2")
        }
      }
    }
  }

  @Test("After q and Enter playback continues without the terminal")
  func continued() async throws {
    let file = try await sine("Here")
    try await withForeground([file]) { terminal, environment in
      try await terminal.shows("▶ Here")
      terminal.type("q\n")
      #expect(try await terminal.exitStatus() == .exited(0))
      #expect(terminal.pictures.elements.last?.text.contains("the player continues in the background") == true)
      #expect(try await status("{{status}} {{title}}", environment) == "Playing Here")
    }
  }

  @Test("Ctrl-C quits the player, with the exit status of the daemon")
  func interrupt() async throws {
    let file = try await sine("Here")
    try await withForeground([file]) { terminal, environment in
      try await terminal.shows("▶ Here")
      terminal.type("\u{03}")
      #expect(try await terminal.exitStatus() == .exited(0))
      #expect(try await run([Self.executable, "status"], environment: environment).status == .exited(69))
    }
  }

  @Test("A file that cannot be played is reported on the terminal, with the exit status of the daemon")
  func failure() async throws {
    try await withForeground(["--quit-at-end", "\(TemporaryDirectory.missing)/none.flac"]) { terminal, _ in
      try await terminal.shows("none.flac")
      #expect(try await terminal.exitStatus() == .exited(66))
    }
  }

  @Test("After a change of the size the screen is drawn once in the new one")
  func resize() async throws {
    let file = try await sine("Here")
    try await withForeground(["--paused", file]) { terminal, _ in
      try await terminal.shows("‖ Here")
      for (columns, rows) in [(30, 10), (120, 30), (20, 5)] {
        let mark = terminal.pictures.count
        terminal.resize(columns: columns, rows: rows)
        try await terminal.screen("the bar in \(columns) columns", from: mark) { picture in
          let lines = picture.lines.filter { $0.contains("─") }
          return lines.count == 1 && lines[0].count == columns - 1
            && picture.lines.filter { $0.contains("‖ Here") }.count == 1
        }
      }
    }
  }

  @Test("Ctrl-Z stops the screen and not the music; fg shows it again", .timeLimit(.minutes(2)))
  func suspend() async throws {
    let file = try await sine("Here")
    let script = #""$PLAYERD" "$@"; echo "stopped $?"; read -r line; fg >/dev/null; echo "ended $?""#
    try await withForeground([file], shell: script) { terminal, environment in
      try await terminal.shows("▶ Here")
      terminal.type("\u{1A}")
      let mark = try await terminal.screen("the shell") { $0.text.contains("stopped 148") }
      #expect(!mark.element.isCursorHidden && !mark.element.text.contains("Somebody"), "\(mark.element.text)")
      #expect(terminal.hasEcho && mouseModes(of: terminal).last == "l")
      #expect(try await status("{{status}}", environment) == "Playing")
      terminal.type("\n")
      let again = try await terminal.screen("the screen", from: mark.index) {
        $0.isCursorHidden && $0.text.contains("▶ Here")
      }
      #expect(!terminal.hasEcho)
      #expect(mouseModes(of: terminal).last == "h")
      terminal.type("qn")
      try await terminal.shows("ended 0", from: again.index)
    }
  }

  @Test("When the terminal is closed, the screen ends and playback continues")
  func hangUp() async throws {
    let file = try await sine("Here")
    try await withForeground([file]) { terminal, environment in
      try await terminal.shows("▶ Here")
      terminal.hangUp()
      #expect(try await terminal.exitStatus() == .exited(0))
      #expect(try await status("{{status}}", environment) == "Playing")
    }
  }

  @Test("A fault and a signal restore the terminal", arguments: [SIGSEGV, SIGABRT, SIGTERM])
  func signals(number: Int32) async throws {
    let file = try await sine("Here")
    let script = #""$PLAYERD" "$@"; echo "ended $?"; read -r line"#
    try await withForeground([file], shell: script) { terminal, environment in
      try await terminal.shows("▶ Here")
      let processes = try await run(["pgrep", "-P", "\(terminal.processID)"])
      let screen = try #require(processes.output.split(separator: "\n").first.flatMap { Int32($0) })
      kill(screen, number)
      let end = number == SIGTERM ? "ended 0" : "ended \(128 + number)"
      let last = try await terminal.screen("the shell") { $0.text.contains(end) }
      #expect(!last.element.isCursorHidden && !last.element.text.contains("Somebody"), "\(last.element.text)")
      #expect(terminal.hasEcho)
      #expect(mouseModes(of: terminal).last == "l")
      let state = try await run([Self.executable, "status"], environment: environment).status
      #expect(state == .exited(number == SIGTERM ? 69 : 0))
    }
  }

  @Test("watch shows a running player, follows it across restarts, and q leaves it running")
  func watch() async throws {
    let file = try await sine("Here")
    try await withPrivateBus { bus in
      try await withPseudoTerminal([Self.executable, "watch"], environment: bus.environment) { terminal in
        var mark = try await terminal.shows("waiting for mpris-playerd")
        for _ in 1...2 {
          try await withDaemon([file], on: bus) { daemon in
            mark = try await terminal.shows("▶ Here", from: mark)
            try await daemon.call("Pause")
            mark = try await terminal.shows("‖ Here", from: mark)
            terminal.type(" ")
            mark = try await terminal.shows("▶ Here", from: mark)
          }
          mark = try await terminal.shows("waiting for mpris-playerd", from: mark)
        }
        try await withDaemon([file], on: bus) { daemon in
          mark = try await terminal.shows("▶ Here", from: mark)
          terminal.type("q")
          #expect(try await terminal.exitStatus() == .exited(0))
          #expect(try await daemon.status() == "Playing")
        }
      }
    }
  }

  @Test("q closes watch and lyrics at once, and the player continues")
  func close() async throws {
    let file = try await sine("Here")
    try await withDaemon(["--paused", file]) { daemon in
      for command in ["watch", "lyrics"] {
        try await withPseudoTerminal([Self.executable, command], environment: daemon.bus.environment) { terminal in
          try await terminal.shows("‖ Here")
          terminal.type("q")
          #expect(try await terminal.exitStatus() == .exited(0))
          #expect(daemon.process.isRunning)
        }
      }
    }
  }

  @Test("A paused player causes no output, and so no wake-up, until it changes")
  func quiet() async throws {
    let file = try await sine("Here")
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.opened(titled: "Here")
      try await withPseudoTerminal([Self.executable, "watch"], environment: daemon.bus.environment) { terminal in
        try await terminal.shows("> 1  Here")
        // The time that other work takes: without a timer of the screen, a call of the daemon is the next event.
        try await daemon.barrier()
        let count = terminal.pictures.count
        for _ in 1...20 { try await daemon.barrier() }
        #expect(terminal.pictures.count == count)
        try await daemon.set("Volume", .double(0.5))
        try await terminal.shows("volume 50 %")
      }
    }
  }

  @Test(
    "A pasted text changes nothing, is typed in the search, and is marked by the terminal only while the screen is shown"
  )
  func paste() async throws {
    let files = [try await sine("First"), try await sine("Second Hit")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "First")
      try await withPseudoTerminal([Self.executable, "watch"], environment: daemon.bus.environment) { terminal in
        var mark = try await terminal.shows("‖ First")
        terminal.type("\u{1B}[200~his summer hit\n\u{1B}[201~/")
        mark = try await terminal.shows("/▏", from: mark)
        terminal.type("\u{1B}[200~second\n hit\u{1B}[201~")
        mark = try await terminal.shows("/second hit▏", from: mark)
        terminal.type("\n")
        try await terminal.shows("▶ Second Hit", from: mark)
        let state = try await status("{{muted}} {{shuffle}} {{loop}} {{volume}}", daemon.bus.environment)
        #expect(state == "false false None 1", "\(state)")
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        let modes = String(decoding: terminal.output, as: UTF8.self).matches(of: #/\e\[\?2004([hl])/#).map(\.1)
        #expect(modes == ["h", "l"])
      }
    }
  }

  @Test("The mouse seeks, selects, plays and scrolls; its reports are no text, and a damaged one changes nothing")
  func mouse() async throws {
    let files = [try await sine("First"), try await sine("Second"), try await sine("Third")]
    let items = files + (0..<9).flatMap { _ in files }
    try await withDaemon(["--paused"] + items) { daemon in
      try await daemon.opened(titled: "First")
      let environment = daemon.bus.environment
      try await withPseudoTerminal([Self.executable, "watch"], environment: environment) { terminal in
        let first = try await terminal.screen("the queue") { $0.text.contains("3  Third") }.element
        var mark = terminal.pictures.count - 1
        func report(_ button: Int, _ text: String, column: Int = 30) throws -> String {
          let line = try #require(first.lines.firstIndex { $0.contains(text) })
          return "\u{1B}[<\(button);\(column);\(line + 1)M\u{1B}[<\(button);\(column);\(line + 1)m"
        }
        terminal.type("\u{1B}[<0;5M\u{1B}[<0;99;99M\u{1B}[<0;9" + (try report(65, "volume 100")))
        mark = try await terminal.shows("volume 98 %", from: mark)
        // The middle of the bar.
        terminal.type(try report(0, "/ 1:00", column: 37))
        mark = try await terminal.screen("the position", from: mark) { $0.text.contains(#/  0:(29|30)  ━/#) }.index
        terminal.type(try report(65, "3  Third"))
        mark = try await terminal.screen("the scrolled queue", from: mark) { $0.text.contains("19  First") }.index
        terminal.type(try report(64, "3  Third"))
        terminal.type(try report(0, "2  Second"))
        mark = try await terminal.shows(" » 2  Second", from: mark)
        #expect(try await status("{{status}} {{title}}", environment) == "Paused First")
        terminal.type(try report(0, "3  Third") + report(0, "3  Third"))
        mark = try await terminal.screen("the track", from: mark) {
          $0.text.contains("▶ Third") && $0.text.contains("track 3 of 30")
        }.index
        #expect(try await status("{{volume}} {{rate}} {{muted}} {{loop}}", environment) == "0.98 1 false None")
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(mouseModes(of: terminal) == ["h", "l"])
        #expect(terminal.pictures.elements.allSatisfy { !$0.text.contains("no key") && !$0.text.contains("[<") })
      }
    }
  }

  @Test("Items on a terminal go to the running instance, which is then shown; q closes the view only")
  func forwarded() async throws {
    let files = [try await sine("First"), try await sine("Second")]
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      let environment = daemon.bus.environment
      func withCommand(_ arguments: [String], _ body: (PseudoTerminal) async throws -> Void) async throws {
        try await withPseudoTerminal([Self.executable] + arguments, environment: environment) { try await body($0) }
      }
      try await withCommand([files[1]]) { terminal in
        try await terminal.shows("▶ Second")
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(terminal.pictures.elements.last?.text == "playing 1 track" + String(repeating: "\n", count: 23))
        #expect(try await daemon.status() == "Playing")
      }
      // A rejected item is named, also after the screen, with its exit status.
      try await withCommand([files[0], "\(TemporaryDirectory.missing)/none.flac"]) { terminal in
        try await terminal.screen("the player") {
          $0.text.contains("▶ First") && $0.text.contains("some items are not")
        }
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(1))
        #expect(terminal.pictures.elements.last?.text.contains("none.flac") == true)
      }
      for arguments in [["--detach"], ["--enqueue"], ["--next"], ["--quiet"], ["add"]] {
        try await withCommand(arguments + [files[1]]) { terminal in
          let status = try await terminal.exitStatus()
          #expect(status == .exited(0))
          #expect(!String(decoding: terminal.output, as: UTF8.self).contains("1049"), "\(arguments)")
        }
      }
      try await withCommand(["--volume", "50"]) { terminal in
        let status = try await terminal.exitStatus()
        #expect(status == .exited(0))
      }
    }
  }

  @Test("A track that has failed is named")
  func failedTrack() async throws {
    let files = [try await sine("First"), try await sine("Second")]
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "First")
      try await withPseudoTerminal([Self.executable, "watch"], environment: daemon.bus.environment) { terminal in
        let mark = try await terminal.shows("‖ First")
        try await daemon.call("OpenUri", [.string("file://\(TemporaryDirectory.missing)/some%20file.flac")])
        try await terminal.shows("some file.flac: not found", from: mark)
      }
    }
  }

  @Test("The lyrics are shown around the current line, also by l in watch, and beside the queue in a wide terminal")
  func lyrics() async throws {
    try await withTemporaryDirectory { folder in
      _ = try await run(["cp", try await sine("Here"), folder.file("song.flac")])
      _ = try folder.write("[00:00.00]One\n[00:20.00]Two\n[00:40.00]Three\n", to: "song.lrc")
      try await withDaemon(["--paused", folder.file("song.flac")]) { daemon in
        try await daemon.opened(titled: "Here")
        let track = try #require(try await daemon.metadata("mpris:trackid"))
        let environment = daemon.bus.environment
        try await withPseudoTerminal([Self.executable, "lyrics"], environment: environment) { terminal in
          try await terminal.screen("all lines") {
            ["♪ One", "  Two", "  Three"].allSatisfy($0.lines.contains)
          }
        }
        try await withPseudoTerminal([Self.executable, "watch"], environment: environment) { terminal in
          try await terminal.shows("‖ Here")
          terminal.type("l")
          let mark = try await terminal.shows("♪ One")
          try await daemon.call("SetPosition", [track, .int64(21_000_000)])
          try await terminal.screen("the next line", from: mark) {
            ["  One", "♪ Two", "  Three"].allSatisfy($0.lines.contains)
          }
        }
        // Beside the queue; a new line changes two lines of the lyrics, and the progress.
        try await withPseudoTerminal([Self.executable, "watch"], environment: environment, columns: 120, rows: 40) {
          terminal in
          var mark = try await terminal.shows("> 1  Here")
          terminal.type("l")
          mark = try await terminal.screen("both", from: mark) {
            $0.lines.contains { $0.hasPrefix("> 1  Here") && $0.hasSuffix("  One") }
              && $0.lines.contains { $0.hasSuffix("♪ Two") }
          }.index
          let before = terminal.output.count
          try await daemon.call("SetPosition", [track, .int64(41_000_000)])
          try await terminal.screen("the last line", from: mark) {
            $0.text.contains("♪ Three") && $0.text.contains("0:41")
          }
          let written = String(decoding: terminal.output.dropFirst(before), as: UTF8.self)
          #expect(!written.contains("Here") && !written.contains("volume"), "\(written)")
        }
      }
    }
  }

  @Test("The screen has colours unless NO_COLOR is set; a terminal without movements gets lines")
  func environment() async throws {
    let file = try await sine("Here")
    try await withDaemon(["--paused", file]) { daemon in
      for value in ["", "1"] {
        let environment = daemon.bus.environment.merging(["NO_COLOR": value]) { $1 }
        try await withPseudoTerminal([Self.executable, "watch"], environment: environment) { terminal in
          let picture = try await terminal.screen("the player") { $0.text.contains("track 1 of 1") }
          #expect(picture.element.attributeCount > 0)
          let hasColour = String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[33mpaused")
          #expect(hasColour == value.isEmpty)
        }
      }
      let dumb = daemon.bus.environment.merging(["TERM": "dumb"]) { $1 }
      try await withPseudoTerminal([Self.executable, "watch"], environment: dumb) { terminal in
        try await terminal.shows("Here — Somebody")
        #expect(!terminal.output.contains(0x1B))
      }
    }
  }
}
