import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Books, and places in files that were renamed and retagged, of the built daemon.
@Suite(.enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PlaceTests {
  private func command(_ daemon: DaemonUnderTest, _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
  }

  /// Copies a sine of a minute with these tags; each number has its own sound.
  private func write(_ number: Int, title: String, genre: String, to path: String) async throws {
    let tags = Tags(title: title, genre: genre, trackNumber: number)
    let sine = try await Media.sine(seconds: 60, frequency: 200 + 100 * number, tags: tags)
    try FileManager.default.copyItem(atPath: sine, toPath: path)
  }

  /// Writes a folder with four files.
  private func folder(
    _ name: String, genre: String, title: String, file: String, in directory: TemporaryDirectory
  ) async throws -> String {
    let folder = try directory.makeDirectory(name)
    for number in 1...4 {
      try await write(number, title: "\(title) \(number)", genre: genre, to: "\(folder)/\(number)\(file).flac")
    }
    return folder
  }

  private func open(_ daemon: DaemonUnderTest, _ arguments: String..., titled title: String) async throws {
    let result = try await run(
      [DaemonUnderTest.executable, "--paused"] + arguments, environment: daemon.bus.environment)
    #expect(result.succeeded, "\(result.error)")
    try await daemon.opened(titled: title)
  }

  /// Plays and pauses until the saved places contain a text.
  private func saved(_ text: String, in state: TemporaryDirectory, _ daemon: DaemonUnderTest) async throws {
    try await deadline(60, "\(text) is saved") {
      while true {
        let file = try? String(contentsOfFile: state.file("mpris-playerd/positions.json"), encoding: .utf8)
        if file?.contains(text) ?? false { return }
        for (call, status) in [("Play", "Playing"), ("Pause", "Paused")] as [(MemberName, String)] {
          let received = daemon.signals.count
          try await daemon.call(call)
          try await daemon.changed("PlaybackStatus", from: received) { $0 == .string(status) }
        }
      }
    }
  }

  @Test("A book that was left in its third file continues there after its folder and files were renamed and retagged")
  func renamedBook() async throws {
    try await withTemporaryDirectory { directory in
      let state = ["XDG_STATE_HOME": directory.path]
      let book = try await folder("Moby", genre: "Audiobook", title: "Chapter", file: "", in: directory)
      try await withDaemon(["--paused", book], environment: state) { daemon in
        try await daemon.opened(titled: "Chapter 1")
        #expect(try await command(daemon, "status").output.contains("volume 100 %, book\n"))
        for title in ["Chapter 2", "Chapter 3"] {
          try await daemon.call("Next")
          try await daemon.opened(titled: title)
        }
        #expect(try await command(daemon, "seek", "25").succeeded)
        try await saved("content", in: directory, daemon)
        daemon.process.signal(15)
        try await daemon.process.exitStatus()
      }
      try FileManager.default.removeItem(atPath: book)
      let renamed = try await folder(
        "Melville", genre: "Speech", title: "A longer title of", file: " of 4", in: directory)
      let song = try await Media.sine(seconds: 20, tags: Tags(title: "Song"))
      try await withDaemon(["--paused", song], environment: state) { daemon in
        try await daemon.opened(titled: "Song")
        try await open(daemon, renamed, titled: "A longer title of 3")
        let position = try await daemon.position()
        #expect((25_000_000..<30_000_000).contains(position))
        let list = try await command(daemon, "places").output
        #expect(list.hasPrefix("1  Melville: 3 of 4.flac  0:2") && list.contains(" / 1:00  "), "\(list)")
        // A client that opens the folder finds the place, too.
        #expect(try await command(daemon, "open", "--paused", song).succeeded)
        try await daemon.opened(titled: "Song")
        let uri = "file://" + renamed
        try await daemon.call("OpenUri", [.string(uri)])
        try await daemon.opened(titled: "A longer title of 3")
        #expect(try await daemon.position() >= 25_000_000)
      }
    }
  }

  @Test(
    "A place is listed and forgotten by its number, its folder or all; without it, and with --start, the book starts over"
  )
  func forgotten() async throws {
    try await withTemporaryDirectory { directory in
      let book = try await folder("Moby", genre: "Podcast", title: "Chapter", file: "", in: directory)
      let state = ["XDG_STATE_HOME": directory.path]
      try await withDaemon(["--paused", book], environment: state) { daemon in
        try await daemon.opened(titled: "Chapter 1")
        for place in ["1", book, "all"] {
          try await open(daemon, book, titled: "Chapter 1")
          #expect(try await command(daemon, "jump", "3").succeeded)
          try await daemon.opened(titled: "Chapter 3")
          try await daemon.call("Pause")
          try await open(daemon, book, titled: "Chapter 3")
          let line = try await command(daemon, "places", "--json").output
          #expect(line.contains(#""folder":"file://\#(book)""#) && line.contains(#""uri":"file://\#(book)/3.flac""#))
          #expect(try await command(daemon, "places", "forget", place).output == "forgot 1 place\n")
          #expect(try await command(daemon, "places").output == "")
        }
        #expect(try await command(daemon, "places", "forget", "1").output == "no place is kept\n")
        try await open(daemon, book, titled: "Chapter 1")
        try await daemon.call("Next")
        try await daemon.opened(titled: "Chapter 2")
        try await open(daemon, "--start", "0", book, titled: "Chapter 1")
        let wrong = try await command(daemon, "places", "forget", "9", "/nothing")
        #expect(wrong.error.contains("place 9 does not exist; the list has 1 place"))
        #expect(
          try await command(daemon, "places", "forget", "/nothing").error.contains("no place is kept in /nothing"))
        daemon.process.signal(15)
        try await daemon.process.exitStatus()
        // Without a running instance, the list comes from the file.
        let list = try await run(
          [DaemonUnderTest.executable, "places"], environment: daemon.bus.environment.merging(state) { $1 })
        #expect(list.output.hasPrefix("1  Moby: 1.flac  0:00 / 1:00  "), "\(list.output)\(list.error)")
      }
    }
  }

  @Test("An album of music begins at its first track, wherever it was left")
  func album() async throws {
    try await withTemporaryDirectory { directory in
      let album = try await folder("Tones", genre: "Rock", title: "Track", file: "", in: directory)
      try await withDaemon(["--paused", album], environment: ["XDG_STATE_HOME": directory.path]) { daemon in
        try await daemon.opened(titled: "Track 1")
        #expect(try await command(daemon, "jump", "3").succeeded)
        try await daemon.opened(titled: "Track 3")
        #expect(try await command(daemon, "seek", "30").succeeded)
        #expect(try await command(daemon, "places").output == "")
        try await open(daemon, album, titled: "Track 1")
        #expect(try await daemon.position() == 0)
        #expect(!(try await command(daemon, "status").output.contains("book")))
      }
    }
  }
}
