import GstPlayer
import PlayerdInterfaces
import TestSupport
import Testing
import TextCoding

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Opening local playlists") struct PlaylistOpeningTests {
  @Test("Items have the order and the titles of the playlist, relative to its folder")
  func titles() async throws {
    try await withLoader { harness, directory in
      try directory.makeDirectory("sub")
      _ = try directory.write("", to: "sub/b.mp3")
      let list = try directory.write(
        "#EXTM3U\n#EXTINF:12,The First\na.flac\n#EXTIMG:x/cover.png\nsub\\b.mp3\n/c.ogg\nhttp://radio.example/live\n",
        to: "list.m3u")
      let items = try await harness.open(list)
      let root = directory.path
      #expect(
        items.map(\.uri) == [
          "file://\(root)/a.flac", "file://\(root)/sub/b.mp3", "file:///c.ogg", "http://radio.example/live",
        ])
      #expect(items.map(\.externalMetadata?.title) == ["The First", nil, nil, nil])
      #expect(items.first?.externalMetadata?.duration == .seconds(12))
      #expect(items[1].externalMetadata?.image == "file://\(root)/x/cover.png")
      #expect(harness.lines.elements.isEmpty)
    }
  }

  @Test("A Latin-1 entry is found under a file name in Latin-1 or UTF-8")
  func encodings() async throws {
    try await withLoader { harness, directory in
      _ = try directory.write("", to: "Björk.mp3")
      let line = Array("Bj".utf8) + [0xF6] + Array("rk.mp3".utf8)
      let list = try directory.write(line, to: "list.m3u")
      let other = try directory.write(Array("gone-".utf8) + line, to: "other.m3u")
      #expect(try await harness.names(list) == ["Björk.mp3"])
      #expect(try await harness.open(other).last?.uri == "file://\(directory.path)/gone-Bj%F6rk.mp3")
    }
  }

  @Test("A playlist and a cue sheet in the configured code page name files and titles in it")
  func codePage() async throws {
    let text = try #require(TextDecoding(codePage: "windows-1251"))
    let kino: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
    try await withLoader(text: text) { harness, directory in
      for name in ["Кино.mp3", "Кино.flac"] { _ = try directory.write("", to: name) }
      let list = try directory.write(
        Array("#EXTINF:1,".utf8) + kino + Array("\n".utf8) + kino + Array(".mp3\n".utf8), to: "list.m3u")
      let sheet = try directory.write(
        Array("FILE \"".utf8) + kino + Array(".flac\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8) + kino
          + Array("\"\nINDEX 01 00:00:00\n".utf8), to: "sheet.cue")
      let items = try await harness.open(list, sheet)
      #expect(items.map { FileURI.name(of: $0.uri) } == ["Кино.mp3", "Кино.flac"])
      #expect(items.map(\.externalMetadata?.title) == ["Кино", "Кино"])
    }
  }

  @Test("A playlist is read although its path is not UTF-8")
  func path() async throws {
    try await withLoader { harness, directory in
      let folder = Array(directory.file("caf").utf8) + [0xE9]
      try LocalFileSystem().makeFolder(folder).get()
      try LocalFileSystem().replace(folder + Array("/list.m3u".utf8), with: Array("a.mp3\n".utf8)).get()
      let items = try await harness.open("\(FileURI.uri(ofPath: folder))/list.m3u")
      #expect(items.map(\.uri) == ["\(FileURI.uri(ofPath: folder))/a.mp3"])
    }
  }

  @Test("Nested playlists and folders are opened in order; a loop and a fifth level are one warning each")
  func nesting() async throws {
    try await withLoader { harness, directory in
      try directory.makeDirectory("album")
      for name in ["2.mp3", "10.mp3"] { _ = try directory.write("", to: "album/\(name)") }
      _ = try directory.write("[playlist]\nFile1=b.mp3\nFile2=top.m3u\n", to: "nested.pls")
      let top = try directory.write("a.mp3\nnested.pls\nalbum\nc.mp3\n", to: "top.m3u")
      #expect(try await harness.names(top) == ["a.mp3", "b.mp3", "2.mp3", "10.mp3", "c.mp3"])
      #expect(harness.lines.elements == ["\(top): the playlist contains itself"])
    }
    try await withLoader { harness, directory in
      for level in 1...5 { _ = try directory.write("\(level).mp3\n\(level + 1).m3u\n", to: "\(level).m3u") }
      #expect(try await harness.names(directory.file("1.m3u")) == ["1.mp3", "2.mp3", "3.mp3", "4.mp3"])
      #expect(harness.lines.elements == ["\(directory.file("5.m3u")): playlists are nested too deeply"])
    }
  }

  @Test("Each invalid line is one warning with the file and the line; an empty playlist is one too")
  func warnings() async throws {
    try await withLoader { harness, directory in
      let bad = try directory.write("#EXTINF:x,T\na.mp3\n\u{2}\nb.mp3\n", to: "bad.m3u8")
      let empty = try directory.write("# nothing\n", to: "empty.m3u")
      let broken = try directory.write("<playlist><trackList>", to: "broken.xspf")
      let items = try await harness.open(bad, empty, broken)
      #expect(items.map { FileURI.name(of: $0.uri) } == ["a.mp3", "b.mp3"])
      let lines = harness.lines.elements
      try #require(lines.count == 4)
      #expect(lines[0] == "\(bad): line 1: no length after #EXTINF:")
      #expect(lines[1] == "\(bad): line 3: no location")
      #expect(lines[2] == "\(empty): the playlist is empty")
      #expect(lines[3].hasPrefix("\(broken): line 1: not well-formed XML"))
    }
  }

  @Test("Files of another system are found: paths of Windows, file: URIs, and names in another case")
  func otherSystems() async throws {
    try await withLoader { harness, directory in
      try directory.makeDirectory("Rips/Own")
      for name in ["Rips/Own/Ärger.flac", "Rips/Own/#1.mp3", "twice.mp3", "TWICE.mp3", "once.mp3"] {
        _ = try directory.write("", to: name)
      }
      let lines = [
        ##"D:\Music\Rips\Own\#1.mp3"##, #"\\nas\share\rips\OWN\ärger.FLAC"#, "rips/own/A\u{308}rger.flac",
        "file://localhost\(directory.path)/once.mp3#t=3", "file://\(directory.path)/Rips/Own/#1.mp3", "Once.MP3",
        "twice.mp3",
        "Twice.mp3", "file:///C:/x/once.mp3",
      ]
      let list = try directory.write(lines.map { "\($0)\n" }.joined(), to: "list.m3u")
      let items = try await harness.open(list)
      let found = items.map { FileURI.readable($0.uri).replacing(directory.path + "/", with: "") }
      let (one, second) = ("Rips/Own/#1.mp3", "Rips/Own/Ärger.flac")
      #expect(found == [one, second, second, "once.mp3", one, "once.mp3", "twice.mp3", "Twice.mp3", "once.mp3"])
    }
  }

  @Test("A file: URI of this machine has its usual form, without a host and a fragment")
  func canonical() async throws {
    try await withLoader { harness, directory in
      let path = try directory.write("", to: "a.mp3")
      _ = try directory.write("", to: "b.mp3#t=1")
      let items = try await harness.open(
        "file://localhost\(path)#t=3", "file:\(path)?x", "file://\(directory.path)/b.mp3#t=1", "file://elsewhere/a.mp3")
      #expect(
        items.map(\.uri) == [
          "file://\(path)", "file://\(path)", "file://\(directory.path)/b.mp3%23t=1", "file://elsewhere/a.mp3",
        ])
    }
  }

  @Test("A local file without a known extension is a playlist if its content is one")
  func content() async throws {
    try await withLoader { harness, directory in
      let list = try directory.write("[playlist]\nFile1=a.mp3\n", to: "stations")
      let swapped = try directory.write("#EXTM3U\nb.mp3\n", to: "swapped.pls")
      let other = try directory.write("no list", to: "notes.txt")
      let items = try await harness.open(list, swapped, other)
      #expect(items.map { FileURI.name(of: $0.uri) } == ["a.mp3", "b.mp3", "notes.txt"])
    }
  }

  @Test("Playlists that multiply are read up to a limit for the whole request, and cause few lines")
  func expansion() async throws {
    try await withLoader { harness, directory in
      for level in 0..<3 {
        _ = try directory.write(String(repeating: "\(level + 1).m3u\n", count: 1_000), to: "\(level).m3u")
      }
      _ = try directory.write("a.mp3\n", to: "3.m3u")
      let other = try directory.write("b.mp3\n", to: "other.m3u")
      let first = directory.file("0.m3u")
      let items = try await harness.open(first, other, directory.file("c.mp3"))
      #expect(items.count == ListExpansion.listLimit - 3 + 1)
      #expect(items.last.map { FileURI.name(of: $0.uri) } == "c.mp3")
      #expect(
        harness.lines.elements == [
          "\(first): more than 1000 playlists in one request; the rest is omitted",
          "\(other): more than 1000 playlists in one request; it is not read",
        ])
    }
  }

  @Test("Entries count whether they become items or not")
  func entryLimit() {
    var expansion = ListExpansion()
    for _ in 0..<ListExpansion.entryLimit { expansion.addEntry() }
    #expect(expansion.excess == nil)
    expansion.addEntry()
    #expect(expansion.excess == "playlists with more than 1000000 entries")
    var large = ListExpansion()
    for _ in 0..<3 { large.add(listOf: 30 << 20) }
    #expect(large.excess == "playlists of more than 64 MiB")
  }

  @Test("Of many rejected items, the first ones are a line each, and the number of the others is one more line")
  func manyRejections() async throws {
    try await withLoader { harness, directory in
      let list = try directory.write(String(repeating: "gopher://a\n", count: 500), to: "list.m3u")
      let report = try await harness.report(OpenRequest(uris: [FileURI.absolute(from: list)], placement: .add))
      #expect(report.rejectionCount == 500)
      #expect(harness.lines.count == OpenLog.lineLimit + 1)
      #expect(harness.lines.elements.last == "480 more items cannot be queued")
    }
  }

  @Test("The reasons of rejected items do not contain passwords or the values of queries")
  func secrets() async throws {
    try await withLoader { harness, _ in
      let report = try await harness.report(OpenRequest(uris: ["gopher://user:pass@a/b?token=1"], placement: .add))
      #expect(report.rejections.map { String($0.prefix { $0 != "…" }) } == ["gopher://a/b?token="])
      #expect(harness.lines.elements == report.rejections)
    }
  }

  @Test("A missing playlist and a live stream's playlist are passed to the player unchanged")
  func leftToThePlayer() async throws {
    try await withLoader { harness, directory in
      let stream = try directory.write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", to: "live.m3u8")
      let items = try await harness.open(stream, directory.file("gone.m3u"))
      #expect(items.map { FileURI.name(of: $0.uri) } == ["live.m3u8", "gone.m3u"])
    }
  }

  @Test("Playlists in a folder are left out if it has other files")
  func folders() async throws {
    try await withLoader { harness, directory in
      for folder in ["mixed", "lists"] {
        try directory.makeDirectory(folder)
        _ = try directory.write("http://radio.example/\(folder)\n", to: "\(folder)/radio.m3u")
      }
      _ = try directory.write("", to: "mixed/a.mp3")
      let items = try await harness.open(directory.file("mixed"), directory.file("lists"))
      #expect(items.map { FileURI.name(of: $0.uri) } == ["a.mp3", "lists"])
    }
  }

  @Test("The URI policy applies to the entries of a playlist")
  func policy() async throws {
    try await withLoader { harness, directory in
      let list = try directory.write("a.mp3\n/etc/passwd\nhttp://radio.example/a.mp3\n", to: "list.m3u")
      let policy = URIPolicy(schemes: ["file"], roots: [Array(directory.path.utf8)])
      let items = try await harness.open(list, policy: policy)
      #expect(items.map { FileURI.name(of: $0.uri) } == ["a.mp3"])
      #expect(harness.lines.count == 2)
    }
  }
}
