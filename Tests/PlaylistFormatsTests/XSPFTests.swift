import Testing

@testable import PlaylistFormats

/// The tests of XSPF.
struct XSPFTests {
  private func document(_ tracks: String) -> String {
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
    #expect(playlist.entries == [first, PlaylistEntry(.reference("b%20c.ogg"))])
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
