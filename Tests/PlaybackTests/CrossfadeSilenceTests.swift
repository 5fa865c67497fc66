import Testing

@testable import Playback

/// The tests of skipped silence at the end of an item of a minute, whose last sound is at 50 s, with a scripted engine.
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
    if knowsSilence { harness.decide(.loudness(.silence(from: Self.silence, of: harness.token))) }
    return harness
  }

  private func overlap(_ start: Int, _ end: Int) -> Successor.Overlap {
    Successor.Overlap(start: .seconds(start), end: .seconds(end))
  }

  @Test("The crossfade ends where the silence begins, and the file keeps its duration")
  func crossfade() throws {
    var harness = harness()
    let first = harness.token
    harness.advance(.seconds(39.9))
    let next = try harness.requireNext()
    #expect(harness.position >= .seconds(40))
    harness.settleNext(next, duration: 60)
    let shape = CrossfadeShape(length: .seconds(6), curve: .equalPower)
    #expect(harness.overlap == overlap(44, 50))
    #expect(harness.plan == [PlannedPart(first, end: Self.silence), PlannedPart(next, join: .overlap(shape))])
    harness.advance(.seconds(4))
    #expect(harness.snapshot.duration == .seconds(60) && harness.offer() == nil)
    let plan = harness.plan
    #expect(harness.report(.audible(next, at: .zero)).opened.isEmpty && harness.plan == plan)
    #expect(harness.advance(.seconds(6)).events.isEmpty)
    #expect(harness.report(.stream(first, .ended(at: Self.silence))).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.violations.isEmpty)
  }

  @Test("Without crossfades, the next item starts where the silence begins, and the file keeps its duration")
  func start() throws {
    var harness = harness(.zero)
    let first = harness.token
    harness.advance(.seconds(45.9))
    let next = try harness.requireNext()
    #expect(harness.position >= .seconds(46))
    harness.settleNext(next, duration: 60)
    let plan = [PlannedPart(first, end: Self.silence), PlannedPart(next)]
    #expect(harness.overlap == overlap(50, 50) && harness.plan == plan)
    harness.advance(.seconds(4))
    let ended = harness.report(.stream(first, .ended(at: Self.silence)))
    // The part that has ended is not extended by the silence.
    #expect(ended.isEmpty && harness.plan == plan && harness.snapshot.duration == .seconds(60))
    let entered = harness.report(.audible(next, at: .zero))
    #expect(
      entered.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(entered.closed == [first] && entered.plan == [PlannedPart(next)])
    #expect(harness.playhead.outgoing == nil && harness.violations.isEmpty)
  }

  @Test("An edit after an item has ended at its silence does not extend it")
  func editAtEnd() throws {
    var harness = harness(.zero)
    let first = harness.token
    harness.advance(.seconds(45.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(4))
    harness.report(.stream(first, .ended(at: Self.silence)))
    let effects = harness.decide(.remove(harness.items[1].id))
    let again = try #require(harness.lastSuccessor)
    #expect(effects.closed == [next] && effects.opened.map(\.uri) == ["file:///2"] && effects.events.isEmpty)
    #expect(harness.plan == [PlannedPart(first, end: Self.silence), PlannedPart(again)])
    harness.settleNext(again, duration: 60)
    #expect(harness.plan == [PlannedPart(first, end: Self.silence), PlannedPart(again)])
    #expect(harness.report(.audible(again, at: .zero)).events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current == harness.items[2] && harness.violations.isEmpty)
  }

  @Test("The silence between items of one album is played")
  func album() throws {
    var harness = harness(.zero)
    var tags = MediaMetadata()
    tags.album = "A"
    harness.report(.stream(harness.token, .tags(tags, about: .stream)))
    harness.advance(.seconds(45.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.report(.stream(next, .tags(tags, about: .stream)))
    #expect(harness.overlap == nil && harness.plan == [PlannedPart(harness.token), PlannedPart(next)])
    #expect(harness.snapshot.duration == .seconds(60))
  }

  @Test("Silence that is found too late is played, and one that is found after the decision moves the overlap")
  func late() throws {
    var harness = harness(knowsSilence: false)
    let first = harness.token
    harness.advance(.seconds(48.2))
    harness.decide(.loudness(.silence(from: Self.silence, of: first)))
    #expect(harness.successors.isEmpty)
    harness.advance(.seconds(1.7))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == overlap(54, 60))
    harness.decide(.loudness(.silence(from: .seconds(59), of: first)))
    #expect(harness.overlap == overlap(53, 59) && harness.plan.first == PlannedPart(first, end: .seconds(59)))
    harness.advance(.seconds(2))
    harness.decide(.loudness(.silence(from: .seconds(53), of: first)))
    #expect(harness.overlap == overlap(53, 59))
  }

  @Test("The silence of a short item that is opened directly is skipped", arguments: [0, 2])
  func shortItem(length: Int) throws {
    var harness = harness(.seconds(length), duration: 11, knowsSilence: false)
    harness.decide(.loudness(.silence(from: .seconds(7), of: harness.token)))
    harness.advance(.seconds(2.9 - Double(length)))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == overlap(7 - length, 7))
    #expect(harness.plan.first == PlannedPart(harness.token, end: .seconds(7)))
  }

  @Test("Silence that is found a few seconds before is skipped after a shorter crossfade")
  func shorterCrossfade() throws {
    var harness = harness(knowsSilence: false)
    harness.advance(.seconds(46))
    harness.decide(.loudness(.silence(from: Self.silence, of: harness.token)))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    let overlap = try #require(harness.overlap)
    #expect(overlap.end == Self.silence && overlap.start >= .seconds(46.5) && overlap.length >= .seconds(1))
    let shape = CrossfadeShape(length: overlap.length, curve: .equalPower)
    #expect(harness.nextPart == PlannedPart(next, join: .overlap(shape)))
  }

  @Test("A seek into the silence plays it, and so does the end of the queue")
  func silenceIsPlayed() throws {
    var sought = harness(.zero)
    _ = sought.seek(52)
    sought.settle(duration: 60)
    sought.run()
    let next = try sought.requireNext()
    sought.settleNext(next, duration: 60)
    sought.advance(.seconds(6))
    #expect(sought.overlap == nil && sought.plan == [PlannedPart(sought.token), PlannedPart(next)])
    var last = harness(.zero)
    last.decide(.setActionAtItemEnd(.stop))
    last.advance(.seconds(59))
    #expect(last.plan == [PlannedPart(last.token)])
  }

  @Test("Silence in a part of a media is played")
  func part() {
    var harness = harness(.zero)
    let parts = [
      Player.Item(uri: "file:///m", externalMetadata: nil, start: .seconds(10), end: .seconds(58)),
      Player.Item(uri: "file:///other"),
    ]
    harness.decide(.replaceQueue(parts))
    harness.settle(duration: 60)
    harness.run(measured: 10)
    harness.decide(.loudness(.silence(from: Self.silence, of: harness.token)))
    harness.advance(.seconds(45))
    #expect(harness.successors.isEmpty && harness.plan == [PlannedPart(harness.token, end: .seconds(58))])
  }
}
