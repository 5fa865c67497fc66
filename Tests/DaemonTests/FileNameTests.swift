import FoundationEssentials
import Glibc
import GstPlayer
import Playback
import PlaylistFormats
import TestSupport
import Testing
import TextCoding

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Files whose names are not UTF-8", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FileNameTests {
  /// “café” in Latin-1, with an extension.
  private static func name(_ ending: String) -> [UInt8] { Array("caf".utf8) + [0xE9] + Array(".\(ending)".utf8) }

  /// Creates files with this name and these contents in a directory.
  private static func write(_ files: [(ending: String, bytes: [UInt8])], to directory: TemporaryDirectory) throws {
    for file in files {
      try directory.write(file.bytes, to: "new")
      try directory.rename("new", to: name(file.ending))
    }
  }

  private static func uri(_ ending: String, in directory: TemporaryDirectory) -> String {
    FileURI.uri(ofPath: Array("\(directory.path)/".utf8) + name(ending))
  }

  private static let sheet: [UInt8] =
    Array("FILE \"".utf8) + name("flac")
    + Array("\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:05:00\n".utf8)

  @Test("A folder is opened; a cue sheet divides the file that it names, or that is beside it, and a playlist plays")
  func folder() async throws {
    try await withLoader { harness, directory in
      try Self.write([("flac", []), ("mp3", []), ("cue", Self.sheet)], to: directory)
      let flac = Self.uri("flac", in: directory)
      let items = try await harness.open(directory.path)
      #expect(items.map(\.uri) == [flac, flac, Self.uri("mp3", in: directory)])
      #expect(items.map(\.end) == [.seconds(5), nil, nil])
      for opened in [flac, Self.uri("cue", in: directory)] {
        let count = harness.player.items.count
        let added = try await harness.open(opened).dropFirst(count)
        #expect(added.map(\.uri) == [flac, flac] && added.map(\.start) == [.zero, .seconds(5)])
      }
      let list = try directory.write(Self.name("mp3") + [0x0A], to: "list.m3u")
      #expect(try await harness.open(list).last?.uri == Self.uri("mp3", in: directory))
      #expect(harness.lines.elements.isEmpty)
    }
  }

  @Test("A pipe is refused without being opened")
  func pipe() async throws {
    try await withLoader(checksPlayability: true) { harness, directory in
      #expect(unsafe mkfifo(directory.file("fifo"), 0o600) == 0)
      let path = try directory.rename("fifo", to: Self.name("wav"))
      try harness.begin(OpenRequest(uris: [FileURI.uri(ofPath: path)]))
      try await harness.settled()
      #expect(harness.player.items.isEmpty)
      #expect(harness.lines.elements == ["\(directory.path)/caf\u{FFFD}.wav: a device or a pipe, not a file"])
    }
  }

  @Test("An argument is the URI of an existing file, and otherwise a text")
  func argument() async throws {
    try await withTemporaryDirectory { directory in
      try Self.write([("mp3", [])], to: directory)
      let path = Array("\(directory.path)/".utf8) + Self.name("mp3")
      let files = LocalFileSystem()
      #expect(ProgramArguments.text(of: path, in: files) == Self.uri("mp3", in: directory))
      #expect(ProgramArguments.text(of: path.dropLast(), in: files) == "\(directory.path)/caf\u{FFFD}.mp")
      #expect(ProgramArguments.text(of: Array("café.mp3".utf8), in: files) == "café.mp3")
      #expect(ProgramArguments.text(of: Self.name("mp3"), in: files) == "caf\u{FFFD}.mp3")
    }
  }

  @Test("A saved playlist contains the URI")
  func saved() {
    let item = Player.Item(uri: FileURI.uri(ofPath: Array("/".utf8) + Self.name("mp3")))
    #expect(PlaylistEntry(item, nil).location == .uri("file:///caf%E9.mp3"))
  }
}
