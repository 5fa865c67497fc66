import Testing

@testable import PlaylistFormats

struct M3UWriterTests {
  private func entry(_ location: PlaylistLocation, _ change: (inout PlaylistEntry) -> Void = { _ in }) -> PlaylistEntry
  {
    var entry = PlaylistEntry(location)
    change(&entry)
    return entry
  }

  @Test("A written playlist is read back: locations, texts, whole seconds and the ranges of clips")
  func roundTrip() throws {
    let entries = [
      entry(.path("/music/Ärger, \"laut\" # 1.flac")) {
        ($0.title, $0.artist, $0.album) = ("1, 2 \"3\" – 4", "A & B", "C")
        $0.duration = .seconds(62)
      },
      entry(.uri("https://radio.example/live?x=1#y")) { $0.title = "Station" },
      entry(.path("/disc.wav")) { ($0.start, $0.end) = (.zero, .nanoseconds(61_013_333_334)) },
      entry(.path("/disc.wav")) { $0.start = .nanoseconds(61_013_333_334) },
      entry(.path("/plain.ogg")),
      entry(.path(Array("/music/".utf8) + [0xE4] + Array(".mp3".utf8))),
    ]
    var writer = M3UWriter()
    let areAdded = entries.map { writer.add($0) }
    #expect(!areAdded.contains(false))
    let playlist = try read(.m3u, writer.bytes)
    #expect(Array(playlist.entries) == entries)
    #expect(playlist.warnings.isEmpty)
  }

  @Test("A title stays on one line; a duration is rounded to whole seconds, at least one")
  func lines() throws {
    var writer = M3UWriter()
    writer.add(
      entry(.path("/a")) {
        $0.title = "one\nhttp://two\r\u{0}three"
        $0.duration = .milliseconds(10)
      })
    writer.add(entry(.path("/b")) { $0.duration = .milliseconds(2_500) })
    let playlist = try read(.m3u, writer.bytes)
    #expect(playlist.entries.map(\.title) == ["one http://two  three", nil])
    #expect(playlist.entries.map(\.duration) == [.seconds(1), .seconds(3)])
    #expect(playlist.entries.map(\.location) == [.path("/a"), .path("/b")])
  }

  @Test(
    "A location that is not restored exactly is not written", arguments: ["", "#a", " /a", "/a ", "/a\nb", "/a\u{0}"])
  func refusal(path: String) {
    var writer = M3UWriter()
    let before = writer.bytes
    let isAdded = writer.add(entry(.path(Array(path.utf8))))
    #expect(!isAdded)
    #expect(writer.bytes == before)
  }

  @Test(
    "Clip bounds are decimal seconds; other values are ignored",
    arguments: [
      ("1.5", 1_500_000_000), ("0", 0), ("7.", 7_000_000_000), ("x", nil), ("1e3", nil), ("-1", nil), ("", nil),
      ("1.2.3", nil), ("99999999999", nil),
    ]
      as [(String, Int64?)])
  func bounds(text: String, nanoseconds: Int64?) throws {
    let playlist = try read(.m3u, "#EXTVLCOPT:start-time=\(text)\n/a\n/b")
    #expect(playlist.entries.map(\.start) == [nanoseconds.map { .nanoseconds($0) }, nil])
  }
}
