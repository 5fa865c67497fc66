import Testing

@testable import PlaylistFormats

@Suite("The memory of playlists") struct PlaylistEntriesTests {
  /// An entry with a value in each property.
  private var full: PlaylistEntry {
    var entry = PlaylistEntry(.reference("a%20b.ogg"))
    (entry.title, entry.artist, entry.album, entry.albumArtist) = ("Títle", "Artist", "", "Band")
    (entry.genre, entry.date, entry.isrc) = ("Genre", "2001-02-03", "DEABC0100001")
    (entry.userAgent, entry.referrer, entry.trackNumber) = ("Agent 1", "http://r/", -3)
    (entry.duration, entry.start, entry.end) = (.seconds(1) / 75, .zero, .milliseconds(-1_500))
    entry.image = .uri("https://a/\(String(repeating: "x", count: 300)).png")
    return entry
  }

  @Test("Entries are read as they were added, in any order")
  func values() {
    let values = [
      full, PlaylistEntry(.path([])), PlaylistEntry(.path([0xFF, 0, 0x2F])), PlaylistEntry(.uri("http://ä/")), full,
    ]
    var entries = PlaylistEntries()
    #expect(entries.isEmpty && entries.first == nil)
    for entry in values { entries.append(entry) }
    #expect(Array(entries) == values)
    #expect(entries[3] == values[3] && entries[0] == full && entries.count == 5)
  }

  @Test("An entry needs eight bytes beside its texts")
  func size() {
    var entries = PlaylistEntries()
    for number in 0..<1_000 { entries.append(PlaylistEntry(.path(Array("folder/\(1_000 + number).mp3".utf8)))) }
    #expect(entries.size <= 1_000 * ("folder/1000.mp3".utf8.count + 8))
  }
}
