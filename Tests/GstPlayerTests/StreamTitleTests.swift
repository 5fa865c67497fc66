import Testing

@testable import GstPlayer

@Suite("The title of a stream in mixers") struct StreamTitleTests {
  @Test(
    "Without a title, the name is the last part of the path, without a query",
    arguments: [
      ("file:///music/a%20song.flac", "a song.flac"), ("http://host/radio/live?key=secret", "live"),
      ("https://user:password@host/x#part", "x"), ("http://host/folder/?key=a/b", nil), ("http://host", nil),
      ("file:///a/%FF.mp3", "\u{FFFD}.mp3"), ("", nil),
      ("file:///" + String(repeating: "x", count: 900), String(repeating: "x", count: 200)),
    ])
  func name(uri: String, name: String?) { #expect(StreamTitle.name(of: uri) == name) }
}
