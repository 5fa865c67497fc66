import Testing

@testable import PlaylistFormats

/// The tests of XSPF.
struct XSPFTests {
  func document(_ tracks: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>All</title><trackList>\(tracks)</trackList></playlist>
    """
  }

  @Test("The elements of a track become the fields of its entry")
  func track() throws {
    let playlist = try read(
      .xspf,
      document(
        """
        <track><location>http://a/b%20c.ogg</location><location>http://mirror/</location><title>T &amp; U</title>
        <creator>C</creator><album>A</album><duration>271066</duration><image>cover.png</image>
        <trackNum>3</trackNum><extension application="x"><location>no</location></extension></track>
        <track><location>b%20c.ogg</location></track>
        """))
    #expect(playlist.title == "All")
    var first = PlaylistEntry(.uri("http://a/b%20c.ogg"))
    (first.title, first.artist, first.album) = ("T & U", "C", "A")
    (first.duration, first.image, first.trackNumber) = (.milliseconds(271_066), .reference("cover.png"), 3)
    #expect(Array(playlist.entries) == [first, PlaylistEntry(.reference("b%20c.ogg"))])
    #expect(
      playlist.entries[1].location.paths(from: Array("/m".utf8)).map { String(decoding: $0, as: UTF8.self) }
        == ["/m/b c.ogg", "/m/b%20c.ogg"])
    #expect(playlist.warnings.isEmpty)
  }

  @Test("Invalid XML is one warning with its line, and the entries before it are kept")
  func broken() throws {
    let text = document("<track><location>a</location></track>\n<track><title>no place</title></track>\n<track><x>")
    let playlist = try read(.xspf, text)
    #expect(playlist.entries.map(\.location) == [.reference("a")])
    #expect(playlist.warnings.map(\.line) == [3, 4])
  }

  @Test("Entities are not expanded, and external files are never read")
  func entities() throws {
    let laughs = (1..<30).map { "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);\">" }.joined()
    let bomb = """
      <!DOCTYPE playlist [<!ENTITY l0 "ha">\(laughs)]>
      <playlist><trackList><track><location>&l29;</location></track></trackList></playlist>
      """
    let outside = """
      <!DOCTYPE playlist [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
      <playlist><trackList><track><location>&secret;</location></track></trackList></playlist>
      """
    for text in [bomb, outside] {
      let playlist = try read(.xspf, text)
      #expect(playlist.entries.isEmpty)
      #expect(playlist.warnings.map(\.text) == ["entity declarations are not supported"])
    }
    let declared = """
      <!DOCTYPE playlist SYSTEM "file:///etc/passwd">
      <playlist><trackList><track><location>a&other;</location></track></trackList></playlist>
      """
    #expect(try read(.xspf, declared).entries.map(\.location) == [.reference("a")])
  }

  @Test("Nesting depth and text length are limited")
  func bounds() throws {
    #expect(try read(.xspf, String(repeating: "<a>", count: 100_000)).warnings.count == 1)
    let long = try read(
      .xspf, document("<track><location>\(String(repeating: "x", count: 1 << 20))</location></track>"))
    #expect(long.entries.count == 1)
  }
}

extension XSPFTests {
  @Test("References are relative to xml:base, also of an inner element and also if it is relative itself")
  func base() throws {
    let text = """
      <playlist xmlns="http://xspf.org/ns/0/" xml:base="http://a/music/"><trackList xml:base="album/">
      <track><location>1.mp3</location><image>../cover.png</image></track>
      <track xml:base="http://b/"><location>2.mp3</location></track>
      <track><location>http://c/3.mp3</location></track><track><location>C:\\Music\\4.mp3</location></track>
      </trackList></playlist>
      """
    let entries = try read(.xspf, text).entries
    #expect(
      entries.map(\.location) == [
        .uri("http://a/music/album/1.mp3"), .uri("http://b/2.mp3"), .uri("http://c/3.mp3"),
        .reference("C:\\Music\\4.mp3"),
      ])
    #expect(entries.first?.image == .uri("http://a/music/cover.png"))
    let local =
      #"<playlist xml:base="music/"><trackList><track><location>a%20b.mp3</location></track></trackList></playlist>"#
    let path = try #require(try read(.xspf, local).entries.first).location.paths(from: Array("/m".utf8)).first
    #expect(path == Array("/m/music/a b.mp3".utf8))
  }

  @Test("Of several locations, the first one of a file or an ordinary server is used")
  func locations() throws {
    let text = "<location>magnet://x</location><location>http://a/</location><location>b.mp3</location>"
    #expect(try read(.xspf, document("<track>\(text)</track>")).entries.map(\.location) == [.uri("http://a/")])
    #expect(
      try read(.xspf, document("<track><location>magnet://x</location></track>")).entries.map(\.location)
        == [.uri("magnet://x")])
  }
}
