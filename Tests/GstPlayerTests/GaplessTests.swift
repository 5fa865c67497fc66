import GstPlayer
import TestSupport
import Testing

@Suite("Gapless play, counted in samples", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct GaplessTests {
  /// Every sample of the parts, as they were before they were encoded.
  private func original(parts: Int) async throws -> [Int16] {
    try await Media.continuousSine(parts: parts, format: .wav).flatMap { try samples(ofWAV: $0) }
  }

  @Test("Two halves of one sine join with not a sample between or above", arguments: [Media.Format.flac, .wav])
  func join(format: Media.Format) async throws {
    let paths = try await Media.continuousSine(parts: 2, format: format)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
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
    let paths = try await Media.continuousSine(parts: 2, format: format)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      try await stage.playOut()
      #expect(try tap.heard().count == 2 * 44_987)
    }
  }

  @Test("Formats may differ")
  func mixed() async throws {
    let parts = [try await Media.continuousSine(format: .flac)[0], try await Media.continuousSine(format: .wav)[1]]
    let original = try await original(parts: 2)
    try await withTappedPlayer(parts.map(fileURI)) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
    }
  }

  @Test("Items shorter than the hand-over's lead join as well")
  func shortItems() async throws {
    let paths = try await Media.continuousSine(parts: 4)
    let original = try await original(parts: 4)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
      #expect(stage.story.filter { if case .itemDidPlayToEnd = $0 { true } else { false } }.count == 4)
    }
  }

  @Test("The same file twice is two items, played twice without a gap")
  func sameFileTwice() async throws {
    let path = try await Media.continuousSine(parts: 2)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(parts: 2, format: .wav)[0])
    try await withTappedPlayer([fileURI(path), fileURI(path)]) { stage, tap in
      try await stage.playOut()
      #expect(difference(try tap.heard(), once + once) == nil)
      #expect(stage.story.contains(.currentItemChanged(from: stage.items[0], to: stage.items[1])))
    }
  }

  @Test("A looped track, and a looped playlist of one, repeat without a gap", arguments: [LoopMode.track, .playlist])
  func loop(mode: LoopMode) async throws {
    let path = try await Media.continuousSine(parts: 2)[0]
    let once = try samples(ofWAV: try await Media.continuousSine(parts: 2, format: .wav)[0])
    try await withTappedPlayer([fileURI(path)]) { stage, tap in
      stage.player.setLoop(mode)
      stage.player.play()
      let end = stage.items[0]
      var place = 0
      for _ in 0..<2 { place = try await stage.event(.itemDidPlayToEnd(end), from: place) + 1 }
      // What has been offered by then plays out once more.
      stage.player.setLoop(.none)
      try await stage.event(.queueEnded)
      let heard = try tap.heard()
      #expect(difference(heard.prefix(2 * once.count), once + once) == nil)
      let jumps = stage.story.filter { if case .timeJumped(_, .zero) = $0 { true } else { false } }
      #expect(jumps.count >= 2)
      #expect(!stage.story.contains { if case .currentItemChanged = $0 { true } else { false } })
    }
  }

  @Test("A looped playlist of two goes round without a gap")
  func loopPlaylist() async throws {
    let paths = try await Media.continuousSine(parts: 2)
    let original = try await original(parts: 2)
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      stage.player.setLoop(.playlist)
      stage.player.play()
      let back = try await stage.event(.currentItemChanged(from: stage.items[1], to: stage.items[0]))
      try await stage.event(.currentItemChanged(from: stage.items[0], to: stage.items[1]), from: back)
      stage.player.stop()
      let heard = try tap.heard()
      let expected = original + original
      #expect(heard.count >= original.count)
      #expect(difference(heard, expected.prefix(heard.count)) == nil)
    }
  }

  @Test("A pause in the hand-over loses no sample and keeps the join")
  func pauseInHandOver() async throws {
    let paths = try await Media.continuousSine(samplesPerPart: 88_203)
    let original = try await Media.continuousSine(samplesPerPart: 88_203, format: .wav).flatMap {
      try samples(ofWAV: $0)
    }
    try await withTappedPlayer(paths.map(fileURI)) { stage, tap in
      try await stage.playing(pausedAt: .milliseconds(1600))
      let held = stage.player.snapshot.position
      #expect(held >= .milliseconds(1600))
      #expect(stage.player.snapshot.currentItem == stage.items[0])
      try await stage.playOut()
      #expect(difference(try tap.heard(), original) == nil)
    }
  }
}
