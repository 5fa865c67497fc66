import GstPlayer
import TestSupport
import Testing

@Suite("Gapless chains of short items, counted in samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessChainTests {
  @Test(
    "Five short items in a row join with not a sample between or above", arguments: [Media.Format.flac, .wav],
    [13_231, 30_011, 66_151])
  func five(format: Media.Format, length: Int) async throws {
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: format)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
      let pairs = zip(stage.items, stage.items.dropFirst())
      let changes = pairs.flatMap { [.itemDidPlayToEnd($0), PlayerEvent.currentItemChanged(from: $0, to: $1)] }
      #expect(stage.story == changes + [.itemDidPlayToEnd(stage.items[4]), .queueEnded])
    }
  }

  @Test("Formats that pad are joined with all samples and no other", arguments: [Media.Format.mp3, .ogg])
  func fiveLossy(format: Media.Format) async throws {
    let length = 30_011
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: format)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      let count = try tap.heard().count
      // GStreamer itself gives some lengths of Vorbis one sample too many.
      #expect((5 * length...5 * length + 5).contains(count))
    }
  }

  @Test("One short item looped repeats without a gap")
  func looped() async throws {
    let path = try await Media.continuousSine(samplesPerPart: 20_011)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: 20_011, format: .wav)[0])
    try await withTappedPlayer([fileURI(path)], keeping: .sinceLastBreak) { stage, tap in
      stage.player.setLoop(.track)
      stage.player.play()
      var place = 0
      for _ in 0..<6 { place = try await stage.event(.itemDidPlayToEnd(stage.items[0]), from: place) + 1 }
      #expect(stage.player.snapshot.duration == .nanoseconds(20_011 * 1_000_000_000 / 44_100))
      stage.player.stop()
      await stage.end()
      let heard = try tap.heard()
      let expected = Array(repeating: once, count: 6).flatMap(\.self)
      #expect(difference(heard.prefix(expected.count), expected) == nil)
    }
  }

  @Test("A pause in the midst of a chain loses no sample")
  func pause() async throws {
    let length = 20_011
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playing(pausedAt: .milliseconds(250))
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
    }
  }

  @Test("A seek in the midst of a chain lands in the item that is heard, and the rest follows whole")
  func seek() async throws {
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: 20_011)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: 20_011, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      try await stage.playing(pausedAt: .milliseconds(250))
      #expect(await stage.player.seek(to: .milliseconds(100)))
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      #expect(stage.player.snapshot.duration == .nanoseconds(20_011 * 1_000_000_000 / 44_100))
      try await stage.playOut()
      let rest = original.dropFirst(4410)
      #expect(difference(try tap.heard().suffix(rest.count), rest) == nil)
    }
  }

  @Test("Each item of a chain has its own duration while it is heard")
  func durations() async throws {
    let lengths = [15_000, 25_000, 20_000, 30_000]
    var uris: [String] = []
    for length in lengths { uris.append(fileURI(try await Media.continuousSine(samplesPerPart: length)[0])) }
    try await withPlayer(uris) { stage in
      // The half of an item tells its duration, whoever reads it late.
      let ear = Ear(stage.player)
      try ear.listen(fractions: 0.5)
      try await stage.playOut()
      try await ear.calls.first("the last half") {
        if case .crossing(let crossing) = $0 { crossing.item == stage.items.last } else { false }
      }
      #expect(ear.crossings.map(\.item) == stage.items)
      for (boundary, length) in zip(ear.boundaries, lengths) {
        let half = Duration.nanoseconds(length * 500_000_000 / 44_100)
        #expect((half - .nanoseconds(1)...half + .nanoseconds(1)).contains(boundary))
      }
    }
  }
}
