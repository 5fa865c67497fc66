import GstPlayer
import TestSupport
import Testing

@Suite("Audio tracks, heard")
struct AudioTrackTests {
  private static let english = Matroska.Track(language: "eng", title: "Original", sample: { _ in 2000 })
  private static let german = Matroska.Track(language: "ger", channels: 2, title: "Synchron", sample: { _ in 8000 })

  /// Runs `body` with a player of such files, English at one level and German at another, and what is heard.
  private func withTracks(
    _ files: [[Matroska.Track]] = [[english, german]], tenths: Int = 20, preferring languages: [String] = [],
    keeping mode: Tap.Mode = .sinceLastBreak, releaseOutputAfter: Duration = .seconds(5),
    _ body: (Stage, Tap) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let paths = try files.enumerated().map {
        try directory.write(Matroska($1, tenths: tenths).bytes, to: "\($0).mka")
      }
      let configuration = PlayerConfiguration(
        audioSink: tap.sink(mode), releaseOutputAfter: releaseOutputAfter, preferredAudioLanguages: languages)
      let stage = Stage(paths.map(fileURI), configuration: configuration)
      do {
        try await body(stage, tap)
        #expect(stage.hangs.isEmpty)
      } catch {
        await stage.end()
        throw error
      }
      await stage.end()
    }
  }

  /// How many samples of a level are heard; resampling bends the edges between two.
  private func heard(_ level: Int16, _ tap: Tap) throws -> Int {
    try tap.heard().count { abs(Int($0) - Int(level)) < 100 }
  }

  /// Whether nothing but one level is heard.
  private func isHeard(_ level: Int16, _ tap: Tap, atLeast count: Int = 1) throws -> Bool {
    let heard = try tap.heard()
    // Resampling bends the edges.
    return heard.count >= count
      && heard.dropFirst(1000).dropLast(1000).allSatisfy { abs(Int($0) - Int(level)) < 100 }
  }

  @Test(
    "The language liked best is heard from the first sample on; without one, what the media marks, else its first",
    arguments: [
      ([], true, 2000), (["fr", "de-AT"], true, 8000), (["en-GB", "de"], true, 2000), (["fr"], false, 8000),
    ] as [([String], Bool, Int16)])
  func languages(preferring languages: [String], isFirstMarked: Bool, level: Int16) async throws {
    var first = Self.english
    first.isMarked = isFirstMarked
    try await withTracks([[first, Self.german]], tenths: 10, preferring: languages, keeping: .everything) {
      stage, tap in
      try await stage.playOut()
      #expect(try isHeard(level, tap, atLeast: 40_000))
    }
  }

  @Test("Successors without a gap are heard in the language liked best, too")
  func successors() async throws {
    let files = [
      [Self.english, Self.german], [Self.german, Self.english], [Self.german], [Self.english, Self.german],
    ]
    try await withTracks(files, tenths: 6, preferring: ["de"], keeping: .everything) { stage, tap in
      try await stage.playOut()
      let (english, german) = try (heard(2000, tap), heard(8000, tap))
      #expect(english < 1000)
      #expect(german > 105_000)
    }
  }

  @Test("What there is to be heard is told, and which of it is")
  func told() async throws {
    try await withTracks { stage, _ in
      try await stage.ready()
      let snapshot = try await stage.reaches("tracks") { $0.audioTracks.map(\.language) == ["en", "de"] }
      #expect(snapshot.audioTracks.map(\.title) == ["Original", "Synchron"])
      #expect(snapshot.audioTracks.map(\.channels) == [1, 2])
      #expect(snapshot.audioTracks.map(\.sampleRate) == [8000, 8000])
      #expect(snapshot.audioTrackIndex == 0)
    }
    try await withTracks([[Self.german]]) { stage, tap in
      try await stage.ready()
      let snapshot = try await stage.reaches("track") { $0.audioTracks.map(\.language) == ["de"] }
      #expect(snapshot.audioTrackIndex == 0)
      for index in [-1, 0, 1, 7] { stage.player.selectAudioTrack(at: index) }
      try await stage.playOut()
      #expect(try isHeard(8000, tap, atLeast: 80_000))
    }
  }

  @Test("A track that is selected before play, or while it stands, is heard from that place on, and nothing else")
  func selectPaused() async throws {
    try await withTracks { stage, tap in
      try await stage.ready()
      stage.player.selectAudioTrack(at: 1)
      #expect(stage.player.snapshot.audioTrackIndex == 1)
      try await stage.playing(pausedAt: .milliseconds(500))
      #expect(try isHeard(8000, tap))
      for index in [0, 1, 0] {
        stage.player.selectAudioTrack(at: index)
        #expect(stage.player.snapshot.audioTrackIndex == index)
      }
      #expect(stage.player.snapshot.position >= .milliseconds(500))
      try await stage.playOut()
      #expect(try isHeard(2000, tap, atLeast: 20_000))
      #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
    }
  }

  @Test("A track that is selected in play is heard from that place on, and nothing else")
  func selectPlaying() async throws {
    try await withTracks(tenths: 100) { stage, tap in
      try await stage.playing()
      for index in [1, 0, 1] {
        stage.player.selectAudioTrack(at: index)
        try await stage.pausing(after: stage.player.snapshot.position + .milliseconds(200))
        #expect(try isHeard(index == 1 ? 8000 : 2000, tap, atLeast: 4000))
        stage.player.play()
      }
    }
  }

  @Test("The choice outlasts a pause that lets the output go, and the repetition of its track")
  func outlasts() async throws {
    try await withTracks(tenths: 8, keeping: .everything, releaseOutputAfter: .zero) { stage, tap in
      try await stage.ready()
      stage.player.selectAudioTrack(at: 1)
      stage.player.setLoop(.track)
      try await stage.playing()
      stage.player.pause()
      try await stage.event(.itemDidPlayToEnd(stage.items[0]), playing: stage.player)
      stage.player.setLoop(.none)
      try await stage.event(.queueEnded)
      #expect(stage.player.snapshot.audioTrackIndex == 1)
      let (english, german) = try (heard(2000, tap), heard(8000, tap))
      #expect(english < 1000)
      #expect(german > 60_000)
    }
  }

  @Test("Any commands in any order leave a player that plays what was selected last", arguments: 0..<4)
  func storm(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let files = [[Self.english, Self.german], [Self.german, Self.english], [Self.german]]
    try await withTracks(files, tenths: 15) { stage, tap in
      for _ in 0..<120 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: stage.player.selectAudioTrack(at: Int.random(in: -1...2, using: &random))
        case 5: stage.seek(.milliseconds(Int.random(in: 0...1600, using: &random)))
        case 6, 7: stage.player.play()
        case 8: stage.player.pause()
        case 9: stage.player.play(stage.items[Int.random(in: 0..<3, using: &random)].id)
        case 10: stage.player.setRate(Bool.random(using: &random) ? 1 : 1.5)
        default:
          if stage.player.snapshot.transport != .stopped {
            _ = try await stage.reaches("opened") { $0.itemStatus == .readyToPlay || $0.transport == .stopped }
          }
        }
      }
      stage.player.setRate(1)
      stage.player.play(stage.items[1].id)
      stage.player.pause()
      try await stage.reaches("opened") { $0.itemStatus == .readyToPlay && $0.currentItem == stage.items[1] }
      stage.player.selectAudioTrack(at: 1)
      stage.player.remove(stage.items[2].id)
      try await stage.playOut()
      #expect(try isHeard(2000, tap, atLeast: 50_000))
      #expect(stage.failures.isEmpty)
    }
  }
}

extension Stage {
  /// What was said of pipelines that did not answer.
  fileprivate var hangs: [PlayerEvent] {
    events.elements.filter { if case .warning(let text) = $0 { text.contains("does not answer") } else { false } }
  }

  /// Waits until play has come to a position, which may be long ago, and pauses.
  fileprivate func pausing(after position: Duration) async throws {
    let ticks = try player.times(every: .milliseconds(20))
    try await deadline(20, "\(position)") {
      for await time in ticks where time >= position { return }
      throw Closed(expectation: "\(position)")
    }
    player.pause()
  }

  /// Plays, and waits for an event from now on.
  fileprivate func event(_ event: PlayerEvent, playing player: Player) async throws {
    let place = events.count
    player.play()
    try await self.event(event, from: place)
  }
}
