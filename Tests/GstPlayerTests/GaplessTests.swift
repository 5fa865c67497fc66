import GstPlayer
import TestSupport
import Testing

@Suite("Gapless playback, by its samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessTests {
  // The tap starts again when the output is opened or flushed. A complete recording was therefore never interrupted.
  private let length = 70_001

  /// Returns every sample of the parts, as it was before encoding.
  private func original(parts: Int) async throws -> [Int16] {
    try await Media.continuousSine(parts: parts, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
  }

  @Test("Two halves of one sine join without an extra or missing sample", arguments: [Media.Format.flac, .wav])
  func join(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length, format: format)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
      #expect(
        harness.significantEvents == [
          .itemDidPlayToEnd(harness.items[0]),
          .currentItemChanged(from: harness.items[0], to: harness.items[1]),
          .itemDidPlayToEnd(harness.items[1]),
          .queueEnded,
        ])
    }
  }

  @Test("Formats with padding join without an extra or missing sample", arguments: [Media.Format.mp3, .ogg])
  func joinLossy(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length, format: format)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      let count = try tap.recorded().count
      // GStreamer decodes some lengths of Vorbis with one extra sample.
      #expect((2 * length...2 * length + 2).contains(count))
    }
  }

  @Test("Items of different formats join without a gap")
  func mixed() async throws {
    let parts = [
      try await Media.continuousSine(samplesPerPart: length, format: .flac)[0],
      try await Media.continuousSine(samplesPerPart: length, format: .wav)[1],
    ]
    let original = try await original(parts: 2)
    try await withTappedPlayer(parts.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
    }
  }

  @Test("Adding the same file twice plays two items without a gap")
  func sameFileTwice() async throws {
    let path = try await Media.continuousSine(samplesPerPart: length)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: length, format: .wav)[0])
    try await withTappedPlayer([fileURI(path), fileURI(path)], keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), once + once)
      #expect(harness.significantEvents.contains(.currentItemChanged(from: harness.items[0], to: harness.items[1])))
    }
  }

  @Test(
    "A looped track, and a looped playlist of one, repeat without a gap", arguments: [Player.LoopMode.track, .playlist])
  func loop(mode: Player.LoopMode) async throws {
    let path = try await Media.continuousSine(samplesPerPart: length)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: length, format: .wav)[0])
    try await withTappedPlayer([fileURI(path)], keeping: .sinceLastBreak) { harness, tap in
      harness.player.loop = mode
      harness.player.play()
      let end = harness.items[0]
      var place = 0
      for _ in 0..<2 { place = try await harness.event(.itemDidPlayToEnd(end), from: place) + 1 }
      harness.player.stop()
      await harness.end()
      let recorded = try tap.recorded()
      expectSamples(recorded.prefix(2 * once.count), once + once)
      let repetitions = harness.significantEvents.filter { if case .itemRepeated = $0 { true } else { false } }
      #expect(repetitions.prefix(2) == [.itemRepeated(end, loopCount: 1), .itemRepeated(end, loopCount: 2)])
      #expect(!harness.significantEvents.contains { if case .currentItemChanged = $0 { true } else { false } })
    }
  }

  @Test("A looped playlist of two items repeats without a gap")
  func loopPlaylist() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      harness.player.loop = .playlist
      harness.player.play()
      let back = try await harness.event(.currentItemChanged(from: harness.items[1], to: harness.items[0]))
      try await harness.event(.currentItemChanged(from: harness.items[0], to: harness.items[1]), from: back)
      harness.player.stop()
      await harness.end()
      let recorded = try tap.recorded()
      // On a busy machine the output may lag by more than its buffer.
      #expect(recorded.count > length * 2 + length / 2)
      // The stop may be late, when more than two rounds have been rendered.
      let rounds = repeatElement(original, count: recorded.count / original.count + 1)
      expectSamples(recorded, rounds.joined().prefix(recorded.count))
    }
  }

  @Test("A pause after prerolling the next item loses no sample and stays gapless")
  func pauseInHandOver() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await Media.continuousSine(samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playing(pausedAt: .milliseconds(1200))
      let held = harness.player.snapshot.position
      #expect(held >= .milliseconds(1200))
      #expect(harness.player.snapshot.currentItem == harness.items[0])
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
    }
  }

  @Test("If the next item fails, the current one plays to its last sample")
  func failingSuccessor() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await original(parts: 2)
    try await withTappedPlayer([fileURI(paths[0]), fileURI(Media.missing), fileURI(paths[1])]) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
      #expect(harness.failures.map(\.code) == [.notFound])
      // On a busy machine, the output may lag, and the position is corrected.
      let emitted = harness.significantEvents.filter {
        switch $0 {
        case .itemFailed, .timeJumped: false
        default: true
        }
      }
      #expect(
        emitted == [
          .itemDidPlayToEnd(harness.items[0]),
          .currentItemChanged(from: harness.items[0], to: harness.items[1]),
          .currentItemChanged(from: harness.items[1], to: harness.items[2]),
          .itemDidPlayToEnd(harness.items[2]),
          .queueEnded,
        ])
    }
  }

  @Test(
    "A short item plays to its end, even if its successor has failed before the item began, paused or playing",
    arguments: [true, false])
  func shortBeforeFailing(isPaused: Bool) async throws {
    let path = try await Media.continuousSine(parts: 2)[0]
    try await withPlayer([fileURI(path), fileURI(try await Media.textFile()), fileURI(path)]) { harness in
      if isPaused { try await harness.ready() }
      try await harness.playToEnd()
      let ends = harness.significantEvents.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }
      #expect(ends == [.itemDidPlayToEnd(harness.items[0]), .itemDidPlayToEnd(harness.items[2])])
      #expect(harness.failures.map(\.item) == [harness.items[1]])
      #expect(harness.failures.map(\.code) == [.notMedia])
    }
  }
}
