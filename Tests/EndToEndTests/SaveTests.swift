import DBus
import TestSupport
import Testing

/// Tests of `mpris-playerd save` and of the saved playlists.
@Suite
struct SaveTests {
  private func save(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable, "save"] + arguments, environment: daemon.bus.environment)
  }

  @Test("A saved queue is a playlist at once; activating it restores the tracks, their order and their titles")
  func roundTrip() async throws {
    let files = try await TrackListTests.files()
    let plain = try await Media.sine(seconds: 20, format: .wav)
    try await withTemporaryDirectory { directory in
      let list = try directory.write("#EXTM3U\n#EXTINF:20,Wörter, und \"mehr\"\n\(plain)\n", to: "given.m3u8")
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists")]
      try await withDaemon(["--paused", files[2], list, files[0]], environment: environment) { daemon in
        try await daemon.titled("Third")
        #expect(try await daemon.get("PlaylistCount", of: PlaylistsTests.interface) == .uint32(0))
        var mark = daemon.signals.count
        let saved = try await save(daemon, "Abend: 1")
        #expect(saved.succeeded, "\(saved.error)")
        #expect(saved.output == directory.file("lists/Abend: 1.m3u8") + "\n")
        try await daemon.signals.first("one playlist", from: mark) { $0.playlistCount == 1 }
        let mine = try #require(try await daemon.playlists("").first)
        #expect(mine.name == "Abend: 1")
        #expect(try await daemon.active() == nil)

        mark = daemon.signals.count
        try await daemon.call("OpenUri", [.string("file://" + files[1])])
        mark = try await daemon.titled("Second", from: mark)
        try await daemon.activate(mine.id)
        for (title, file) in [("Third", files[2]), ("Wörter, und \"mehr\"", plain), ("First", files[0])] {
          mark = try await daemon.titled(title, from: mark)
          #expect(try await daemon.metadata("xesam:url") == .string("file://" + file))
          #expect(try await daemon.status() == "Playing")
          if title != "First" { try await daemon.call("Next") }
        }
        #expect(try await daemon.get("CanGoNext") == .boolean(false))
        #expect(try await daemon.active() == mine.id)
      }
    }
  }

  @Test("With --relative, the paths of the playlist are relative to its folder, and playing it restores the tracks")
  func relative() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      try directory.makeDirectory("music")
      let copy = directory.file("music/a b.flac")
      try #require(try await run(["cp", file, copy]).succeeded)
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists")]
      try await withDaemon(["--paused", copy], environment: environment) { daemon in
        try await daemon.titled("First")
        let saved = try await save(daemon, "Evening", "--relative")
        #expect(saved.succeeded, "\(saved.error)")
        let lines = try await run(["cat", directory.file("lists/Evening.m3u8")]).output.split(separator: "\n")
        #expect(lines.last == "../music/a b.flac")
        let command = [DaemonUnderTest.executable, "playlist"]
        let listed = try await run(command + ["--json"], environment: daemon.bus.environment).output
        #expect(listed == "{\"name\":\"Evening\",\"uri\":\"file://\(directory.file("lists/Evening.m3u8"))\"}\n")
        let played = try await run(command + ["play", "Evening"], environment: daemon.bus.environment)
        #expect(played.output == "playing 1 track\n", "\(played.error)")
        #expect(try await daemon.metadata("xesam:url") == .string("file://" + directory.file("music/a%20b.flac")))
      }
    }
  }

  @Test("Saving and activating a queue keeps the ranges of clips")
  func parts() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withTemporaryDirectory { directory in
      let sheet = """
        FILE "\(file)" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:07:01
        """
      let cue = try directory.write(sheet, to: "disc.cue")
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists")]
      try await withDaemon(["--paused", cue], environment: environment) { daemon in
        try await daemon.titled("One")
        let length = try await daemon.metadata("mpris:length")
        #expect(try await save(daemon, "disc").succeeded)
        let mine = try #require(try await daemon.playlists("").first)
        try await daemon.call("Next")
        var mark = try await daemon.titled("Two")
        // The length is known when the part is open; a saved playlist has it from the start.
        try await daemon.opened(titled: "Two")
        let rest = try await daemon.metadata("mpris:length")
        try await daemon.activate(mine.id)
        mark = try await daemon.titled("One", from: mark)
        #expect(try await daemon.metadata("mpris:length") == length)
        try await daemon.call("Next")
        try await daemon.titled("Two", from: mark)
        try await daemon.opened(titled: "Two")
        #expect(try await daemon.metadata("mpris:length") == rest)
      }
    }
  }

  @Test("Only --force replaces an existing playlist; an empty queue is not saved")
  func existing() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]
      try await withDaemon([], environment: environment) { daemon in
        let empty = try await save(daemon, "mine")
        #expect(empty.status == .exited(73))
        #expect(empty.error == "mpris-playerd: the queue is empty\n")
        let opened = try await run(
          [DaemonUnderTest.executable, "--paused", files[0]], environment: daemon.bus.environment)
        #expect(opened.succeeded)
        try await daemon.titled("First")
        #expect(try await save(daemon, "mine.m3u8").succeeded)
        let again = try await save(daemon, "mine")
        #expect(again.status == .exited(73))
        #expect(again.error == "mpris-playerd: the playlist “mine” already exists\n")
        #expect(try await save(daemon, "mine", "--force").succeeded)
        #expect(try await daemon.playlists("").map(\.name) == ["mine"])
      }
    }
  }

  @Test("An invalid name is refused, by the command and over D-Bus")
  func names() async throws {
    try await withDaemon([]) { daemon in
      for name in ["", "..", "a/b", ".hidden"] {
        #expect(try await save(daemon, "--", name).status == .exited(64), "\(name)")
        let error = try await #require(throws: DBusError.self) {
          _ = try await daemon.client.call(
            on: "org.playerd", at: "/org/playerd", of: "org.playerd.Control1", "Save", [.string(name), .boolean(true)])
        }
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
      }
    }
  }

  @Test("Without an instance save fails with 69, and starts none")
  func alone() async throws {
    try await withPrivateBus { bus in
      let result = try await run([DaemonUnderTest.executable, "save", "mine"], environment: bus.environment)
      #expect(result.status == .exited(69))
      #expect(result.error == "mpris-playerd: no instance is running; “mpris-playerd ITEM…” starts one\n")
    }
  }
}
