import EventLoop
import Glibc
import GstPlayer
import MPRISService
import Playback
import PlayerdInterfaces
import PlaylistFormats
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Saving the queue") struct SavingTests {
  @Test("A playlist name becomes a file name, also with its extension", arguments: ["Abend – 1", "Abend – 1.m3u8"])
  func name(text: String) {
    #expect(PlaylistName(text)?.text == "Abend – 1")
    #expect(PlaylistName(text)?.fileName == "Abend – 1.m3u8")
  }

  @Test(
    "A name that is a path, hidden, empty or not printable is rejected",
    arguments: [
      "", " ", ".", "..", ".m3u8", ".a", "a/b", "/a", "../a", "a\nb", "a\u{0}", "a\u{85}",
      String(repeating: "a", count: 201),
    ])
  func noName(text: String) {
    #expect(PlaylistName(text) == nil)
  }

  @Test(
    "A file is written as its path, unless the path would be ambiguous",
    arguments: [
      ("file:///a%20b.flac", PlaylistLocation.path(Array("/a b.flac".utf8))),
      ("file:///%E4.flac", .uri("file:///%E4.flac")), ("file:///a%0Ab", .uri("file:///a%0Ab")),
      ("file:///a%5Cb", .uri("file:///a%5Cb")), ("file:///a%20", .uri("file:///a%20")),
      ("https://a/b.mp3", .uri("https://a/b.mp3")),
    ])
  func location(uri: String, location: PlaylistLocation) {
    #expect(PlaylistEntry(Player.Item(uri: uri), nil).location == location)
  }

  @Test("Tags take precedence over the playlist's details; for a station its name is saved, not its current title")
  func details() {
    var externalMetadata = Player.Item.ExternalMetadata()
    (externalMetadata.title, externalMetadata.duration) = ("Hint", .seconds(3))
    let item = Player.Item(
      uri: "file:///a.flac", externalMetadata: externalMetadata, start: .seconds(1), end: .seconds(2))
    let unknown = PlaylistEntry(item, nil)
    #expect((unknown.title, unknown.duration) == ("Hint", .seconds(3)))
    #expect((unknown.start, unknown.end) == (.seconds(1), .seconds(2)))
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(item), title: "Tag")
    (fields.length, fields.artists, fields.album) = (.seconds(4), ["A", "B"], "C")
    let known = PlaylistEntry(item, fields)
    #expect((known.title, known.duration, known.artist, known.album) == ("Tag", .seconds(4), "A", "C"))
    var song = MPRISMetadata.Fields(trackID: MPRISTrackID(item), title: "A song")
    song.album = "The Station"
    let station = PlaylistEntry(Player.Item(uri: "http://a/"), song)
    #expect((station.title, station.album, station.duration) == ("The Station", nil, nil))
  }

  @Test("A file that must not be replaced is unchanged, and no temporary file remains")
  func existing() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("new/a.m3u8")
      let first = LocalFileSystem().replace(path, with: [1], permissions: .usual, mayExist: false)
      #expect((try? first.get()) != nil)
      let refused = LocalFileSystem().replace(path, with: [2], permissions: .usual, mayExist: false)
      guard case .failure(let failure) = refused else { return #expect(Bool(false), "it was replaced") }
      #expect(failure.number == EEXIST)
      #expect(LocalFileSystem().bytes(of: path, limit: 10) == .success([1]))
      #expect(names(in: directory.file("new")) == ["a.m3u8"])
      let third = LocalFileSystem().replace(path, with: [3], permissions: .usual)
      #expect((try? third.get()) != nil)
      #expect(LocalFileSystem().bytes(of: path, limit: 10) == .success([3]))
    }
  }

  @Test("Writing a file changes no other one, also if its name differs only by “.new”", arguments: [true, false])
  func neighbour(mayExist: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let other = directory.file("notes.new")
      try directory.write("mine", to: "notes.new")
      for _ in 0..<2 {
        _ = LocalFileSystem().replace(directory.file("notes"), with: [1], mayExist: mayExist)
        #expect(LocalFileSystem().bytes(of: other, limit: 10) == .success(Array("mine".utf8)))
        #expect(LocalFileSystem().bytes(of: directory.file("notes"), limit: 10) == .success([1]))
      }
      #expect(names(in: directory.path) == ["notes", "notes.new"])
    }
  }

  @Test("A relative path leads from the playlist folder to the file; without such a path there is none")
  func relative() async throws {
    try await withTemporaryDirectory { directory in
      for folder in ["Music", "Music/A", "Music/Lists", "Music/Lists/B"] { try directory.makeDirectory(folder) }
      for file in ["Music/A/#1: x.flac", "Music/A/a ö.flac", "Music/Lists/#2.flac", "Music/Lists/B/b.flac", "c:d.flac"]
      {
        try directory.write("", to: file)
      }
      let link = directory.file("Link")
      try #require(unsafe symlink(directory.file("Music/Lists/B"), link) == 0)
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      func relative(_ path: String, from folder: String) -> String? {
        let folder = PlaylistFolder(Array(directory.file(folder).utf8), of: LocalFileSystem(), on: loop, changed: {})
        let file = path.hasPrefix("/") ? path : directory.file(path)
        return folder.relativePath(of: Array(file.utf8)).map { String(decoding: $0, as: UTF8.self) }
      }
      #expect(relative("Music/A/a ö.flac", from: "Music/Lists") == "../A/a ö.flac")
      #expect(relative("Music/A/#1: x.flac", from: "Music/Lists") == "./../A/#1: x.flac")
      #expect(relative("Music/Lists/#2.flac", from: "Music/Lists") == "./#2.flac")
      #expect(relative("Music/Lists/B/b.flac", from: "Music/Lists") == "B/b.flac")
      #expect(relative("Music/Lists/B/b.flac", from: "New/Lists") == "../../Music/Lists/B/b.flac")
      #expect(relative("c:d.flac", from: "Music") == "./../c:d.flac")
      // From the target of the link, “..” is another folder.
      #expect(relative("Music/A/a ö.flac", from: "Link") == nil && relative("Link/b.flac", from: "Link") == "b.flac")
      #expect(relative("Music/none.flac", from: "Music/Lists") == nil && relative("/dev/null", from: "Music") == nil)
    }
  }

  private func names(in folder: String) -> [String] {
    LocalFileSystem().entries(of: Array(folder.utf8)).map { String(decoding: $0.name, as: UTF8.self) }
      .filter { ![".", ".."].contains($0) }.sorted()
  }
}
