import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Commands that users of mpc, cmus-remote, mpv and playerctl type, with a queue of three paused tracks.
@Suite("Words of other players")
struct PlayerWordTests {
  /// A command, its exit status, and the start or a part of its output, or of the error.
  struct Row: Sendable, CustomTestStringConvertible {
    var typed: String
    var status: Int32 = 0
    /// A text that the output starts with, or that the error contains.
    var expected: String
    var testDescription: String { typed }
  }

  private static func done(_ typed: String, _ output: String) -> Row { Row(typed: typed, expected: output) }

  private static func refused(_ typed: String, _ error: String, status: Int32 = 64) -> Row {
    Row(typed: typed, status: status, expected: error)
  }

  /// The rows in the order in which they run: each row depends on the state that the earlier rows leave.
  private static let rows = [
    // playerctl
    done("play", "playing: First"), done("pause", "paused: First"), done("play-pause", "playing: First"),
    done("play-pause", "paused: First"), done("status", "First"), done("next", "paused: Second"),
    done("previous", "paused: First"), refused("volume 0.5", "write 50, because volumes are in percent"),
    refused("volume 0.1+", "write +10, because volumes are in percent"), done("volume 40", "volume 40 %"),
    done("volume 20+", "volume 60 %"), done("volume 10-", "volume 50 %"), done("position 5", "paused: First, 0:05"),
    done("position 2+", "paused: First, 0:07"), done("position 3-", "paused: First, 0:04"), done("position", "4\n"),
    done("loop Track", "loop track"), done("loop None", "loop none"), done("shuffle On", "shuffle on"),
    done("shuffle Toggle", "shuffle off"), done("open FILE", "playing 1 track"),
    done("undo", "undone: replace 3 tracks; paused: First"),
    done("stop", "stopped: First"), refused("metadata", "did you mean “status”?"),
    // By meaning, in any position, while nothing plays
    refused("queue apend FILE", "did you mean “queue add”?"), refused("queue delete 1", "did you mean “queue remove”?"),
    refused("queue show", "did you mean “queue list”?"), refused("queue jmup 2", "did you mean “queue jump”?"),
    refused("playlist lod Evening", "did you mean “playlist play”?"),
    refused("playlist remove Evening", "did you mean “playlist delete”?"),
    refused("playlist create Evening", "did you mean “playlist save”?"),
    refused("vol up", "did you mean “volume +5”?"), refused("seek forward", "did you mean “seek +10”?"),
    refused("speed fast", "did you mean “speed +0.1”?"), refused("fast", "did you mean “speed +0.1”?"),
    refused("loop on", "did you mean “loop playlist”?"), refused("sleep soon", "such as 30m or 1:30:00, or off"),
    // Slips, and words hidden by an option or a request for help
    refused("sleep 30", "write 30m or 30s"), refused("sleep 25:00", "write 25h or 25m"),
    refused("volume 500", "above volume-max, which is 100"),
    refused("report /nonexistent/x", "does not exist", status: 73),
    refused("metadata --format x", "did you mean “status”?"), refused("paus --help", "did you mean “pause”?"),
    refused("--help zzz", "zzz: not a command"), refused("playlist plya --help", "did you mean “playlist play”?"),
    refused("--vol 50", "did you mean “--volume”?"), refused("-p vlc next", "did you mean “--instance”?"),
    refused("mpc volume +5", "did you mean “volume +5”?"), refused("set volume 20", "did you mean “volume 20”?"),
    refused("-- pause", "as a command, it comes first, without “--”"), refused("add volume 5", "it comes first\n"),
    refused("jump 0", "tracks are numbered from 1"), refused("move 3 0", "tracks are numbered from 1"),
    refused("stop-after -1", "“-1” is neither"), refused("remove all", "did you mean “clear”?", status: 66),
    refused("loop up", "mpris-playerd: The value 'up'"),
    refused("seek 10:99", "such as 90, 1:30 or 50%"),
    refused("chapter nxt", "the current track has no chapters", status: 1),
    refused("toggle --quite", "Did you mean '--quiet'?"), refused("help puase", "did you mean “pause”?"),
    // mpc
    done("toggle", "playing: First"), done("toggle", "paused: First"), done("current", "First"),
    done("volume +10", "volume 60 %"), done("volume -10", "volume 50 %"), done("volume 40", "volume 40 %"),
    done("next --quiet", ""), done("prev", "paused: First"), done("seek 0:03", "paused: First, 0:03"),
    done("seek +00:00:02", "paused: First, 0:05"),
    done("seek 50%", "paused: First, 0:10"), done("seek -25%", "paused: First, 0:05"), done("random on", "shuffle on"),
    done("random off", "shuffle off"), done("add FILE", "queued 1 track after “Third”"),
    refused("insert FILE", "did you mean “queue next”?"), done("move 4 2", "track 4 is now 2"),
    done("mv 2 4", "track 2 is now 4"), done("del 4", "removed “First”; 3 left"), done("play 2", "playing: Second"),
    done("pause", "paused: Second"), done("crossfade 2", "crossfade 2 s"), done("crossfade 0", "crossfade off"),
    done("search second", "> 2  Second"), refused("searchplay third", "did you mean “jump”?"),
    refused("single on", "did you mean “stop-after on”?"), refused("repeat on", "did you mean “loop playlist”?"),
    refused("lsplaylists", "did you mean “playlist”?"), done("save Evening", "/"),
    refused("load Evening", "did you mean “add”?"),
    refused("playlist Evning", "did you mean “playlist play Evening”?"), refused("Evning", "did you mean “Evening”?"),
    done("playlist append Evning", "created the playlist “Evning” with 1 track; did you mean “Evening”?"),
    done("playlist delete Evning", "deleted"),
    refused("crop", "“mpris-playerd --help” lists the commands"),
    // cmus
    done("vol 50%", "volume 50 %"), done("vol +5%", "volume 55 %"), done("seek +1s", "paused: Second, 0:01"),
    refused("player-next", "did you mean “next”?"), refused("-n", "did you mean “next”?"),
    refused("-Q", "did you mean “status”?"),
    // mpv
    refused("playlist-next", "did you mean “next”?"), refused("cycle pause", "did you mean “toggle”?"),
    refused("loadfile FILE", "did you mean “open”?"), done("--enqueue --volume=50 FILE", "queued 1 track"),
    done("--pause --speed=1.5 FILE", "loaded 1 track, paused"), done("mute", "volume 50 %, muted"),
    done("unmute", "volume 50 %\n"), done("undo", "undone: replace 4 tracks; paused: Second"),
    // The words that several of them have
    done("list", "  1  First"), done("jump third", "playing: Third"), done("jump 1", "playing: First"),
    done("jump +1", "playing: Second"), done("play -1", "playing: First"),
    // On a busy machine, the track would end before the last of these commands.
    done("pause", "paused: First"), done("move 1 +2", "track 1 is now 3: First"),
    done("move last -1", "track 4 is now 3: First"), done("move 4 -3", "track 4 is now 1: First"),
    refused("jump -1", "only 0 tracks in the queue before track 1", status: 1),
    refused("next -1", "“-1” is not a number"),
    refused("remove +1", "“+1” is a distance"), refused("--pause", "did you mean the command “pause”?"),
    refused("--next", "did you mean the command “next”?"), refused("play --enqueue", "--enqueue needs an item"),
    done("resume", "playing: First"), done("rm last", "removed “First”; 3 left"),
    done("rm third", "removed “Third”; 2 left"),
    refused("remove fourth", "no track of the queue has “fourth”", status: 66),
    refused("queue pop", "pop: not a command of “queue”"), refused("FILE pasue", "did you mean “pause”?"),
    refused("pause FILE", "Unexpected argument"), refused("queue add FILE shufle", "did you mean “shuffle”?"),
    done("clear", "removed 2 tracks; the queue is empty"), done("exit", "quit"),
  ]

  @Test("Each command works as in the other player, or names the command to type and changes nothing")
  func words() async throws {
    let files = try await TrackListTests.files()
    #expect(Self.rows.count >= 60)
    try await withTemporaryDirectory { lists in
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": lists.path]
      try await withDaemon(["--paused"] + files, environment: environment) { daemon in
        try await daemon.opened(titled: "First")
        func type(_ words: [String]) async throws -> ProcessResult {
          try await run(
            [DaemonUnderTest.executable] + words, environment: daemon.bus.environment.merging(environment) { $1 })
        }
        // From this point on, all tags are known.
        _ = try await type(["queue"])
        for row in Self.rows {
          let words = row.typed.split(separator: " ").map { $0 == "FILE" ? files[0] : String($0) }
          let before = row.status == 0 ? "" : try await state(type)
          let result = try await type(words)
          #expect(result.status == .exited(row.status), "\(row.typed): \(result.output)\(result.error)")
          guard row.status == 0 else {
            #expect(result.error.contains(row.expected), "\(row.typed): \(result.error)")
            #expect(try await state(type) == before, "\(row.typed)")
            continue
          }
          // A track that has just become current may still be loading.
          let output = result.output.replacing(#/^(loading|buffering[^:]*):/#, with: "playing:")
          #expect(output.hasPrefix(row.expected), "\(row.typed): \(result.output)\(result.error)")
        }
        #expect(try await daemon.process.exitStatus(within: 10) == .exited(0))
      }
    }
  }

  /// Returns the queue, and the state without the position, which advances, without what changes when a track that has become
  /// current is ready, and without the process of the output, which ends when it is idle.
  private func state(_ type: ([String]) async throws -> ProcessResult) async throws -> String {
    let status = try await type(["status", "--json"]).output.replacing(
      #/"(position|timeControlStatus|itemStatus|reasonForWaitingToPlay|bufferingPercent|duration|seekable|engine\w+)":("[^"]*"|[^,]*)/#,
      with: "")
    return try await type(["queue", "--json"]).output + status
  }

  // MARK: Find

  @Test("Tracks are found without regard to case and accents, and several of them are listed instead of changed")
  func find() async throws {
    var files: [String] = []
    for (title, artist) in [("Café Noir", "Ärzte"), ("Noir Désir", "Nobody"), ("Other", "BJÖRK")] {
      files.append(try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: title, artists: [artist])))
    }
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "Café Noir")
      func type(_ words: String...) async throws -> ProcessResult {
        try await run([DaemonUnderTest.executable] + words, environment: daemon.bus.environment)
      }
      #expect(try await type("queue", "find", "CAFE").output == "> 1  Café Noir — Ärzte  0:20\n")
      #expect(try await type("find", "arzte", "noir").output == "> 1  Café Noir — Ärzte  0:20\n")
      #expect(try await type("find", "desir").output == "  2  Noir Désir — Nobody  0:20\n")
      #expect(try await type("find", "noir", "--json").output.split(separator: "\n").count == 2)
      #expect(try await type("find", "absent").status == .exited(66))
      for command in ["jump", "remove"] {
        let several = try await type("queue", command, "noir")
        #expect(several.status == .exited(1))
        #expect(
          several.error == """
            mpris-playerd: 2 tracks have “noir”; give the number, such as “\(command) 1”:
            > 1  Café Noir — Ärzte  0:20
              2  Noir Désir — Nobody  0:20

            """)
      }
      #expect(try await type("queue").output.split(separator: "\n").count == 3)
      #expect(try await type("jump", "bjork").output.contains("Other — BJÖRK"))
      #expect(try await type("queue", "remove", "desir").output == "removed “Noir Désir — Nobody”; 2 left\n")
      #expect(try await type("queue", "move", "1", "last").output == "track 1 is now 2: Café Noir — Ärzte\n")
    }
  }

  @Test("--find plays the tracks of a folder with a word in their names")
  func findInFolder() async throws {
    let source = try await Media.sine(seconds: 20, format: .flac)
    try await withTemporaryDirectory { music in
      for album in ["Übung", "Other"] {
        _ = try music.makeDirectory(album)
        for name in ["One", "Two"] {
          try FileManager.default.createSymbolicLink(
            atPath: music.file("\(album)/\(name).flac"), withDestinationPath: source)
        }
      }
      try await withDaemon([]) { daemon in
        func type(_ words: String...) async throws -> ProcessResult {
          try await run([DaemonUnderTest.executable] + words, environment: daemon.bus.environment)
        }
        #expect(try await type("--paused", "--find", "ubung", music.path).output == "loaded 2 tracks, paused\n")
        #expect(try await type("--enqueue", "--find", "two", music.path).output.hasPrefix("queued 2 tracks"))
        let none = try await type("--find", "three", music.path)
        #expect(none.status == .exited(66) && none.error.contains("no track with “three”"), "\(none.error)")
        #expect(try await type("queue").output.split(separator: "\n").count == 4)
      }
    }
  }

  // MARK: Playlists and standard input

  @Test("Playlists are appended to, renamed and deleted; mistakes change nothing")
  func playlists() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { lists in
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": lists.path]
      _ = try lists.write("[playlist]\n", to: "Other.pls")
      try await withDaemon(["--paused"] + files, environment: environment) { daemon in
        try await daemon.opened(titled: "First")
        func type(_ words: String...) async throws -> ProcessResult {
          try await run(
            [DaemonUnderTest.executable, "playlist"] + words,
            environment: daemon.bus.environment.merging(environment) { $1 })
        }
        #expect(try await type("append", "New", files[1]).output == "created the playlist “New” with 1 track\n")
        #expect(try await type("append", "New").output == "appended 1 track to “New”\n")
        let text = try String(contentsOfFile: lists.file("New.m3u8"), encoding: .utf8)
        #expect(text == "#EXTM3U\n\(files[1])\n#EXTINF:20,First\n\(files[0])\n")
        for (arguments, status) in [
          (["append", "New", Media.missing], 66), (["append", "Other", files[0]], 73),
          (["rename", "New", "Other"], 73),
          (["rename", "Nwe", "X"], 66), (["rename", "New", "a/b"], 64), (["delete", "Nwe"], 66),
        ] as [([String], Int32)] {
          let result = try await run(
            [DaemonUnderTest.executable, "playlist"] + arguments, environment: daemon.bus.environment)
          #expect(result.status == .exited(status), "\(arguments): \(result.error)")
        }
        #expect(try await type().output == "New\nOther\n")
        #expect(try String(contentsOfFile: lists.file("New.m3u8"), encoding: .utf8) == text)
        #expect(try await type("rename", "New", "Old").output == "“New” is now “Old”\n")
        #expect(try await type("rename", "Other", "Another").succeeded)
        #expect(try await type().output == "Another\nOld\n")
        #expect(try await type("play", "Old").output == "playing 2 tracks\n")
        #expect(try await type("delete", "Old").output == "deleted “Old”\n")
        #expect(try await type().output == "Another\n")
        #expect(!FileManager.default.fileExists(atPath: lists.file("Old.m3u8")))
      }
    }
  }

  @Test("The item “-” reads lines, or items separated by NUL, from standard input", arguments: ["\\n", "\\0"])
  func input(separator: String) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      func pipe(_ input: String, _ words: String) async throws -> ProcessResult {
        try await run(
          ["sh", "-c", "printf '\(input)' | \(DaemonUnderTest.executable) \(words)"],
          environment: daemon.bus.environment)
      }
      let items = files[1...].joined(separator: separator)
      #expect(try await pipe(items, "add -").output == "queued 2 tracks after “First”\n")
      #expect(try await pipe("", "-").status == .exited(66))
      for words in ["-", "add -", "playlist append New -"] {
        let media = try await pipe("OggS\\0\\2\\0.\\0", words)
        #expect(media.status == .exited(64) && media.output.isEmpty, "\(words)")
        #expect(media.error.contains("save media in a file") && !media.error.contains("OggS"), "\(media.error)")
      }
      let queue = try await run([DaemonUnderTest.executable, "queue"], environment: daemon.bus.environment)
      #expect(queue.output.split(separator: "\n").count == 3)
      let missing = try await pipe("missing\(separator)" + items, "--paused -")
      #expect(missing.output == "loaded 2 tracks, paused\n" && missing.status == .exited(1), "\(missing.error)")
      #expect(missing.error == "mpris-playerd: missing: not found\n")
    }
  }

  // MARK: Without arguments, and counts

  @Test("Without arguments, the program prints a running player's state, or plays the last session and reports it")
  func bare() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { state in
      try await withTemporaryDirectory { configuration in
        _ = try configuration.makeDirectory("mpris-playerd")
        try configuration.write("audio-sink = \"fakesink sync=true\"\n", to: "mpris-playerd/config.toml")
        let environment = ["XDG_STATE_HOME": state.path, "XDG_CONFIG_HOME": configuration.path]
        try await withDaemon(["--paused"] + files, sink: [], environment: environment) { daemon in
          try await daemon.opened(titled: "First")
          let shown = try await run(
            [DaemonUnderTest.executable], environment: daemon.bus.environment.merging(environment) { $1 })
          #expect(shown.output.hasPrefix("First\npaused, 0:00 / 0:20, track 1 of 3"), "\(shown.output)")
          #expect(try await daemon.status() == "Paused")
          daemon.process.signal(15)
          #expect(try await daemon.process.exitStatus(within: 10) == .exited(0))
        }
        try await withDaemon([], sink: [], environment: environment) { daemon in
          try await daemon.process.waitForLine(containing: "playing, 3 tracks from the last session; Ctrl-C quits")
          #expect(try await daemon.status() == "Playing")
        }
      }
    }
  }

  @Test("stop-after 2 plays two tracks, and the third is current and stopped")
  func stopAfterTwo() async throws {
    var files: [String] = []
    for title in ["One", "Two", "Three"] {
      files.append(try await Media.sine(seconds: 1, format: .flac, tags: Tags(title: title)))
    }
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "One")
      let environment = daemon.bus.environment
      let set = try await run([DaemonUnderTest.executable, "stop-after", "2"], environment: environment)
      #expect(set.output == "stops after 2 tracks\n")
      let mark = daemon.signals.count
      try await daemon.call("Play")
      try await daemon.changed("PlaybackStatus", from: mark, within: 60) { $0 == .string("Stopped") }
      #expect(try await daemon.metadata("xesam:url") == .string("file://" + files[2]))
      let shown = try await run([DaemonUnderTest.executable, "stop-after"], environment: environment)
      #expect(shown.output == "stop-after is off\n")
    }
  }

  @Test("next 2 and previous 2 skip tracks, and change nothing if there are not that many")
  func counts() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "First")
      func type(_ words: String...) async throws -> ProcessResult {
        try await run([DaemonUnderTest.executable] + words, environment: daemon.bus.environment)
      }
      #expect(try await type("next", "2").output.hasSuffix("track 3 of 3\n"))
      #expect(try await type("previous").output.hasSuffix("track 2 of 3\n"))
      #expect(try await type("next", "2").error == "mpris-playerd: only 1 track left in the queue after this one\n")
      #expect(try await type("status").output.contains("track 2 of 3"))
      #expect(try await type("next").succeeded)
      #expect(try await type("prev", "2").output.hasSuffix("track 1 of 3\n"))
      // A repeated queue has no end, but a larger number is a slip.
      #expect(try await type("loop", "playlist").succeeded)
      for command in ["next", "previous"] {
        let around = try await type(command, "4")
        #expect(around.status == .exited(1) && around.error == "mpris-playerd: the queue has only 3 tracks\n")
      }
      #expect(try await type("status").output.contains("track 1 of 3"))
      #expect(try await type("loop", "none").succeeded)
      // In a shuffled queue, the current track is the first one in the order of play.
      #expect(try await type("shuffle", "on").succeeded)
      let mark = daemon.signals.count
      let far = try await type("next", "3")
      #expect(far.status == .exited(1) && far.error.contains("does not have 3 tracks after this one"), "\(far.error)")
      #expect(try await type("status").output.contains("track 1 of 3"))
      #expect(try await type("next", "2").succeeded)
      try await daemon.barrier()
      let tracks = Set(
        daemon.signals.elements[mark...].compactMap { $0.changes?["Metadata"]?.asDictionary?["mpris:trackid"] })
      #expect(tracks.count == 1)
    }
  }
}
