import GstPlayer
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdSystem

@Suite("Opening local cue sheets as clips of files") struct CueOpeningTests {
  private static func sheet(_ file: String = "album.flac") -> String {
    """
    PERFORMER "The Band"
    TITLE "The Album"
    FILE "\(file)" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two"
        PERFORMER "A Guest"
        INDEX 00 00:09:00
        INDEX 01 00:10:00

    """
  }

  /// Describes each item by its file, its range and its title; a range without an end extends to the end of the file.
  private static func described(_ items: [Player.Item]) -> [String] {
    items.map { item in
      let end = item.end.map { "\($0.components.seconds)" } ?? ""
      let range = item.isClip ? " \(item.start.components.seconds)-\(end)" : ""
      return FileURI.name(of: item.uri) + range + (item.externalMetadata?.title.map { " \($0)" } ?? "")
    }
  }

  private static let parts = ["album.flac 0-10 One", "album.flac 10- Two"]

  @Test("Opening a cue sheet adds its tracks, with titles, numbers and performers")
  func opened() async throws {
    try await withLoader { harness, directory in
      _ = try directory.write("", to: "album.flac")
      let items = try await harness.open(directory.write(Self.sheet(), to: "any.cue"))
      #expect(Self.described(items) == Self.parts)
      #expect(items.map(\.uri) == Array(repeating: "file://\(directory.path)/album.flac", count: 2))
      #expect(items.map(\.externalMetadata?.artist) == ["The Band", "A Guest"])
      #expect(items.map(\.externalMetadata?.album) == ["The Album", "The Album"])
      #expect(items.map(\.externalMetadata?.albumArtist) == ["The Band", "The Band"])
      #expect(items.map(\.externalMetadata?.trackNumber) == [1, 2])
      #expect(harness.lines.elements.isEmpty)
    }
  }

  @Test("Opening a file adds the tracks of the cue sheet beside it", arguments: ["album.cue", "album.flac.cue"])
  func beside(name: String) async throws {
    try await withLoader { harness, directory in
      let file = try directory.write("", to: "album.flac")
      _ = try directory.write(Self.sheet(), to: name)
      #expect(Self.described(try await harness.open(file)) == Self.parts)
    }
  }

  @Test("In a folder, the tracks of a cue sheet replace its file, and other files are unchanged")
  func folder() async throws {
    try await withLoader { harness, directory in
      for name in ["a.mp3", "album.flac", "b.mp3"] { _ = try directory.write("", to: name) }
      _ = try directory.write(Self.sheet(), to: "1.cue")
      #expect(Self.described(try await harness.open(directory.path)) == ["a.mp3"] + Self.parts + ["b.mp3"])
    }
  }

  @Test("A subfolder between a cue sheet and its file in the order of names does not separate them")
  func aroundFolder() async throws {
    for sheet in ["a.cue", "z.cue"] {
      try await withLoader { harness, directory in
        _ = try directory.makeDirectory("b")
        for name in ["album.flac", "b/between.mp3", "c.mp3"] { _ = try directory.write("", to: name) }
        _ = try directory.write(Self.sheet(), to: sheet)
        #expect(Self.described(try await harness.open(directory.path)) == Self.parts + ["between.mp3", "c.mp3"])
      }
      try await withLoader { harness, directory in
        _ = try directory.makeDirectory("b")
        for name in ["b/between.mp3", "disc.flac"] { _ = try directory.write("", to: name) }
        _ = try directory.write(Self.sheet("disc.flac"), to: sheet)
        let parts = ["disc.flac 0-10 One", "disc.flac 10- Two"]
        #expect(Self.described(try await harness.open(directory.path)) == ["between.mp3"] + parts)
      }
    }
  }

  @Test("A cue sheet with another file name extension refers to the existing file")
  func otherEnding() async throws {
    try await withLoader { harness, directory in
      _ = try directory.write("", to: "album.flac")
      let sheet = try directory.write(Self.sheet("album.wav"), to: "album.cue")
      #expect(Self.described(try await harness.open(sheet)) == Self.parts)
    }
    try await withLoader { harness, directory in
      _ = try directory.write("", to: "album.flac")
      let sheet = try directory.write(Self.sheet("C:\\\\rip\\\\gone.wav"), to: "album.cue")
      #expect(Self.described(try await harness.open(sheet)) == Self.parts)
    }
  }

  @Test("A missing file of a cue sheet is one item")
  func missing() async throws {
    try await withLoader { harness, directory in
      let sheet = try directory.write(Self.sheet("gone.wav"), to: "album.cue")
      #expect(Self.described(try await harness.open(sheet)) == ["gone.wav"])
      #expect(Self.described(try await harness.open(directory.file("gone.cue"))).last == "gone.cue")
    }
  }

  @Test("A cue sheet of several files divides each of them; a file with a single track is not divided")
  func severalFiles() async throws {
    try await withLoader { harness, directory in
      for name in ["a.flac", "b.flac", "c.flac"] { _ = try directory.write("", to: name) }
      let tracks = """
        FILE "a.flac" WAVE
          TRACK 01 AUDIO
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            INDEX 01 00:10:00
        FILE "b.flac" WAVE
          TRACK 03 AUDIO
            TITLE "Three"
            INDEX 01 00:00:00
        FILE "c.flac" WAVE
          TRACK 04 AUDIO
            INDEX 01 00:00:00
          TRACK 05 AUDIO
            INDEX 01 00:05:00

        """
      let sheet = try directory.write(tracks, to: "all.cue")
      let divided = ["a.flac 0-10", "a.flac 10-", "b.flac", "c.flac 0-5", "c.flac 5-"]
      #expect(Self.described(try await harness.open(directory.path)) == divided)
      #expect(Self.described(Array(try await harness.open(sheet).dropFirst(5)))[2] == "b.flac Three")
    }
  }

  @Test("A cue sheet in a FLAC file divides it, opened directly or in its folder")
  func embedded() async throws {
    let source = try await Media.continuousSine(samplesPerPart: 132_300)[0]
    guard Tool.areAvailable("metaflac", "cp") else { return }
    try await withLoader { harness, directory in
      let file = directory.file("disc.flac")
      #expect(try await run(["cp", source, file], within: 20).succeeded)
      let text = "FILE \"other.wav\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:01:00\n"
      let sheet = try directory.write(text, to: "tag.txt")
      #expect(try await run(["metaflac", "--set-tag-from-file=CUESHEET=\(sheet)", file], within: 20).succeeded)
      #expect(Self.described(try await harness.open(file)) == ["disc.flac 0-1", "disc.flac 1-"])
      #expect(
        Self.described(Array(try await harness.open(directory.path).dropFirst(2))) == ["disc.flac 0-1", "disc.flac 1-"])
    }
  }

  @Test("The URI policy applies to the files of a cue sheet")
  func policy() async throws {
    try await withLoader { harness, directory in
      let sheet = try directory.write(Self.sheet("/etc/hostname"), to: "album.cue")
      let policy = URIPolicy(schemes: ["file"], roots: [Array(directory.path.utf8)])
      #expect(try await harness.open(sheet, policy: policy).isEmpty)
      #expect(harness.lines.count == 1)
    }
  }
}
