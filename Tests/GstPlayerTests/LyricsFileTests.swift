import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of files in the LRC format beside media files.
@Suite("Lyrics files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LyricsFileTests {
  private static let lines = "[ar:Artist]\n[offset:+100]\n[00:00.30][00:00.90]Refrain\nno time\n[00:00.60]Verse\n"

  private func copy(of path: String, to name: String, in directory: TemporaryDirectory) throws -> String {
    try directory.write(Array(try Data(contentsOf: URL(filePath: path))), to: name)
  }

  @Test(
    "The file has the name of the media and an extension in any case",
    arguments: [
      ("song.flac", "song.lrc", true), ("song.flac", "song.LRC", true), ("song.flac", "song.Lrc", true),
      ("a.b.mp3", "a.b.lrc", true), ("no extension", "no extension.lrc", true), ("ü 1.ogg", "ü 1.lRC", true),
      ("song.flac", "song.flac.lrc", true), ("song.flac", "song.flac.LRC", true),
      ("song.flac", "song.mp3.lrc", false), ("song.flac", "Song.lrc", false), ("song.flac", "song.txt", false),
    ])
  func names(media: String, lyrics: String, isFound: Bool) async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.write(Self.lines, to: lyrics)
      #expect((LocalFile.lyrics(beside: fileURI(directory.file(media))) != nil) == isFound)
    }
  }

  @Test("The file with the whole name of the media is preferred")
  func wholeName() async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.write("[00:01.00]another", to: "song.lrc")
      _ = try directory.write("[00:01.00]its own", to: "song.flac.lrc")
      #expect(LocalFile.lyrics(beside: fileURI(directory.file("song.flac"))) == "[00:01.00]its own")
      #expect(LocalFile.lyrics(beside: fileURI(directory.file("song.mp3"))) == "[00:01.00]another")
    }
  }

  @Test("The file is UTF-8 with or without a mark, or marked UTF-16; other text is in a code page")
  func encodings() async throws {
    try await withTemporaryDirectory { directory in
      let text = "[00:01.00]Größe"
      let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      for bytes in [Array(text.utf8), marked, utf16] {
        _ = try directory.write(bytes, to: "song.lrc")
        let found = try #require(LocalFile.lyrics(beside: fileURI(directory.file("song.mp3"))))
        #expect(LyricsLine.lines(ofLRC: found) == [LyricsLine(start: .seconds(1), text: "Größe")])
      }
      _ = try directory.write(Array("[00:01.00]Gr".utf8) + [0xF6] as [UInt8], to: "song.lrc")
      #expect(LocalFile.lyrics(beside: fileURI(directory.file("song.mp3"))) == "[00:01.00]Grö")
    }
  }

  @Test("Of a large file the first mebibyte is read; a FIFO, a folder and a text without times are ignored")
  func limits() async throws {
    try await withTemporaryDirectory { directory in
      let uri = fileURI(directory.file("song.mp3"))
      _ = try directory.write("[00:01.00]" + String(repeating: "a", count: 2 << 20), to: "song.lrc")
      var excess: [String] = []
      #expect(LocalFile.lyrics(beside: uri) { excess.append($0) }?.utf8.count == 1 << 20)
      #expect(excess == ["only the first MiB of the lyrics beside the file is read"])
      _ = try directory.write("La la\n[Refrain]\nla", to: "song.lrc")
      #expect(LocalFile.lyrics(beside: uri) == nil)
      _ = try directory.makeDirectory("folder.lrc")
      #expect(LocalFile.lyrics(beside: fileURI(directory.file("folder.mp3"))) == nil)
      #expect(unsafe mkfifo(directory.file("pipe.lrc"), 0o600) == 0)
      #expect(LocalFile.lyrics(beside: fileURI(directory.file("pipe.mp3"))) == nil)
    }
    #expect(LocalFile.lyrics(beside: "http://127.0.0.1/song.mp3") == nil)
  }

  @Test("The lines of the file are delivered at their times, also of a successor")
  func playback() async throws {
    try await withTemporaryDirectory { directory in
      let media = try await Media.sine(seconds: 1.5)
      let items = try ["first", "second"].map { name in
        _ = try directory.write(Self.lines.replacing("Verse", with: name), to: "\(name).lrc")
        return fileURI(try copy(of: media, to: "\(name).flac", in: directory))
      }
      try await withPlayer(items) { harness in
        let log = EventLog<Player.TimedMetadata>()
        let observation = harness.player.addTimedMetadataObserver { log.append($0) }
        harness.player.play()
        try await log.first("the last line of the second item", within: 30) {
          $0.item.uri == items[1] && $0.time == .milliseconds(800)
        }
        observation.cancel()
        #expect(
          log.elements.map(\.content) == [
            .lyrics("Refrain"), .lyrics("first"), .lyrics("Refrain"), .lyrics("Refrain"), .lyrics("second"),
            .lyrics("Refrain"),
          ])
        let times: [Duration] = [.milliseconds(200), .milliseconds(500), .milliseconds(800)]
        #expect(log.elements.map(\.time) == times + times)
      }
    }
  }

  @Test("An inspected file has the lyrics of the file beside it")
  func inspection() async throws {
    try await withTemporaryDirectory { directory in
      let path = try copy(of: try await Media.sine(seconds: 1), to: "song.flac", in: directory)
      _ = try directory.write(Self.lines, to: "song.lrc")
      #expect(try await MediaInspector().inspect(fileURI(path)).metadata.lyrics == Self.lines)
    }
  }
}
