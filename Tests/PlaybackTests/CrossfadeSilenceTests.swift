import Testing

@testable import Playback

/// The tests of skipped silence at the end of an item of a minute, whose last sound is at 50 s, on a scripted pipeline.
@Suite("Silence at the end of an item")
struct CrossfadeSilenceTests {
  private static let silence = Duration.seconds(50)

  /// Returns a machine that plays its first item, and crossfades of 6 s or none.
  private func harness(
    _ length: Duration = .seconds(6), duration: Double = 60, knowsSilence: Bool = true
  ) -> MachineHarness {
    var configuration = Player.Configuration()
    configuration.crossfade = Player.Crossfade(length: length)
    configuration.silenceTrimming = .init()
    var harness = MachineHarness(3, configuration: configuration)
    harness.start(duration: duration)
    if knowsSilence { harness.report(.silenceFound(harness.token, from: Self.silence)) }
    return harness
  }

  private func shape(_ seconds: Int) -> CrossfadeShape { CrossfadeShape(length: .seconds(seconds), curve: .equalPower) }

  @Test("The crossfade ends where the silence begins, and the duration stays that of the file")
  func crossfade() throws {
    var harness = harness()
    let first = harness.token
    harness.advance(.seconds(38.4))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(44), shape(6))])
    harness.advance(.seconds(1))
    harness.startNext(next, in: 0.4, duration: 60)
    #expect(harness.snapshot.duration == .seconds(60) && harness.offer() == nil)
    #expect(harness.advance(.milliseconds(400)).engineCommands.first == .enter(next))
    #expect(harness.advance(.seconds(6)).events.isEmpty)
    #expect(harness.report(.ended(first)).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.violations.isEmpty)
  }

  @Test("Without crossfades, the next item starts where the silence begins")
  func start() throws {
    var harness = harness(.zero)
    let first = harness.token
    harness.advance(.seconds(40.9))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: next, at: Self.silence, shape(0))])
    harness.advance(.seconds(4))
    harness.startNext(next, in: 0.6, duration: 60)
    #expect(harness.advance(.milliseconds(700)).engineCommands.contains(.enter(next)))
    #expect(harness.report(.ended(first)).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.current == harness.items[1] && harness.violations.isEmpty)
  }

  @Test(
    "An end before the first sample of the next item is that of the sound, and does not change the duration",
    arguments: [true, false])
  func earlyEnd(isAnnounced: Bool) throws {
    var harness = harness(.zero)
    let first = harness.token
    harness.advance(.seconds(40.9))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(9))
    if isAnnounced { harness.startNext(next, in: 0.1, duration: 60) }
    #expect(harness.report(.endFound(first, at: Self.silence)).isEmpty)
    #expect(harness.snapshot.duration == .seconds(60))
    let end = harness.report(.ended(first))
    #expect(Array(end.engineCommands.prefix(2)) == [.enter(next), .release(first)])
    #expect(end.events.contains(.itemDidPlayToEnd(harness.items[0])))
    #expect(harness.current == harness.items[1] && harness.violations.isEmpty)
  }

  @Test("An item whose data ends where silence was found is followed gaplessly")
  func endOfData() {
    var harness = harness(.zero)
    harness.advance(.seconds(30))
    harness.report(.endFound(harness.token, at: Self.silence))
    harness.advance(.seconds(15))
    #expect(harness.prepared.isEmpty && harness.offer() != nil)
  }

  @Test("The silence between items of one album is played")
  func album() throws {
    var harness = harness(.zero)
    var tags = MediaMetadata()
    tags.album = "A"
    harness.report(.tags(harness.token, tags, about: .stream))
    harness.advance(.seconds(40.9))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.report(.tags(next, tags, about: .stream))
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades.isEmpty && harness.effects.engineCommands.contains(.release(next)))
    #expect(harness.offer()?.uri == harness.items[1].uri)
    #expect(harness.snapshot.duration == .seconds(60))
  }

  @Test("Silence that is found too late is played, and a crossfade that has been prepared is kept")
  func late() throws {
    var harness = harness(knowsSilence: false)
    harness.advance(.seconds(47.2))
    harness.report(.silenceFound(harness.token, from: Self.silence))
    harness.advance(.seconds(1.2))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.report(.silenceFound(harness.token, from: .seconds(59)))
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(54), shape(6))])
  }

  @Test("The silence of a short item that is opened directly is skipped", arguments: [0, 2])
  func shortItem(length: Int) throws {
    var harness = harness(.seconds(length), duration: 11, knowsSilence: false)
    harness.report(.silenceFound(harness.token, from: .seconds(7)))
    harness.advance(.milliseconds(50))
    let next = try #require(harness.lastPrepared)
    harness.settleIncoming(next)
    harness.advance(.seconds(4))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(7 - length), shape(length))])
  }

  @Test("Silence that is found a few seconds before is skipped after a shorter crossfade")
  func shorterCrossfade() throws {
    var harness = harness(knowsSilence: false)
    harness.advance(.seconds(46))
    harness.report(.silenceFound(harness.token, from: Self.silence))
    harness.advance(.milliseconds(50))
    harness.settleIncoming(try #require(harness.lastPrepared))
    harness.advance(.seconds(2))
    guard case .crossfade(_, let start, let shape)? = harness.crossfades.last else {
      Issue.record("no crossfade")
      return
    }
    #expect(start + shape.length == Self.silence && shape.length >= .seconds(1))
  }

  @Test("A seek into the silence plays it, and so does the end of the queue")
  func silenceIsPlayed() {
    var sought = harness(.zero)
    _ = sought.seek(52)
    sought.settle(duration: 60)
    sought.run()
    sought.advance(.seconds(6))
    #expect(sought.prepared.isEmpty && sought.offer() != nil)
    var last = harness(.zero)
    last.decide(.setActionAtItemEnd(.stop))
    last.advance(.seconds(59))
    #expect(last.prepared.isEmpty)
  }

  @Test("Silence in a part of a media is played")
  func part() {
    var harness = harness(.zero)
    let parts = [
      Player.Item(uri: "file:///m", externalMetadata: nil, start: .seconds(10), end: .seconds(58)),
      Player.Item(uri: "file:///other"),
    ]
    harness.decide(.replaceQueue(ItemList(parts), startingAt: 0, playOrder: nil))
    harness.settle(duration: 60)
    harness.settle(duration: 60)
    harness.run()
    harness.report(.silenceFound(harness.token, from: Self.silence))
    harness.advance(.seconds(45))
    #expect(harness.prepared.isEmpty)
  }

  @Test("An output that plays one stream skips the silence together with a crossfade alone")
  func oneStream() throws {
    for length in [0, 6] {
      var harness = harness(.seconds(length))
      harness.advance(.seconds(length == 0 ? 40.9 : 38.4))
      let next = try harness.requirePrepared()
      var error = PlayerError(code: .output, message: "busy")
      error.isUnusableOutput = true
      harness.report(.failed(next, error))
      #expect(harness.crossfades == (length == 0 ? [] : [.crossfade(to: nil, at: .seconds(47), shape(3))]))
      guard length > 0 else { continue }
      harness.advance(.seconds(11.6))
      harness.report(.endFound(harness.token, at: Self.silence))
      #expect(harness.snapshot.duration == .seconds(60))
      #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
      #expect(harness.current == harness.items[1] && harness.violations.isEmpty)
    }
  }
}
