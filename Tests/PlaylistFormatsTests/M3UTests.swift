import Testing
import TextCoding

@testable import PlaylistFormats

/// The tests of M3U and M3U8.
struct M3UTests {
  @Test("Locations keep the order of their lines; comments and empty lines are ignored")
  func plain() throws {
    let playlist = try read(.m3u, "a.mp3\n\n# a comment\n/music/b.flac\r\nhttp://radio.example/live\rc d.ogg")
    #expect(
      playlist.entries.map(\.location)
        == [.path("a.mp3"), .path("/music/b.flac"), .uri("http://radio.example/live"), .path("c d.ogg")])
    #expect(playlist.warnings.isEmpty)
  }

  @Test("#EXTINF, #EXTIMG, #EXTART and #EXTALB apply to the next location alone, without changes")
  func extended() throws {
    let playlist = try read(
      .m3u,
      """
      #EXTM3U
      #PLAYLIST:Evening
      #EXTINF:123,Artist - Title, with a comma
      #EXTIMG:covers/1.jpg
      #EXTART:Somebody
      #EXTALB:Something
      one.mp3
      two.mp3
      #EXTINF:-1 tvg-logo="http://x/l,o.png" group-title="a, b",A station
      http://radio/
      #EXTINF:1.5
      three.mp3
      """)
    #expect(playlist.title == "Evening")
    try #require(playlist.entries.count == 4)
    let (one, two, radio, three) = (
      playlist.entries[0], playlist.entries[1], playlist.entries[2], playlist.entries[3]
    )
    #expect(one.title == "Artist - Title, with a comma")
    #expect(one.duration == .seconds(123))
    #expect(one.image == .path("covers/1.jpg"))
    #expect(one.artist == "Somebody")
    #expect(one.album == "Something")
    #expect(two == PlaylistEntry(.path("two.mp3")))
    #expect(radio.title == "A station")
    #expect(radio.duration == nil)
    #expect(radio.image == .uri("http://x/l,o.png"))
    #expect(three.title == nil)
    #expect(three.duration == .milliseconds(1500))
    #expect(playlist.warnings.isEmpty)
  }

  @Test("A byte order mark is not part of the first line; UTF-16 is accepted")
  func marks() throws {
    #expect(try read(.m3u, [0xEF, 0xBB, 0xBF] + Array("ä.mp3".utf8)).entries.map(\.location) == [.path("ä.mp3")])
    let wide: [UInt8] = "ä.mp3\r\nb.mp3".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try read(.m3u, [0xFF, 0xFE] + wide).entries.map(\.location) == [.path("ä.mp3"), .path("b.mp3")])
  }

  @Test("Text that is not UTF-8 is read as Latin-1; a path keeps its bytes")
  func latin1() throws {
    func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
    let playlist = try read(.m3u, bytes("#EXTINF:1,Björk\nBjörk.mp3"))
    let entry = try #require(playlist.entries.first)
    #expect(entry.title == "Björk")
    #expect(entry.location == .path(bytes("Björk.mp3")))
    let paths = entry.location.paths(from: Array("/m".utf8))
    #expect(paths == [bytes("/m/Björk.mp3"), Array("/m/Björk.mp3".utf8)])
  }

  @Test("With a code page, text that is not UTF-8 is read in it, in every format")
  func codePage() throws {
    let decoding = try #require(TextDecoding(codePage: "windows-1251"))
    let name: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
    func bytes(_ parts: String...) -> [UInt8] { Array(parts.map { Array($0.utf8) }.joined(separator: name)) }
    let files: [(PlaylistFormat, [UInt8])] = [
      (.m3u, bytes("#EXTINF:1,", "\n", ".mp3\n")), (.pls, bytes("File1=", ".mp3\nTitle1=", "\n")),
      (.cue, bytes("FILE \"", ".mp3\" MP3\nTRACK 01 AUDIO\nTITLE \"", "\"\nINDEX 01 00:00:00\n")),
    ]
    for (format, file) in files {
      let entry = try #require(format.read(file, decoding)?.entries.first)
      #expect(entry.title == "Кино", "\(format)")
      #expect(entry.location.paths(from: Array("/m".utf8), decoding).contains(Array("/m/Кино.mp3".utf8)), "\(format)")
      #expect(entry.location.referenceText(decoding) == "%D0%9A%D0%B8%D0%BD%D0%BE.mp3", "\(format)")
    }
    #expect(
      try #require(PlaylistFormat.m3u.read(Array("#EXTINF:1,Björk\na".utf8), decoding)).entries[0].title == "Björk")
  }

  @Test("The first lines show whether a file is HTTP Live Streaming")
  func beginning() {
    #expect(PlaylistFormat.m3u.isStream(Array("#EXTM3U\n\n#EXT-X-VERSION:3\n#EXT".utf8)))
    #expect(PlaylistFormat.m3u.isStream([0xEF, 0xBB, 0xBF] + Array("#EXTM3U\r\n#ext-x-stream-inf:A".utf8)))
    for text in ["", "#EXTM3U", "#EXTM3U\n#EXTINF:1,A\na.mp3\n#EXT-X-VERSION:3\n"] {
      #expect(!PlaylistFormat.m3u.isStream(Array(text.utf8)))
    }
    #expect(!PlaylistFormat.pls.isStream(Array("#EXT-X-VERSION:3\n".utf8)))
  }

  @Test("Backslashes count as slashes if the file does not exist")
  func backslashes() throws {
    let entry = try #require(try read(.m3u, "Albums\\One\\a.mp3").entries.first)
    #expect(
      entry.location.paths(from: Array("/m".utf8)).map { String(decoding: $0, as: UTF8.self) }
        == ["/m/Albums\\One\\a.mp3", "/m/Albums/One/a.mp3"])
    #expect(entry.location.referenceText() == "Albums/One/a.mp3")
  }

  @Test(
    "A path of Windows is searched for below the folder of the playlist, and a file: URI in each of its forms",
    arguments: [
      (#"C:\M\A\a.mp3"#, ["/m/M/A/a.mp3", "/m/A/a.mp3", "/m/a.mp3"]), (#"\\nas\s\a.mp3"#, ["/m/s/a.mp3", "/m/a.mp3"]),
      ("file:///C:/M/a%20b.mp3", ["/m/M/a b.mp3", "/m/a b.mp3"]), ("file://C:/M/a.mp3", ["/m/M/a.mp3", "/m/a.mp3"]),
      ("file:///c|/a.mp3", ["/m/a.mp3"]), ("file://nas/s/a.mp3", ["/m/s/a.mp3", "/m/a.mp3"]),
      ("file:/x/a.mp3", ["/x/a.mp3"]), ("file://LOCALHOST/x/a.mp3", ["/x/a.mp3"]),
      ("file:///x/#1.mp3", ["/x/#1.mp3", "/x/"]),
      ("file:a.mp3", ["/m/a.mp3"]), ("B: side.mp3", ["/m/B: side.mp3"]), ("http://a/b", []),
    ] as [(String, [String])])
  func windows(line: String, expected: [String]) throws {
    let entry = try #require(try read(.m3u, line).entries.first)
    let paths = entry.location.paths(from: Array("/m".utf8)).map { String(decoding: $0, as: UTF8.self) }
    // The written paths are tried as well.
    let found = paths.filter { expected.contains($0) }
    #expect(found == expected, "\(paths)")
    if !line.contains(":/"), line.contains("\\") { #expect(entry.location.referenceText() == "file:///") }
  }

  @Test("An invalid line is one warning with its number, and the rest is read")
  func badLines() throws {
    let playlist = try read(.m3u, "#EXTINF:soon,Title\na.mp3\nb\u{0}.mp3\nc.mp3\n")
    #expect(playlist.entries.map(\.location) == [.path("a.mp3"), .path("c.mp3")])
    #expect(playlist.entries.first?.title == "Title")
    #expect(
      playlist.warnings.map(\.description) == ["line 1: no length after #EXTINF:", "line 3: no location"])
  }

  @Test("An HTTP Live Streaming playlist is not read as M3U")
  func liveStreaming() {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nsegment1.ts\n"
    #expect(PlaylistFormat.m3u.read(Array(text.utf8)) == nil)
  }

  @Test("A million entries are read, and the rest is one warning")
  func limit() throws {
    let line = Array("a\n".utf8)
    var bytes: [UInt8] = []
    for _ in 0..<(Playlist.entryLimit + 5) { bytes += line }
    let playlist = try read(.m3u, bytes)
    #expect(playlist.entries.count == Playlist.entryLimit)
    #expect(playlist.warnings.count == 1)
  }

  @Test("The number of warnings is limited")
  func manyBadLines() throws {
    let playlist = try read(.m3u, String(repeating: "\u{1}\n", count: 100_000))
    #expect(playlist.warnings.count == Playlist.warningLimit + 1)
  }
}
