import GstPlayer
import TestSupport
import Testing

@Suite("Gapless play, counted in samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessTests {
  // The tap starts anew whenever the output is opened or flushed: what is whole was never interrupted.
  private let length = 70_001

  /// Every sample of the parts, as they were before they were encoded.
  private func original(parts: Int) async throws -> [Int16] {
    try await Media.continuousSine(parts: parts, samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
  }

  @Test("Two halves of one sine join with not a sample between or above", arguments: [Media.Format.flac, .wav])
  func join(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length, format: format)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
      #expect(
        stage.story == [
          .itemDidPlayToEnd(stage.items[0]),
          .currentItemChanged(from: stage.items[0], to: stage.items[1]),
          .itemDidPlayToEnd(stage.items[1]),
          .queueEnded,
        ])
    }
  }

  @Test("Formats that pad are joined with all samples and no other", arguments: [Media.Format.mp3, .ogg])
  func joinLossy(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length, format: format)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      let count = try tap.heard().count
      // GStreamer itself gives some lengths of Vorbis one sample too many.
      #expect((2 * length...2 * length + 2).contains(count))
    }
  }

  @Test("Formats may differ")
  func mixed() async throws {
    let parts = [
      try await Media.continuousSine(samplesPerPart: length, format: .flac)[0],
      try await Media.continuousSine(samplesPerPart: length, format: .wav)[1],
    ]
    let original = try await original(parts: 2)
    try await withTappedPlayer(parts.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
    }
  }

  @Test("The same file twice is two items, played twice without a gap")
  func sameFileTwice() async throws {
    let path = try await Media.continuousSine(samplesPerPart: length)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: length, format: .wav)[0])
    try await withTappedPlayer([fileURI(path), fileURI(path)], keeping: .sinceLastBreak) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), once + once) == nil)
      #expect(stage.story.contains(.currentItemChanged(from: stage.items[0], to: stage.items[1])))
    }
  }

  @Test("A looped track, and a looped playlist of one, repeat without a gap", arguments: [LoopMode.track, .playlist])
  func loop(mode: LoopMode) async throws {
    let path = try await Media.continuousSine(samplesPerPart: length)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(samplesPerPart: length, format: .wav)[0])
    try await withTappedPlayer([fileURI(path)], keeping: .sinceLastBreak) { stage, tap in
      stage.player.setLoop(mode)
      stage.player.play()
      let end = stage.items[0]
      var place = 0
      for _ in 0..<2 { place = try await stage.event(.itemDidPlayToEnd(end), from: place) + 1 }
      stage.player.stop()
      await stage.end()
      let heard = try tap.heard()
      #expect(difference(heard.prefix(2 * once.count), once + once) == nil)
      let repetitions = stage.story.filter { if case .itemRepeated = $0 { true } else { false } }
      #expect(repetitions.prefix(2) == [.itemRepeated(end, loopCount: 1), .itemRepeated(end, loopCount: 2)])
      #expect(!stage.story.contains { if case .currentItemChanged = $0 { true } else { false } })
    }
  }

  @Test("A looped playlist of two goes round without a gap")
  func loopPlaylist() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      stage.player.setLoop(.playlist)
      stage.player.play()
      let back = try await stage.event(.currentItemChanged(from: stage.items[1], to: stage.items[0]))
      try await stage.event(.currentItemChanged(from: stage.items[0], to: stage.items[1]), from: back)
      stage.player.stop()
      await stage.end()
      let heard = try tap.heard()
      // On a busy machine the output may be late by more than what it holds.
      #expect(heard.count > length * 2 + length / 2)
      // The stop may come late, and find more than two rounds heard.
      let rounds = repeatElement(original, count: heard.count / original.count + 1)
      #expect(difference(heard, rounds.joined().prefix(heard.count)) == nil)
    }
  }

  @Test("A pause in the hand-over loses no sample and keeps the join")
  func pauseInHandOver() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await Media.continuousSine(samplesPerPart: length, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI), keeping: .sinceLastBreak) { stage, tap in
      try await stage.playing(pausedAt: .milliseconds(1200))
      let held = stage.player.snapshot.position
      #expect(held >= .milliseconds(1200))
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
    }
  }

  @Test("A successor that fails lets the current item play out to its last sample")
  func failingSuccessor() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: length)
    let original = try await original(parts: 2)
    try await withTappedPlayer([fileURI(paths[0]), fileURI(Media.missing), fileURI(paths[1])]) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
      #expect(stage.failures.map(\.code) == [.notFound])
      let told = stage.story.filter { if case .itemFailed = $0 { false } else { true } }
      #expect(
        told == [
          .itemDidPlayToEnd(stage.items[0]),
          .currentItemChanged(from: stage.items[0], to: stage.items[1]),
          .currentItemChanged(from: stage.items[1], to: stage.items[2]),
          .itemDidPlayToEnd(stage.items[2]),
          .queueEnded,
        ])
    }
  }

  @Test(
    "A short item plays to its end though its successor failed before it began, paused or not",
    arguments: [true, false])
  func shortBeforeFailing(isPaused: Bool) async throws {
    let path = try await Media.continuousSine(parts: 2)[0]
    try await withPlayer([fileURI(path), fileURI(try await Media.textFile()), fileURI(path)]) { stage in
      if isPaused { try await stage.ready() }
      try await stage.playOut()
      let ends = stage.story.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }
      #expect(ends == [.itemDidPlayToEnd(stage.items[0]), .itemDidPlayToEnd(stage.items[2])])
      #expect(stage.failures.map(\.item) == [stage.items[1]])
      #expect(stage.failures.map(\.code) == [.notMedia])
    }
  }
}
