import GstPlayer
import TestSupport
import Testing

@Suite("Gapless chains of short items, by their samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessChainTests {
  @Test(
    "Five short items in a row join without an extra or missing sample", arguments: [Media.Format.flac, .wav],
    [13_231, 30_011])
  func five(format: Media.Format, length: Int) async throws {
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: format)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
      let pairs = zip(harness.items, harness.items.dropFirst())
      let changes = pairs.flatMap { [.itemDidPlayToEnd($0), Player.Event.currentItemChanged(from: $0, to: $1)] }
      #expect(harness.significantEvents == changes + [.itemDidPlayToEnd(harness.items[4]), .queueEnded])
    }
  }

  @Test("Formats with padding join without an extra or missing sample", arguments: [Media.Format.mp3, .ogg])
  func fiveLossy(format: Media.Format) async throws {
    let length = 30_011
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: format)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      let count = try tap.recorded().count
      // GStreamer decodes some lengths of Vorbis with one extra sample.
      #expect((5 * length...5 * length + 5).contains(count))
    }
  }

  @Test("One short item looped repeats without a gap")
  func looped() async throws {
    let path = try await Media.continuousSine(samplesPerPart: 20_011)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: 20_011, format: .wav)[0])
    try await withTappedPlayer([fileURI(path)], keeping: .sinceLastBreak) { harness, tap in
      harness.player.loop = .track
      harness.player.play()
      var place = 0
      for _ in 0..<6 { place = try await harness.event(.itemDidPlayToEnd(harness.items[0]), from: place) + 1 }
      #expect(harness.player.snapshot.duration == .nanoseconds(20_011 * 1_000_000_000 / 44_100))
      harness.player.stop()
      await harness.end()
      let recorded = try tap.recorded()
      let expected = Array(repeating: once, count: 6).flatMap(\.self)
      expectSamples(recorded.prefix(expected.count), expected)
    }
  }

  @Test("A pause within a chain loses no sample")
  func pause() async throws {
    let length = 20_011
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: length)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    // The observer has 200 ms until the end of the item.
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak, inFastTime: false) { harness, tap in
      try await harness.playing(pausedAt: .milliseconds(250))
      #expect(harness.player.snapshot.currentItem == harness.items[0])
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
    }
  }

  @Test("A seek within a chain stays in the audible item, and the following items play completely")
  func seek() async throws {
    let paths = try await Media.continuousSine(parts: 5, samplesPerPart: 20_011)
    let original = try await Media.continuousSine(parts: 5, samplesPerPart: 20_011, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), inFastTime: false) { harness, tap in
      try await harness.playing(pausedAt: .milliseconds(250))
      #expect(await harness.player.seek(to: .milliseconds(100)).isCompleted)
      #expect(harness.player.snapshot.currentItem == harness.items[0])
      #expect(harness.player.snapshot.duration == .nanoseconds(20_011 * 1_000_000_000 / 44_100))
      try await harness.playToEnd()
      let rest = original.dropFirst(4410)
      expectSamples(try tap.recorded().suffix(rest.count), rest)
    }
  }

  @Test("Each item of a chain has its own duration while it is audible")
  func durations() async throws {
    let lengths = [15_000, 25_000, 20_000, 30_000]
    var uris: [String] = []
    for length in lengths { uris.append(fileURI(try await Media.continuousSine(samplesPerPart: length)[0])) }
    // An item that starts more than 250 ms late on the clock counts as cut. In fast time these are 62 ms.
    try await withPlayer(uris, inFastTime: false) { harness in
      // The boundary at half of an item shows its duration, however late the observer is called.
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(fractions: 0.5)
      try await harness.playToEnd()
      try await recorder.calls.first("the last half") {
        if case .crossing(let crossing) = $0 { crossing.item == harness.items.last } else { false }
      }
      #expect(recorder.crossings.map(\.item) == harness.items)
      for (boundary, length) in zip(recorder.boundaries, lengths) {
        let half = Duration.nanoseconds(length * 500_000_000 / 44_100)
        #expect((half - .nanoseconds(1)...half + .nanoseconds(1)).contains(boundary))
      }
    }
  }
}
