import GstPlayer
import TestSupport
import Testing

@Suite("Audio tracks, by their rendered samples")
struct AudioTrackTests {
  private static let english = Matroska.Track(language: "eng", title: "Original", sample: { _ in 2000 })
  private static let german = Matroska.Track(language: "ger", channels: 2, title: "Synchron", sample: { _ in 8000 })

  /// Runs `body` with a player of such files, in which English and German differ in level, and with the tap of its
  /// output.
  private func withTracks(
    _ files: [[Matroska.Track]] = [[english, german]], tenths: Int = 20, preferring languages: [String] = [],
    keeping mode: Tap.Mode = .sinceLastBreak, releaseOutputAfter: Duration = .seconds(5),
    _ body: (PlayerHarness, Tap) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let paths = try files.enumerated().map {
        try directory.write(Matroska($1, tenths: tenths).bytes, to: "\($0).mka")
      }
      let configuration = Player.Configuration(
        audioSink: tap.sink(mode), releaseOutputAfter: releaseOutputAfter, preferredAudioLanguages: languages)
      let harness = PlayerHarness(paths.map(fileURI), configuration: configuration)
      do {
        try await body(harness, tap)
        #expect(harness.hangs.isEmpty)
      } catch {
        await harness.end()
        throw error
      }
      await harness.end()
    }
  }

  /// Counts the rendered samples of one level; resampling distorts the edges between two levels.
  private func recorded(_ level: Int16, _ tap: Tap) throws -> Int {
    try tap.recorded().count { abs(Int($0) - Int(level)) < 100 }
  }

  /// Whether only one level is rendered.
  private func isHeard(_ level: Int16, _ tap: Tap, atLeast count: Int = 1) throws -> Bool {
    let recorded = try tap.recorded()
    // Resampling distorts the edges.
    return recorded.count >= count
      && recorded.dropFirst(1000).dropLast(1000).allSatisfy { abs(Int($0) - Int(level)) < 100 }
  }

  @Test(
    "The preferred language plays from the first sample; without one, the default track of the media or its first",
    arguments: [
      ([], true, 2000), (["fr", "de-AT"], true, 8000), (["en-GB", "de"], true, 2000), (["fr"], false, 8000),
    ] as [([String], Bool, Int16)])
  func languages(preferring languages: [String], isFirstMarked: Bool, level: Int16) async throws {
    var first = Self.english
    first.isMarked = isFirstMarked
    try await withTracks([[first, Self.german]], tenths: 10, preferring: languages, keeping: .everything) {
      harness, tap in
      try await harness.playToEnd()
      #expect(try isHeard(level, tap, atLeast: 40_000))
    }
  }

  @Test("Gapless successors also play in the preferred language")
  func successors() async throws {
    let files = [
      [Self.english, Self.german], [Self.german, Self.english], [Self.german], [Self.english, Self.german],
    ]
    try await withTracks(files, tenths: 6, preferring: ["de"], keeping: .everything) { harness, tap in
      try await harness.playToEnd()
      let (english, german) = try (recorded(2000, tap), recorded(8000, tap))
      #expect(english < 1000)
      #expect(german > 105_000)
    }
  }

  @Test("The snapshot lists the audio tracks and the index of the current one")
  func listed() async throws {
    try await withTracks { harness, _ in
      try await harness.ready()
      let snapshot = try await harness.reaches("tracks") { $0.audioTracks.map(\.language) == ["en", "de"] }
      #expect(snapshot.audioTracks.map(\.title) == ["Original", "Synchron"])
      #expect(snapshot.audioTracks.map(\.channels) == [1, 2])
      #expect(snapshot.audioTracks.map(\.sampleRate) == [8000, 8000])
      #expect(snapshot.audioTrackIndex == 0)
    }
    try await withTracks([[Self.german]]) { harness, tap in
      try await harness.ready()
      let snapshot = try await harness.reaches("track") { $0.audioTracks.map(\.language) == ["de"] }
      #expect(snapshot.audioTrackIndex == 0)
      for index in [-1, 0, 1, 7] { harness.player.selectAudioTrack(at: index) }
      try await harness.playToEnd()
      #expect(try isHeard(8000, tap, atLeast: 80_000))
    }
  }

  @Test("A track selected before play or while paused plays from that position, and no other track does")
  func selectPaused() async throws {
    try await withTracks { harness, tap in
      try await harness.ready()
      harness.player.selectAudioTrack(at: 1)
      #expect(harness.player.snapshot.audioTrackIndex == 1)
      try await harness.playing(pausedAt: .milliseconds(500))
      #expect(try isHeard(8000, tap))
      for index in [0, 1, 0] {
        harness.player.selectAudioTrack(at: index)
        #expect(harness.player.snapshot.audioTrackIndex == index)
      }
      let position = harness.player.snapshot.position
      #expect(position >= .milliseconds(500))
      try await harness.playToEnd()
      // On a busy computer the pause is late, so less remains.
      let remaining = (.seconds(2) - position) / .milliseconds(1) * 44.1
      #expect(try isHeard(2000, tap, atLeast: max(1, Int(remaining) - 4000)))
      #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
    }
  }

  @Test("A track selected during playback plays from that position, and no other track does")
  func selectPlaying() async throws {
    try await withTracks(tenths: 100) { harness, tap in
      try await harness.playing()
      for index in [1, 0, 1] {
        harness.player.selectAudioTrack(at: index)
        try await harness.pausing(after: harness.player.snapshot.position + .milliseconds(200))
        #expect(try isHeard(index == 1 ? 8000 : 2000, tap, atLeast: 4000))
        harness.player.play()
      }
    }
  }

  @Test("The selected track survives a pause that releases the output, and a repetition of the item")
  func outlasts() async throws {
    try await withTracks(tenths: 8, keeping: .everything, releaseOutputAfter: .zero) { harness, tap in
      try await harness.ready()
      harness.player.selectAudioTrack(at: 1)
      harness.player.loop = .track
      try await harness.playing()
      harness.player.pause()
      try await harness.event(.itemDidPlayToEnd(harness.items[0]), playing: harness.player)
      harness.player.loop = .none
      try await harness.event(.queueEnded)
      #expect(harness.player.snapshot.audioTrackIndex == 1)
      let (english, german) = try (recorded(2000, tap), recorded(8000, tap))
      #expect(english < 1000)
      #expect(german > 60_000)
    }
  }

  @Test("After any sequence of commands the player plays the track selected last", arguments: 0..<4)
  func storm(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let files = [[Self.english, Self.german], [Self.german, Self.english], [Self.german]]
    try await withTracks(files, tenths: 15) { harness, tap in
      for _ in 0..<120 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: harness.player.selectAudioTrack(at: Int.random(in: -1...2, using: &random))
        case 5: harness.seek(.milliseconds(Int.random(in: 0...1600, using: &random)))
        case 6, 7: harness.player.play()
        case 8: harness.player.pause()
        case 9: harness.player.play(item: harness.items[Int.random(in: 0..<3, using: &random)].id)
        case 10: harness.player.rate = Bool.random(using: &random) ? 1 : 1.5
        default:
          if harness.player.snapshot.transport != .stopped {
            _ = try await harness.reaches("opened") { $0.itemStatus == .readyToPlay || $0.transport == .stopped }
          }
        }
      }
      harness.player.rate = 1
      harness.player.play(item: harness.items[1].id)
      harness.player.pause()
      try await harness.reaches("opened") { $0.itemStatus == .readyToPlay && $0.currentItem == harness.items[1] }
      harness.player.selectAudioTrack(at: 1)
      harness.player.remove(harness.items[2].id)
      try await harness.playToEnd()
      #expect(try isHeard(2000, tap, atLeast: 50_000))
      #expect(harness.failures.isEmpty)
    }
  }
}

extension PlayerHarness {
  /// The warnings about pipelines that do not answer.
  fileprivate var hangs: [Player.Event] {
    events.elements.filter { if case .warning(let text, _) = $0 { text.contains("does not respond") } else { false } }
  }

  /// Waits until playback has reached a position, and pauses; the position may already be past.
  fileprivate func pausing(after position: Duration) async throws {
    let ticks = try player.times(every: .milliseconds(20))
    try await deadline(20, "\(position)") {
      for await time in ticks where time >= position { return }
      throw Closed(expectation: "\(position)")
    }
    player.pause()
  }

  /// Plays, and waits for an event that is emitted from now on.
  fileprivate func event(_ event: Player.Event, playing player: Player) async throws {
    let place = events.count
    player.play()
    try await self.event(event, from: place)
  }
}
