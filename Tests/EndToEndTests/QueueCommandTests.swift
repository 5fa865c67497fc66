import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of `mpris-playerd queue` and `mpris-playerd playlist` with the built daemon.
@Suite("Queue and playlist commands")
struct QueueCommandTests {
  private func command(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  private func withThreeTracks(
    _ options: [String] = [], environment: [String: String] = [:], _ body: (DaemonUnderTest) async throws -> Void
  ) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused"] + options + files, environment: environment) { daemon in
      try await daemon.opened(titled: "First")
      try await body(daemon)
    }
  }

  /// Returns the titles in list order, the current one in brackets.
  private func titles(_ daemon: DaemonUnderTest) async throws -> [String] {
    let lines = try await command(daemon, "queue", "--json").output.split(separator: "\n")
    return try lines.map { line in
      let track = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
      return track.current ? "[\(track.title)]" : track.title
    }
  }

  private struct Row: Decodable {
    var current: Bool
    var title: String
    var index: Int
    var duration: Double
    var trackId: String
    var uri: String
  }

  @Test("queue lists the tracks with their tags and marks the current one")
  func list() async throws {
    try await withThreeTracks { daemon async throws in
      let list = try await command(daemon, "queue")
      #expect(list.output == "> 1  First  0:20\n  2  Second  0:20\n  3  Third  0:20\n")
      let lines = try await command(daemon, "queue", "--json").output.split(separator: "\n")
      let rows = try lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
      #expect(rows.map(\.index) == [0, 1, 2])
      #expect(rows.allSatisfy { $0.duration == 20 && $0.uri.hasPrefix("file://") })
      #expect(rows[0].trackId == (try await daemon.metadata("mpris:trackid")?.asObjectPath?.rawValue))
    }
  }

  @Test("add, next, move, jump, remove and clear edit the queue and print the result")
  func edit() async throws {
    let files = try await TrackListTests.files()
    try await withThreeTracks { daemon async throws in
      #expect(try await command(daemon, "queue", "add", files[0]).output == "queued 1 track after “Third”\n")
      #expect(try await command(daemon, "queue", "next", files[2]).output == "queued 1 track after “First”\n")
      #expect(try await titles(daemon) == ["[First]", "Third", "Second", "Third", "First"])
      #expect(try await command(daemon, "queue", "move", "1", "3").output == "track 1 is now 3: First\n")
      #expect(try await titles(daemon) == ["Third", "Second", "[First]", "Third", "First"])
      #expect(try await command(daemon, "queue", "move", "5", "1").output == "track 5 is now 1: First\n")
      #expect(try await titles(daemon) == ["First", "Third", "Second", "[First]", "Third"])
      #expect(
        try await command(daemon, "queue", "remove", "1-2", "5").output
          == "removed 3 tracks: “First”, “Third”, “Third”; 2 left\n")
      #expect(try await titles(daemon) == ["Second", "[First]"])
      #expect(try await command(daemon, "queue", "jump", "1").output.hasSuffix("track 1 of 2\n"))
      try await daemon.titled("Second")
      #expect(try await daemon.status() == "Playing")
      #expect(try await command(daemon, "queue", "remove", "1").output == "removed “Second”; 1 left\n")
      try await daemon.titled("First")
      #expect(try await daemon.status() == "Playing")
      #expect(try await command(daemon, "queue", "clear").output == "removed “First”; the queue is empty\n")
      #expect(try await daemon.status() == "Stopped")
      let empty = try await command(daemon, "queue")
      #expect(empty.status == .exited(66))
      #expect(empty.error == "mpris-playerd: the queue is empty\n")
      #expect(try await command(daemon, "queue", "--json").output.isEmpty)
    }
  }

  @Test("Jump, play and remove take a number beyond the queue as a word, and one in the queue as a track")
  func numbers() async throws {
    var files: [String] = []
    for (title, album) in [("1979", "Mellon"), ("Song 2", "1989"), ("99 Luftballons", "1989")] {
      files.append(try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: title, album: album)))
    }
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: "1979")
      for (arguments, title, end) in [
        (["jump", "99"], ": 99 Luftballons,", "track 3 of 3\n"), (["play", "1979"], ": 1979,", "track 1 of 3\n"),
        (["jump", "2"], ": Song 2,", "track 2 of 3\n"),
      ] {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
        // The track may still be loading.
        #expect(
          result.output.contains(title) && result.output.hasSuffix(end), "\(arguments): \(result.output)\(result.error)"
        )
      }
      let several = try await command(daemon, "jump", "1989")
      #expect(several.status == .exited(1) && several.error.contains("2 tracks have “1989”"), "\(several.error)")
      for arguments in [["jump", "79"], ["remove", "79"], ["remove", "79-80"], ["remove", "1", "99"]] {
        let none = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
        #expect(none.status == .exited(1) && none.error.contains("does not exist"), "\(arguments): \(none.error)")
      }
      #expect(try await command(daemon, "remove", "1979").output.hasSuffix("2 left\n"))
      #expect(try await titles(daemon).joined().contains("Luftballons"))
    }
  }

  @Test("Each command that edits the queue is undone, several in a row, and repeated; the output names the edit")
  func edits() async throws {
    let files = try await TrackListTests.files()
    try await withThreeTracks { daemon async throws in
      let edits: [(arguments: [String], name: String)] = [
        (["remove", "3"], "remove “Third”"), (["move", "1", "2"], "move"), (["shuffle", "on"], "shuffle"),
        (["add", files[2]], "add “Third”"), (["queue", "next", files[1]], "add “Second”"),
        (["remove", "1-2"], "remove 2 tracks"), (["clear"], "clear 2 tracks"),
      ]
      var queues = [try await titles(daemon)]
      for (arguments, _) in edits {
        let result = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
        #expect(result.succeeded, "\(arguments): \(result.error)")
        queues.append(try await titles(daemon))
      }
      for index in edits.indices.reversed() {
        let undone = try await command(daemon, "undo").output
        #expect(undone.hasPrefix("undone: \(edits[index].name); "), "\(undone)")
        #expect(try await titles(daemon) == queues[index], "\(edits[index].arguments)")
      }
      #expect(try await command(daemon, "undo").error == "mpris-playerd: there is nothing to undo\n")
      for index in edits.indices {
        let redone = try await command(daemon, "redo").output
        #expect(redone.hasPrefix("redone: \(edits[index].name); "), "\(redone)")
        #expect(try await titles(daemon) == queues[index + 1], "\(edits[index].arguments)")
      }
    }
  }

  @Test("undo restores the queue, the track and the position after clear, OpenUri, a new queue and a playlist")
  func undo() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { music in
      _ = try music.write("\(files[2])\n", to: "One.m3u8")
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": music.path]
      try await withThreeTracks(environment: environment) { daemon async throws in
        let nothing = try await command(daemon, "undo")
        #expect(nothing.status == .exited(1))
        #expect(nothing.error == "mpris-playerd: there is nothing to undo\n")
        #expect(try await command(daemon, "next").succeeded)
        try await daemon.opened(titled: "Second")
        #expect(try await command(daemon, "seek", "7").succeeded)
        let playlist: ObjectPath = "/org/playerd/playlist/One_2em3u8"
        let changes: [([String], () async throws -> Void)] = [
          ([], { _ = try await command(daemon, "queue", "clear") }),
          (["[First]"], { _ = try await command(daemon, files[0]) }),
          (
            ["First", "Second", "[First]", "Third"],
            { try await daemon.call("OpenUri", [.string("file://\(files[0])")]) }
          ),
          (
            ["[Third]"],
            {
              try await daemon.call(
                "ActivatePlaylist", [.objectPath(playlist)], of: "org.mpris.MediaPlayer2.Playlists")
            }
          ),
        ]
        for (queue, change) in changes {
          let mark = daemon.signals.count
          try await change()
          if !queue.isEmpty { try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Playing") } }
          #expect(try await titles(daemon) == queue)
          let restored = try await command(daemon, "undo")
          #expect(restored.output.contains("; paused: Second, 0:07"), "\(restored.output)\(restored.error)")
          #expect(restored.output.hasSuffix(", track 2 of 3\n"))
          #expect(try await titles(daemon) == ["First", "[Second]", "Third"])
          #expect(try await daemon.position() == 7_000_000)
          try await daemon.opened(titled: "Second")
        }
        #expect(try await command(daemon, "undo").error == "mpris-playerd: there is nothing to undo\n")
        #expect(try await command(daemon, "redo").output.hasPrefix("redone: replace “Third”; "))
        #expect(try await titles(daemon) == ["[Third]"])
      }
    }
  }

  @Test("A failed track is marked in the queue and shown by status, until another queue replaces it")
  func failures() async throws {
    let files = try await TrackListTests.files()
    let text = try await Media.textFile()
    try await withThreeTracks { daemon async throws in
      #expect(try await command(daemon, "queue", "next", text).succeeded)
      #expect(try await command(daemon, "next").succeeded)
      try await daemon.titled("Second")
      let name = text.split(separator: "/").last ?? ""
      let lines = try await command(daemon, "queue").output.split(separator: "\n")
      #expect(lines.count == 4 && lines[1] == "! 2  \(name)  failed: not media")
      #expect(try await command(daemon, "queue", "--json").output.contains(#""errorCode":"not-media","errorMessage""#))
      #expect(try await command(daemon, "status").output.hasSuffix("\nlast error: \(name): not media\n"))
      let json = try await command(daemon, "status", "--json").output
      #expect(json.contains(#""lastErrorCode":"not-media","lastErrorMessage":"not media","lastErrorTrackId":"/org/"#))
      #expect(json.contains(#""lastErrorUri":"file://"#))
      #expect(try await command(daemon, files[0]).succeeded)
      #expect(try await !command(daemon, "status").output.contains("last error"))
    }
  }

  @Test("Wrong numbers and missing items change nothing")
  func mistakes() async throws {
    try await withThreeTracks { daemon async throws in
      let cases: [(arguments: [String], status: Int32, error: String)] = [
        (["remove", "4"], 1, "mpris-playerd: track 4 does not exist; the queue has 3 tracks\n"),
        (["remove", "2-9"], 1, "mpris-playerd: track 9 does not exist; the queue has 3 tracks\n"),
        (["move", "1", "0"], 64, "mpris-playerd: tracks are numbered from 1\n"),
        (["jump", "0"], 64, "mpris-playerd: tracks are numbered from 1\n"),
        (["jump", "7"], 1, "mpris-playerd: track 7 does not exist; the queue has 3 tracks\n"),
        (["add", Media.missing], 66, "mpris-playerd: \(Media.missing): not found\n"),
      ]
      for step in cases {
        let result = try await run(
          [DaemonUnderTest.executable, "queue"] + step.arguments, environment: daemon.bus.environment)
        #expect(result.status == .exited(step.status), "\(step.arguments)")
        #expect(result.error == step.error)
      }
      for arguments in [["remove", "0"], ["remove", "3-1"], ["remove", ""], ["jump", ""], ["remove"], ["pop"]] {
        let result = try await run(
          [DaemonUnderTest.executable, "queue"] + arguments, environment: daemon.bus.environment)
        #expect(result.status == .exited(64), "\(arguments): \(result.error)")
      }
      #expect(try await titles(daemon) == ["[First]", "Second", "Third"])
    }
  }

  @Test("A queue of more than one page is listed completely")
  func pages() async throws {
    let source = try await Media.sine(seconds: 2, format: .wav)
    try await withTemporaryDirectory { directory in
      let list = (0..<1_234).map { _ in source }.joined(separator: "\n")
      _ = try directory.write(list, to: "long.m3u")
      try await withDaemon(["--paused", directory.file("long.m3u")]) { daemon in
        try await daemon.process.waitForLine(containing: "loaded 1234 tracks")
        let lines = try await command(daemon, "queue").output.split(separator: "\n")
        #expect(lines.count == 1_234)
        #expect(lines.first?.hasPrefix(">    1  ") == true)
        #expect(lines.last?.hasPrefix("  1234  ") == true)
      }
    }
  }

  @Test("A saved queue is listed and played by name; a mistyped name is refused with a suggestion")
  func playlists() async throws {
    try await withTemporaryDirectory { music in
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": music.path]
      try await withThreeTracks(environment: environment) { daemon async throws in
        #expect(try await command(daemon, "playlist").output.isEmpty)
        #expect(try await command(daemon, "queue", "save", "Evening").succeeded)
        #expect(try await command(daemon, "playlist").output == "Evening\n")
        #expect(try await command(daemon, "queue", "clear").succeeded)
        #expect(try await command(daemon, "playlist", "play", "Evening").output == "playing 3 tracks\n")
        try await daemon.titled("First")
        #expect(try await daemon.status() == "Playing")
        let wrong = try await command(daemon, "playlist", "play", "Evenin")
        #expect(wrong.status == .exited(66))
        #expect(wrong.error == "mpris-playerd: the playlist “Evenin” does not exist; did you mean “Evening”?\n")
        #expect(try await titles(daemon).count == 3)
      }
    }
  }
}
