import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

@Suite("File names that are not UTF-8", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FileNameTests {
  /// “café” in Latin-1.
  private static let name: [UInt8] = Array("caf".utf8) + [0xE9]

  private static func name(_ ending: String) -> [UInt8] { name + Array(".\(ending)".utf8) }

  /// Creates a file with this name in a directory; returns its URI.
  private static func file(_ bytes: [UInt8], _ ending: String, in directory: TemporaryDirectory) throws -> String {
    try directory.write(bytes, to: "new")
    return fileURI(try directory.rename("new", to: name(ending)))
  }

  private static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  @Test("Pipes, folders and missing files are recognised before they are opened")
  func kinds() async throws {
    try await withTemporaryDirectory { directory in
      #expect(unsafe mkfifo(directory.file("fifo"), 0o600) == 0)
      let pipe = fileURI(try directory.rename("fifo", to: Self.name("wav")))
      #expect(MediaURI.failure(of: pipe)?.message == "a device or a pipe, not a file")
      #expect(LocalFile.lyrics(beside: pipe) == nil && LocalFile.chapters(pipe).isEmpty)
      try directory.makeDirectory("folder")
      let folder = fileURI(try directory.rename("folder", to: Self.name("flac")))
      #expect(MediaURI.failure(of: folder)?.message == "a directory, not a file")
      #expect(!LocalFile.isMissing(folder))
      #expect(LocalFile.isMissing(fileURI(Array("\(directory.path)/".utf8) + Self.name("mp3"))))
    }
  }

  @Test("A file plays with the lyrics beside it, also when it is inspected")
  func plays() async throws {
    let media = try Self.bytes(try await Media.sine(seconds: 1, tags: Tags(title: "Song")))
    let lyrics = "[00:00.50]Line\n"
    try await withTemporaryDirectory { directory in
      _ = try Self.file(Array(lyrics.utf8), "LRC", in: directory)
      let uri = try Self.file(media, "flac", in: directory)
      #expect(try await MediaInspector().inspect(uri).metadata.lyrics == lyrics)
      try await withPlayer([uri]) { harness in
        try await harness.ready()
        try await harness.reaches("the lyrics") { $0.metadata.lyrics == lyrics && $0.metadata.title == "Song" }
        try await harness.playToEnd()
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("The duration of a file is measured, and its loudness is stored")
  func measured() async throws {
    let media = try Self.bytes(try await Media.sine(seconds: 2, format: .mp3))
    try await withTemporaryDirectory { directory in
      let uri = try Self.file(media, "mp3", in: directory)
      let cache = LoudnessCache(folder: directory.path, digest: GLib.sha256)
      let results = EventLog<Duration?>()
      DurationScan().begin(uri) { results.append($0) }
      let result = try await results.first("the duration", within: 20) { _ in true }.element
      #expect(abs((try #require(result) - .seconds(2)) / .seconds(1)) < 0.1)
      #expect(cache.key(ofFileAt: try #require(LocalFile.path(of: uri))) != nil)
    }
  }

  @Test("A FLAC file that GStreamer cannot decode is named as such")
  func header() async throws {
    var media = try Self.bytes(try await Media.sine(seconds: 1))
    // 32 bits per sample.
    media[20] |= 1
    media[21] |= 0xF0
    try await withTemporaryDirectory { directory in
      let uri = try Self.file(media, "flac", in: directory)
      #expect(LocalFile.undecodableFLAC(uri)?.code == .codecMissing)
    }
  }
}
