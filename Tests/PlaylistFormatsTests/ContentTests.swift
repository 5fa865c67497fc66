import Testing

@testable import PlaylistFormats

@Suite("Content of playlists") struct ContentTests {
  private func format(_ text: String) -> PlaylistFormat? { ContentStart(Array(text.utf8)).format }

  @Test(
    "A playlist is recognised by its first bytes",
    arguments: [
      ("#EXTM3U\n", .m3u), ("\u{FEFF}\r\n #extm3u", .m3u), ("#EXTINF:-1,One\nhttp://a/", .m3u),
      ("# a list\n\nhttps://a/b\n", .m3u), ("[playlist]\nFile1=a", .pls), ("[PlayList]\r\n", .pls),
      ("<?xml version='1.0'?>\n<!-- --><playlist version='1' xmlns='http://xspf.org/ns/0/'>", .xspf),
      ("<html>[playlist]", nil), ("<playlist>", nil), ("a.mp3\nb.mp3", nil), ("http://a/ is down", nil), ("", nil),
      ("ID3\u{3}\u{0}", nil), ("[playlist]\u{0}", nil),
    ] as [(String, PlaylistFormat?)])
  func formats(text: String, expected: PlaylistFormat?) {
    #expect(format(text) == expected)
    #expect(ContentStart(Array(text.utf8) + Array("\n".utf8)).format == expected)
  }

  @Test("UTF-16 with a byte order mark is text")
  func wide() {
    let bytes: [UInt8] = [0xFF, 0xFE] + "#EXTM3U\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(ContentStart(bytes).format == .m3u)
  }

  @Test(
    "A web page is recognised by its first bytes, and audio is neither a page nor text",
    arguments: [
      ("<!DOCTYPE html><html>", true, true), ("\n<HTML lang=de>", true, true), ("<!-- x --><html>", true, true),
      ("[playlist]", false, true), ("fLaC\u{0}\u{0}", false, false), ("OggS\u{0}\u{2}<html>", false, false),
    ])
  func pages(text: String, isPage: Bool, isText: Bool) {
    let start = ContentStart(Array(text.utf8))
    #expect((start.isWebPage, start.isText) == (isPage, isText))
  }

  /// `#EXTM3U`, `a.mp3` and `b.mp3`, as two packed parts.
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x76, 0x8D, 0x08, 0xF1, 0x35, 0x0E, 0xE5, 0x4A,
    0xD4, 0xCB, 0x2D, 0x30, 0xE6, 0x02, 0x00, 0xF9, 0xD0, 0x18, 0xC3, 0x0E, 0x00, 0x00, 0x00, 0x1F, 0x8B, 0x08, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0xD2, 0xCB, 0x2D, 0x30, 0xE6, 0x02, 0x00, 0x37, 0x55, 0x0C, 0x03, 0x06,
    0x00, 0x00, 0x00,
  ]
  /// 64 KiB of the letter a.
  private static let bomb: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x81, 0x00, 0x00, 0x00, 0x00, 0x80,
    0x20, 0xD6, 0xFD, 0x25, 0x16, 0xA9, 0x0A, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x6A, 0xFF,
    0x91, 0x20, 0xC3, 0x00, 0x00, 0x01, 0x00,
  ]

  @Test("A packed playlist is recognised and read, in several parts too")
  func gzip() throws {
    #expect(ContentStart(Self.packed).format == .m3u)
    #expect(try read(.m3u, Self.packed).entries.map(\.location) == [.path("a.mp3"), .path("b.mp3")])
    for name in ["a.m3u.gz", "a.M3U8.GZ"] { #expect(PlaylistFormat(fileName: name) == .m3u) }
  }

  @Test("Packed content is unpacked up to the limit; damaged content up to its fault")
  func limits() {
    #expect(Gzip.unpacked(Self.bomb, limit: 1_000).count == 1_001)
    #expect(Gzip.unpacked(Self.bomb, limit: 1 << 16).count == 1 << 16)
    #expect(Gzip.unpacked(Array(Self.bomb.dropLast(9)), limit: 1 << 16).allSatisfy { $0 == UInt8(ascii: "a") })
    for count in 0..<Self.packed.count { _ = Gzip.unpacked(Array(Self.packed.prefix(count)), limit: 100) }
    var damaged = Self.packed
    for place in damaged.indices.dropFirst(2) {
      damaged[place] ^= 0x55
      #expect(Gzip.unpacked(damaged, limit: 100).count <= 101)
      damaged[place] ^= 0x55
    }
  }

  @Test("The user agent and the referrer of VLC and of Kodi apply to the next entry alone")
  func headers() throws {
    let playlist = try read(
      .m3u,
      """
      #EXTVLCOPT:http-user-agent=Radio 1.0 (x)
      #EXTVLCOPT:http-referrer=http://a/b
      http://a/c
      http://a/d
      http://a/e|User-Agent=Other%201&Referer=http%3A%2F%2Ff&Cookie=x
      a|User-Agent=x
      """)
    #expect(playlist.entries.map(\.userAgent) == ["Radio 1.0 (x)", nil, "Other 1", nil])
    #expect(playlist.entries.map(\.referrer) == ["http://a/b", nil, "http://f", nil])
    #expect(
      playlist.entries.map(\.location)
        == [.uri("http://a/c"), .uri("http://a/d"), .uri("http://a/e"), .path("a|User-Agent=x")])
    var writer = M3UWriter()
    for entry in playlist.entries { writer.add(entry) }
    #expect(try read(.m3u, writer.bytes).entries == playlist.entries)
  }
}
