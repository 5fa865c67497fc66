import Testing

@testable import Playback

/// The faults of crossfades that simulations have found, with a scripted engine.
@Suite("Hazards of crossfades")
struct CrossfadeHazardTests {
  private static let crossfade = Player.Crossfade(length: .seconds(6), skipLength: .seconds(3))

  /// Returns a machine that plays its first item, which is one minute long.
  private func harness(tags: MediaMetadata? = nil) -> MachineHarness {
    var configuration = Player.Configuration(fade: .seconds(1))
    configuration.crossfade = Self.crossfade
    var harness = MachineHarness(configuration: configuration)
    harness.start(duration: 60)
    if let tags { harness.report(.stream(harness.token, .tags(tags, about: .stream))) }
    harness.advance(.seconds(3))
    return harness
  }

  private static var album: MediaMetadata {
    var metadata = MediaMetadata()
    metadata.album = "A"
    return metadata
  }

  // MARK: Skips

  /// An input after a skip, and whether it silences the skipped item.
  struct Input: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var input: PlaybackInput
    var isStarted = false
    var ends: Bool
  }

  static let inputs = [
    Input(testDescription: "a pause while the next item is opened", input: .pause(fading: true), ends: true),
    Input(testDescription: "a pause without a fade", input: .pause(fading: false), isStarted: true, ends: true),
    Input(testDescription: "a stop", input: .stop, ends: true),
    Input(
      testDescription: "a seek during playback",
      input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 0)), isStarted: true, ends: true),
    Input(
      testDescription: "a start position", input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 0)),
      ends: false),
    Input(testDescription: "another volume", input: .setVolume(0.5), ends: false),
  ]

  @Test("What silences the current item silences a skipped item that fades out", arguments: inputs)
  func skipped(input: Input) {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    if input.isStarted {
      harness.settle(duration: 60)
      harness.run()
    }
    harness.advance(.seconds(1))
    #expect(harness.decide(input.input).closed.contains(first) == input.ends)
    #expect(harness.violations.isEmpty)
  }

  @Test("A skipped item is closed after its fade-out, once")
  func skippedLongAgo() {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(3))
    let ended = harness.report(.stream(first, .ended(at: nil)))
    #expect(ended.closed == [first] && ended.events.isEmpty)
    #expect(harness.decide(.pause(fading: false)).closed.isEmpty)
  }

  @Test("A skipped item whose end is not reported is closed some seconds after its fade-out")
  func skippedWithoutEnd() {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    #expect(harness.advance(.milliseconds(5_900)).closed.isEmpty)
    #expect(harness.advance(.milliseconds(200)).closed == [first])
    #expect(harness.plan.isEmpty && harness.violations.isEmpty)
  }

  @Test("A skipped item fades out although the next one fails")
  func failureAfterSkip() {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    let failed = harness.token
    let effects = harness.fail()
    #expect(effects.closed == [failed] && effects.opened.count == 1)
    #expect(harness.plan.map(\.stream) == [first] && harness.plan.first?.fadeOut != nil)
  }

  @Test("An item that fades out before a pause does not fade out longer when it is skipped")
  func skipDuringPause() {
    var harness = harness()
    _ = harness.pause()
    let first = harness.token
    let effects = harness.next()
    #expect(effects.closed == [first] && effects.plan == [])
  }

  @Test("A crossfade that begins while a skipped item fades out ends it: at most two items are audible")
  func crossfadeAfterSkip() throws {
    var configuration = Player.Configuration()
    configuration.crossfade = Player.Crossfade(length: .seconds(1), skipLength: .seconds(5))
    var harness = MachineHarness(configuration: configuration)
    harness.start(duration: 60)
    let skipped = harness.token
    _ = harness.next()
    harness.settle(duration: 4)
    let current = harness.token
    #expect(harness.plan.map(\.stream) == [skipped, current])
    harness.run()
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(3))
    let entered = harness.report(.audible(next, at: .zero))
    #expect(entered.closed == [skipped])
    #expect(harness.plan.map(\.stream) == [current, next] && harness.current == harness.items[2])
    #expect(harness.playhead.outgoing?.token == current && harness.violations.isEmpty)
  }

  @Test("A wait for data does not hold a skipped item that fades out")
  func stallAfterSkip() {
    var configuration = Player.Configuration()
    configuration.crossfade = Self.crossfade
    var harness = MachineHarness(configuration: configuration, scheme: "http")
    harness.start(duration: 60)
    let first = harness.token
    _ = harness.next()
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(1))
    let shape = CrossfadeShape(length: .seconds(3), curve: .equalPower)
    let skipped = PlannedPart(first, fadeOut: shape)
    let current = PlannedPart(harness.token, join: .fadeIn(shape))
    #expect(harness.plan == [skipped, current])
    #expect(harness.buffer(0).engineCommands == [.plan([skipped])])
    #expect(!harness.isAdvancing && harness.snapshot.transport == .playing)
    let ended = harness.report(.stream(first, .ended(at: nil)))
    #expect(ended.engineCommands == [.close(first), .setPlaying(false), .plan([current])])
  }

  @Test("A change of the crossfades that comes when both items are audible ends neither")
  func lateChange() throws {
    var harness = harness()
    let first = harness.token
    harness.advance(.seconds(46.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(4.2))
    harness.decide(.setCrossfade(Player.Crossfade()))
    #expect(harness.overlap == nil)
    // Sent before the plan without an overlap has arrived.
    let entered = harness.report(.audible(next, at: .milliseconds(20)))
    #expect(entered.closed.isEmpty && harness.plan.map(\.stream) == [first, next])
    #expect(entered.events.count == 1 && harness.current == harness.items[1])
    let ended = harness.report(.stream(first, .ended(at: .seconds(60))))
    #expect(ended.events == [.itemDidPlayToEnd(harness.items[0])] && ended.closed == [first])
  }

  @Test("An item that fades out runs if the first report after a pause belongs to the next item")
  func enteredAfterPause() throws {
    var harness = harness()
    harness.advance(.seconds(46.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(4))
    harness.decide(.pause(fading: false))
    _ = harness.play()
    harness.report(.audible(next, at: .milliseconds(10)))
    #expect(harness.violations.isEmpty && harness.playhead.outgoing != nil && harness.isAdvancing)
  }

  // MARK: Albums

  @Test(
    "Tags and chapters that arrive after the decision on an overlap still exclude it", arguments: [true, false])
  func lateTags(isAlbum: Bool) throws {
    var harness = harness(tags: Self.album)
    let first = harness.token
    harness.advance(.seconds(46.9))
    let next = try harness.requireNext()
    var other = MediaMetadata()
    other.title = "x"
    harness.report(.stream(next, .tags(other, about: .stream)))
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(3))
    #expect(harness.overlap == Successor.Overlap(start: .seconds(54), end: .seconds(60)))
    let chapter = Chapter(start: .zero, duration: nil, title: "1")
    let effects = harness.report(
      .stream(next, isAlbum ? .tags(Self.album, about: .stream) : .chapters([chapter])))
    #expect(effects.engineCommands == [.plan([PlannedPart(first), PlannedPart(next)])] && effects.events.isEmpty)
    #expect(harness.overlap == nil && harness.violations.isEmpty)
    harness.advance(.seconds(7))
    let entered = harness.enterNext(next)
    #expect(
      entered.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(entered.opened.isEmpty && harness.token == next)
  }

  @Test("Tags of the current item that arrive after the decision on an overlap still exclude it")
  func lateTagsOfCurrent() throws {
    var harness = harness()
    harness.advance(.seconds(46.9))
    let next = try harness.requireNext()
    harness.report(.stream(next, .tags(Self.album, about: .stream)))
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap != nil)
    harness.report(.stream(harness.token, .tags(Self.album, about: .stream)))
    #expect(harness.overlap == nil && harness.plan == [PlannedPart(harness.token), PlannedPart(next)])
  }
}
