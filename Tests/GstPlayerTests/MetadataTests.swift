import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite("Tags and durations of files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct MetadataTests {
  @Test(
    "Tags, cover and duration of tagged formats are read", arguments: [Media.Format.flac, .mp3, .ogg])
  func tags(format: Media.Format) async throws {
    let cover = try await Media.cover(seed: 7)
    let tags = Tags(
      title: "Größe", artists: ["First", "Second"], album: "Album", albumArtist: "Various", genre: "Jazz",
      trackNumber: 3, date: "1979", cover: cover)
    let path = try await Media.sine(seconds: 1.5, format: format, tags: tags)
    try await withPlayer([fileURI(path)]) { harness in
      try await harness.ready()
      let snapshot = try await harness.reaches("tags") { $0.metadata.title != nil && $0.metadata.artwork != nil }
      let metadata = snapshot.metadata
      #expect(metadata.title == "Größe")
      #expect(metadata.artists == ["First", "Second"] || metadata.artists == ["First/Second"])
      #expect(metadata.album == "Album")
      #expect(metadata.albumArtists == ["Various"])
      #expect(metadata.genres == ["Jazz"])
      #expect(metadata.trackNumber == 3)
      #expect(metadata.date == "1979")
      #expect(metadata.artwork?.mimeType == "image/png")
      #expect(metadata.artwork?.bytes == Array(try Data(contentsOf: URL(filePath: cover))))
      #expect(metadata.audioCodec != nil)
      let duration = try #require(snapshot.duration)
      #expect(abs(duration / .milliseconds(1500) - 1) < 0.05)
      #expect(snapshot.isSeekable)
    }
  }

  @Test("A file without tags has a duration but not a title", arguments: [Media.Format.wav, .flac])
  func untagged(format: Media.Format) async throws {
    let path = try await Media.sine(seconds: 1.5, format: format)
    try await withPlayer([fileURI(path)]) { harness in
      let snapshot = try await harness.ready()
      #expect(snapshot.duration == .milliseconds(1500))
      #expect(snapshot.metadata.title == nil)
      #expect(snapshot.metadata.artists.isEmpty)
      #expect(snapshot.metadata.artwork == nil)
    }
  }

  @Test("Metadata belongs to its item: after an item change it describes the new item")
  func change() async throws {
    let paths = try await Media.continuousSine(parts: 2)
    try await withPlayer(paths.map(fileURI)) { harness in
      try await harness.ready()
      try await harness.reaches("the first title") { $0.metadata.title == "Part 1" }
      harness.player.advanceToNextItem()
      // The metadata is empty or describes the new item, but not the old one.
      #expect(harness.player.snapshot.metadata.title != "Part 1")
      let second = try await harness.reaches("the second title") { $0.metadata.title == "Part 2" }
      #expect(second.currentIndex == 1)
      try await harness.playToEnd()
      #expect(harness.player.snapshot.metadata.title == "Part 2")
    }
  }

  @Test("At a gapless item change the title, the duration and the position change together")
  func gaplessChange() async throws {
    let first = try await Media.sine(seconds: 0.5, tags: Tags(title: "Short"))
    let second = try await Media.sine(seconds: 1.5, tags: Tags(title: "Long"))
    try await withPlayer([first, second].map(fileURI)) { harness in
      let (player, changes) = (harness.player, harness.player.events())
      let items = harness.items
      player.play()
      let torn = try await deadline(20, "the queue ends") {
        var torn: [String] = []
        for await event in changes {
          let snapshot = player.snapshot
          let isFirst = snapshot.currentItem == items[0]
          let (title, length) = (snapshot.metadata.title, snapshot.duration)
          if let title, title != (isFirst ? "Short" : "Long") { torn.append("\(title) of \(isFirst)") }
          if let length, (length < .seconds(1)) != isFirst { torn.append("\(length) of \(isFirst)") }
          if let length, snapshot.position > length { torn.append("\(snapshot.position) of \(length)") }
          if event == .queueEnded { break }
        }
        return torn
      }
      #expect(torn.isEmpty)
    }
  }
}
