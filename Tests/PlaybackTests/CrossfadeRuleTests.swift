import Testing

@testable import Playback

/// The tests of crossfades of 6 s on a scripted pipeline, between items of a minute.
@Suite("Crossfade rules")
struct CrossfadeRuleTests {
  private static let shape = CrossfadeShape(length: .seconds(6), curve: .equalPower)

  /// Returns a machine that plays its first item, which is one minute long.
  private func harness(
    _ count: Int = 3, loop: Player.LoopMode = .none, scheme: String = "file", duration: Double = 60,
    crossfade: Player.Crossfade = Player.Crossfade(length: .seconds(6))
  ) -> MachineHarness {
    var configuration = Player.Configuration(fade: .seconds(1))
    configuration.crossfade = crossfade
    var harness = MachineHarness(count, loop: loop, configuration: configuration, scheme: scheme)
    harness.start(duration: duration)
    return harness
  }

  @Test("The next item is opened before the fade, and is current with its first sample")
  func crossfade() throws {
    var harness = harness()
    let first = harness.token
    #expect(harness.advanceUnmeasured(48.4).isEmpty)
    let next = try harness.requirePrepared()
    #expect(harness.snapshot.position >= .milliseconds(48_500))
    #expect(harness.settleIncoming(next).events.isEmpty)
    #expect(harness.advanceUnmeasured(3.9).isEmpty)
    #expect(harness.advanceUnmeasured(0.2) == [.crossfade(to: next, at: .seconds(54), Self.shape)])
    #expect(harness.offer() == nil)
    harness.advance(.seconds(1))
    harness.startNext(next, in: 0.4, duration: 60)
    #expect(harness.current == harness.items[0])
    let entered = harness.advance(.milliseconds(400))
    #expect(entered.engineCommands == [.enter(next)])
    #expect(entered.events == [.currentItemChanged(from: harness.items[0], to: harness.items[1])])
    #expect(entered.hasChanged)
    #expect(harness.position == .zero && harness.isAdvancing && harness.snapshot.duration == .seconds(60))
    #expect(harness.advance(.seconds(6)).events.isEmpty)
    #expect(harness.report(.ended(first)).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.report(.ended(first)).events.isEmpty)
    #expect(harness.position == .seconds(6) && harness.violations.isEmpty)
  }

  @Test("The position is measured when the next item is opened, because the output's clock may have drifted")
  func measurement() throws {
    var harness = harness()
    harness.advance(.seconds(48))
    let commands = harness.advance(.seconds(1)).engineCommands
    #expect(commands.contains(.samplePosition) && harness.lastPrepared != nil)
  }

  @Test("Without crossfades, no second stream is opened")
  func off() {
    var harness = harness(crossfade: Player.Crossfade())
    #expect(harness.advanceUnmeasured(59).isEmpty)
    #expect(harness.offer() != nil)
  }

  // MARK: Items that follow gaplessly

  /// A reason for which an item follows gaplessly, although it was opened for a crossfade.
  struct Exception: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var scheme = "file"
    var facts = StreamFacts(duration: .seconds(60))
    var isSettled = true
    var current: [EngineEvent] = []
    var next: [@Sendable (StreamToken) -> EngineEvent] = []
  }

  private static func tags(album: String?, title: String? = nil) -> MediaMetadata {
    var metadata = MediaMetadata()
    (metadata.album, metadata.title) = (album, title)
    return metadata
  }

  static let exceptions = [
    Exception(testDescription: "a short item", facts: StreamFacts(duration: .milliseconds(11_900))),
    Exception(testDescription: "an item of 20 minutes", facts: StreamFacts(duration: .seconds(1_200))),
    Exception(testDescription: "an item of unknown duration", facts: StreamFacts(duration: nil)),
    Exception(testDescription: "a live item", facts: StreamFacts(duration: .seconds(60), isLive: true)),
    Exception(testDescription: "an item that is late", isSettled: false),
    Exception(
      testDescription: "an item with chapters",
      next: [{ .chapters($0, [Chapter(start: .zero, duration: nil, title: "1")]) }]),
    Exception(
      testDescription: "an item whose data is late", scheme: "http",
      next: [{ .buffering($0, percent: 99, StreamProgress()) }]),
    Exception(
      testDescription: "an item that fails",
      next: [{ .failed($0, PlayerError(code: .corrupt, message: "scripted")) }]),
  ]

  @Test("An item that cannot crossfade follows gaplessly, without a report", arguments: exceptions)
  func exception(exception: Exception) throws {
    var harness = harness(scheme: exception.scheme)
    harness.advance(.seconds(exception.scheme == "file" ? 48.4 : 40.4))
    let next = try harness.requirePrepared()
    if exception.isSettled { harness.report(.settled(next, exception.facts)) }
    for event in exception.next { harness.report(event(next)) }
    harness.advance(.seconds(13))
    #expect(harness.effects.engineCommands.contains(.release(next)))
    #expect(harness.crossfades.isEmpty)
    #expect(harness.effects.events.allSatisfy { if case .itemFailed = $0 { false } else { true } })
    #expect(harness.offer()?.uri == harness.items[1].uri)
    #expect(harness.violations.isEmpty)
  }

  @Test(
    "Items of one album follow gaplessly, and items of two albums crossfade",
    arguments: [
      ("A", Self.tags(album: "A"), true), ("A", Self.tags(album: "B"), false), (nil, Self.tags(album: "A"), false),
      ("A", MediaMetadata(), true), ("A", Self.tags(album: nil, title: "x"), false), (nil, MediaMetadata(), false),
    ])
  func album(album: String?, next: MediaMetadata, isOne: Bool) throws {
    var harness = harness()
    harness.report(.tags(harness.token, Self.tags(album: album), about: .stream))
    harness.advance(.seconds(48.4))
    let stream = try harness.requirePrepared()
    harness.settleIncoming(stream)
    harness.report(.tags(stream, next, about: .stream))
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades.isEmpty == isOne)
    #expect((harness.offer() == nil) != isOne)
  }

  @Test("Items with the same album tag in two folders crossfade")
  func folders() throws {
    var harness = harness()
    let (first, second) = (Player.Item(uri: "file:///a/1"), Player.Item(uri: "file:///b/2"))
    harness.decide(.replaceQueue([first, second]))
    harness.settle(duration: 60)
    harness.run()
    harness.report(.tags(harness.token, Self.tags(album: "A"), about: .stream))
    harness.advance(.seconds(48.4))
    let stream = try harness.requirePrepared()
    harness.settleIncoming(stream)
    harness.report(.tags(stream, Self.tags(album: "A"), about: .stream))
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: stream, at: .seconds(54), Self.shape)])
  }

  @Test(
    "No item is opened when none follows in a crossfade",
    arguments: [
      PlaybackInput.setLoop(.track), .setActionAtItemEnd(.stop), .setActionAtItemEnd(.pause), .setRate(1.5),
      .advance(by: 1),
      .setCrossfade(Player.Crossfade()),
    ])
  func noFollower(input: PlaybackInput) {
    var harness = harness(2)
    harness.decide(input)
    if harness.isSeeking || harness.streamState == .loading { harness.settle(duration: 60) }
    harness.run()
    harness.advance(.seconds(59))
    #expect(harness.prepared.isEmpty)
  }

  @Test("The only item of a repeated queue, a part of another media and a live stream follow without a crossfade")
  func others() {
    var single = harness(1, loop: .playlist)
    single.advance(.seconds(59))
    #expect(single.prepared.isEmpty)
    var clip = harness(1)
    let part = Player.Item(uri: "file:///clip", externalMetadata: nil, start: .seconds(1), end: .seconds(90))
    clip.decide(.insert([part], after: clip.items[0].id))
    clip.advance(.seconds(59))
    #expect(clip.prepared.isEmpty)
    for scheme in ["file", "http"] {
      var short = harness(scheme: scheme, duration: 11.9)
      short.advance(.seconds(11))
      #expect(short.prepared.isEmpty)
    }
  }

  @Test("The first part of a media crossfades, up to the end of the parts that are joined to it")
  func firstPart() throws {
    var harness = harness(1)
    let parts = [
      Player.Item(uri: "file:///m", externalMetadata: nil, start: .zero, end: .seconds(30)),
      Player.Item(uri: "file:///m", externalMetadata: nil, start: .seconds(30), end: .seconds(50)),
    ]
    harness.decide(.insert(ItemList(parts), after: harness.items[0].id))
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    #expect(harness.effects.engineCommands.contains(.endStream(next, at: .seconds(50))))
    harness.settleIncoming(next)
    #expect(harness.decide(.remove([parts[1].id])).engineCommands == [.endStream(next, at: .seconds(30))])
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(54), Self.shape)])
    harness.startNext(next, in: 0.4, duration: 60)
    harness.advance(.seconds(1))
    #expect(harness.current == parts[0] && harness.snapshot.duration == .seconds(30) && harness.violations.isEmpty)
  }

  @Test(
    "A part that ends beyond its media does not crossfade: that end never comes", arguments: [true, false])
  func partBeyondMedia(isNext: Bool) {
    var harness = harness(1)
    let part = Player.Item(uri: "file:///m", externalMetadata: nil, start: .zero, end: .seconds(61))
    let other = Player.Item(uri: "file:///other")
    harness.decide(.replaceQueue(isNext ? [other, part] : [part, other]))
    harness.settle(duration: 60)
    if harness.isSeeking { harness.settle(duration: 60) }
    harness.run()
    harness.advance(.seconds(50))
    if let next = harness.lastPrepared { harness.settleIncoming(next) }
    harness.advance(.seconds(9))
    #expect(harness.crossfades.isEmpty && (harness.lastPrepared != nil) == isNext && harness.violations.isEmpty)
  }

  @Test("After a seek towards the end, what remains is crossfaded, if it is long enough")
  func lateSeek() throws {
    var harness = harness()
    _ = harness.seek(50)
    harness.settle(duration: 60)
    harness.run()
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(3))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(54), Self.shape)])
    harness.forget()
    _ = harness.seek(55)
    harness.settle(duration: 60)
    harness.run()
    let again = try harness.requirePrepared()
    harness.settleIncoming(again)
    harness.advance(.milliseconds(600))
    let shorter = CrossfadeShape(length: .seconds(3), curve: .equalPower)
    #expect(harness.crossfades == [.crossfade(to: again, at: .seconds(57), shorter)])
    harness.forget()
    _ = harness.seek(57.5)
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(1))
    #expect(harness.prepared.isEmpty && harness.offer() != nil)
  }

  @Test("If the data of an item has been read before the decision, the decision is made then")
  func earlyOffer() throws {
    var harness = harness()
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    #expect(harness.offer()?.uri == harness.items[1].uri)
    #expect(harness.effects.engineCommands.contains(.release(next)))
    var ready = self.harness()
    ready.advance(.seconds(48.4))
    let stream = try ready.requirePrepared()
    ready.settleIncoming(stream)
    #expect(ready.offer() == nil)
    #expect(ready.crossfades == [.crossfade(to: stream, at: .seconds(54), Self.shape)])
  }

  @Test("An output that plays one stream fades the item out, and the next one in")
  func oneStream() throws {
    var harness = harness()
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    var error = PlayerError(code: .output, message: "busy")
    error.isUnusableOutput = true
    harness.report(.failed(next, error))
    let half = CrossfadeShape(length: .seconds(3), curve: .equalPower)
    #expect(harness.crossfades == [.crossfade(to: nil, at: .seconds(57), half)])
    #expect(harness.offer() == nil)
    harness.advance(.seconds(11.6))
    let first = harness.token
    harness.end()
    #expect(harness.current == harness.items[1] && harness.token != first && harness.violations.isEmpty)
  }

  // MARK: Observers

  @Test(
    "Boundaries in the part that fades out are reported for the item that fades out, and those of the next one for it")
  func boundaries() throws {
    var watch = ObserverHarness(2)
    watch.step { $0.decide(.setCrossfade(Player.Crossfade(length: .seconds(6)))) }
    watch.step { $0.start(duration: 60) }
    let first = watch.harness.token
    let (times, fractions) = (watch.observe(times: 2, 53, 57), watch.observe(fractions: 0.05, 0.95, 1))
    let remaining = watch.observe(.remaining(.seconds(1)))
    watch.advance(50)
    let next = try #require(watch.harness.lastPrepared)
    watch.step { $0.report(.settled(next, StreamFacts(duration: .seconds(60)))) }
    watch.advance(3.9)
    watch.step { $0.startNext(next, in: 0.1, duration: 60) }
    watch.advance(5.9)
    let before = watch.crossings.map { [$0.item == watch.harness.items[0] ? 0 : 1, Int($0.boundary.seconds)] }
    #expect(before == [[0, 2], [0, 3], [0, 53], [1, 2], [0, 57], [0, 57], [1, 3], [0, 59]])
    watch.step { $0.report(.ended(first)) }
    watch.advance(1)
    #expect(watch.crossings.dropFirst(8).map(\.boundary) == [.seconds(60)])
    #expect(watch.crossings.last?.item == watch.harness.items[0])
    #expect(Set(watch.crossings.suffix(2).map(\.item)) == [watch.harness.items[0]])
    #expect(times != fractions && fractions != remaining)
  }

  @Test("Fractions of an item whose silence is skipped are those of its whole duration, also while it fades out")
  func fractionsBeforeSilence() throws {
    var watch = ObserverHarness(2)
    watch.step { $0.decide(.setCrossfade(Player.Crossfade(length: .seconds(6)))) }
    watch.step { $0.start(duration: 60) }
    watch.step { $0.report(.silenceFound($0.token, from: .seconds(50))) }
    _ = watch.observe(fractions: 0.75, 0.8)
    watch.advance(40)
    let next = try #require(watch.harness.lastPrepared)
    watch.step { $0.report(.settled(next, StreamFacts(duration: .seconds(60)))) }
    watch.advance(3.9)
    watch.step { $0.startNext(next, in: 0.1, duration: 60) }
    watch.advance(0.5)
    #expect(watch.harness.current == watch.harness.items[1] && watch.crossings.isEmpty)
    watch.advance(5)
    #expect(watch.crossings.map(\.boundary) == [.seconds(45), .seconds(48)])
    #expect(watch.crossings.map { Int(($0.timeRemaining?.seconds ?? 0).rounded()) } == [15, 12])
    #expect(watch.crossings.allSatisfy { $0.item == watch.harness.items[0] })
  }

  // MARK: Skips

  @Test(
    "A command that selects another item fades the present one out, if it is audible",
    arguments: [PlaybackInput.advance(by: 1), .advance(by: -1)])
  func skip(input: PlaybackInput) {
    let settings = Player.Crossfade(skipLength: .seconds(1))
    var harness = MachineHarness(3, at: 1, configuration: Player.Configuration())
    harness.decide(.setCrossfade(settings))
    harness.start(duration: 60)
    harness.advance(.seconds(3))
    let skipped = harness.token
    let commands = harness.decide(input).engineCommands
    #expect(commands.first == .leave(skipped, CrossfadeShape(length: .seconds(1), curve: .equalPower)))
    // The item that is being opened is silent.
    #expect(!harness.next().engineCommands.contains { if case .leave = $0 { true } else { false } })
    harness.settle(duration: 60)
    harness.run()
    _ = harness.pause()
    #expect(!harness.previous().engineCommands.contains { if case .leave = $0 { true } else { false } })
  }

  // MARK: Settings

  @Test("Lengths are limited")
  func limits() {
    var crossfade = Player.Crossfade(length: .seconds(99), skipLength: .seconds(-1))
    #expect(crossfade.length == .seconds(15) && crossfade.skipLength == .zero)
    (crossfade.length, crossfade.skipLength) = (.seconds(-1), .seconds(6))
    #expect(crossfade.length == .zero && crossfade.skipLength == .seconds(5))
  }

  @Test("In low power mode, the engine knows the times before its larger buffer holds the samples")
  func lowPower() throws {
    var harness = MachineHarness(2)
    harness.decide(.setLowPowerMode(true))
    harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(6))))
    harness.start(duration: 60)
    harness.advance(.seconds(44.9))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades == [.crossfade(to: next, at: .seconds(54), Self.shape)])
    #expect(harness.position < .milliseconds(49_300))
  }
}
