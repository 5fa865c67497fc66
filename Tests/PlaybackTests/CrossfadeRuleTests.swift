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
      PlaybackInput.setLoop(.track), .setActionAtItemEnd(.stop), .setActionAtItemEnd(.pause), .setRate(1.5), .next,
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

  // MARK: What ends a crossfade

  /// Returns a machine with a scheduled crossfade, or in the overlap, and the streams of both items.
  private func overlap(isScheduled: Bool = false) throws -> (MachineHarness, first: StreamToken, next: StreamToken) {
    var harness = harness()
    let first = harness.token
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(5))
    if !isScheduled {
      harness.startNext(next, in: 0.5, duration: 60)
      harness.advance(.seconds(1))
      #expect(harness.current == harness.items[1])
    }
    harness.forget()
    return (harness, first, next)
  }

  @Test("A pause holds both items, and they resume together")
  func pauseDuringOverlap() throws {
    var (harness, first, _) = try overlap()
    #expect(harness.decide(.pause(fading: false)).engineCommands == [.setPlaying(false)])
    let position = harness.position
    #expect(harness.nextWake.map { $0 >= harness.now + .seconds(5) } ?? true)
    #expect(harness.advance(.seconds(3)).events.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.run(measured: position.seconds)
    #expect(harness.playhead.outgoing?.anchor.isRunning == true && harness.violations.isEmpty)
    #expect(harness.advance(.seconds(7)).events.isEmpty)
    #expect(harness.report(.ended(first)).events == [.itemDidPlayToEnd(harness.items[0])])
  }

  @Test("A pause that fades reads no data again while two items are audible")
  func fadingPause() throws {
    var (harness, _, _) = try overlap()
    #expect(harness.pause().engineCommands == [.fade(.out)])
    harness.report(.fadeOutEnds(in: .milliseconds(1_000)))
    #expect(harness.advance(.seconds(2)).engineCommands.filter { $0 != .samplePosition } == [.setPlaying(false)])
    #expect(harness.play().engineCommands == [.fade(.in), .setPlaying(true)])
  }

  @Test("A pause before the start holds the start")
  func pauseBeforeStart() throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    harness.startNext(next, in: 0.5, duration: 60)
    harness.advance(.milliseconds(200))
    harness.decide(.pause(fading: false))
    #expect(harness.advance(.seconds(2)).events.isEmpty)
    _ = harness.play()
    harness.run()
    #expect(harness.advance(.milliseconds(299)).events.isEmpty)
    #expect(!harness.advance(.milliseconds(2)).events.isEmpty)
  }

  /// An input that ends an overlap, and whether the current item continues with a seek.
  struct Ending: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var input: PlaybackInput
  }

  static let endings = [
    Ending(testDescription: "a seek", input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 7))),
    Ending(testDescription: "another rate", input: .setRate(1.5)),
    Ending(testDescription: "Next", input: .next), Ending(testDescription: "Previous", input: .previous),
    Ending(testDescription: "Stop", input: .stop),
    Ending(testDescription: "another queue", input: .replaceQueue([Player.Item(uri: "file:///new")])),
    Ending(testDescription: "an empty queue", input: .replaceQueue([])),
    Ending(
      testDescription: "another output",
      input: .setAudioOutput(AudioOutput(id: "o", name: "", isDefault: false, sinkDescription: "o"))),
    Ending(testDescription: "the end of the engine", input: .event(.replaced(after: .tearDown))),
    Ending(
      testDescription: "a lost output",
      input: .event(.failed(StreamToken(number: 99), PlayerError(code: .output, message: "")))),
  ]

  @Test(
    "What changes the stream of the current item ends the previous one, whose end is reported once", arguments: endings)
  func ending(ending: Ending) throws {
    var (harness, first, _) = try overlap()
    let commands = harness.decide(ending.input)
    #expect(commands.engineCommands.contains(.release(first)))
    let ends = harness.effects.events.filter { $0 == .itemDidPlayToEnd(harness.items[0]) }
    #expect(ends.count == 1)
    #expect(harness.violations.isEmpty && harness.playhead.outgoing == nil)
    #expect(harness.report(.ended(first)).events.isEmpty)
  }

  @Test(
    "What changes the stream of the current item, or the item after it, closes the next one",
    arguments: endings.filter { $0.testDescription != "Previous" })
  func endingBefore(ending: Ending) throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    let commands = harness.decide(ending.input)
    #expect(commands.engineCommands.contains(.release(next)))
    #expect(harness.violations.isEmpty)
    #expect(!harness.effects.events.contains(.itemDidPlayToEnd(harness.items[0])))
  }

  @Test("An end of the engine counts for neither of two items that are open")
  func engineEnds() throws {
    for isScheduled in [true, false] {
      var (harness, first, next) = try overlap(isScheduled: isScheduled)
      let end = EngineEnd(reason: "SIGSEGV", newestStream: next)
      harness.report(.replaced(after: .process(end)))
      #expect(harness.lastEffects.engineCommands.contains(.release(isScheduled ? next : first)))
      let fails = [false, true].map { _ in
        let again = EngineEnd(reason: "SIGSEGV", newestStream: harness.token)
        return harness.report(.replaced(after: .process(again))).events.contains {
          if case .itemFailed = $0 { true } else { false }
        }
      }
      #expect(fails == [false, true])
    }
  }

  @Test("An edit that changes the next item closes it, and does not concern an item that is audible")
  func edits() throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    #expect(harness.decide(.remove(harness.items[1].id)).engineCommands == [.release(next)])
    let again = try harness.requirePrepared()
    #expect(again != next)
    var (audible, first, _) = try overlap()
    #expect(audible.decide(.remove(audible.items[0].id)).engineCommands.isEmpty)
    #expect(audible.decide(.remove(audible.items[2].id)).engineCommands.isEmpty)
    #expect(audible.decide(.setCrossfade(Player.Crossfade())).engineCommands == [.setCrossfading(false)])
    #expect(audible.report(.ended(first)).events == [.itemDidPlayToEnd(audible.items[0])])
  }

  @Test("A stream that fails while it fades out has ended; one that fails while it fades in ends the other")
  func failures() throws {
    var (harness, first, _) = try overlap()
    let error = PlayerError(code: .corrupt, message: "scripted")
    #expect(harness.report(.failed(first, error)).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.current == harness.items[1] && harness.isAdvancing)
    var (other, outgoing, _) = try overlap()
    let effects = other.fail(.corrupt)
    #expect(effects.engineCommands.contains(.release(outgoing)))
    #expect(other.current == other.items[2] && other.violations.isEmpty)
  }

  @Test("A next item that fails between its start and its first audible sample fails when it is current")
  func failureAtStart() throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    harness.startNext(next, in: 0.5, duration: 60)
    #expect(harness.report(.failed(next, PlayerError(code: .corrupt, message: "scripted"))).events.isEmpty)
    harness.advance(.seconds(1))
    let failed = harness.effects.events.contains {
      if case .itemFailed(let item, _) = $0 { item == harness.items[1] } else { false }
    }
    #expect(failed && harness.current == harness.items[2] && harness.violations.isEmpty)
  }

  @Test("An item that ends before its fade reports its end, and the next one is opened again or continues")
  func earlyEnd() throws {
    var (harness, first, next) = try overlap(isScheduled: true)
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current == harness.items[1])
    #expect(harness.lastEffects.engineCommands.contains(.release(next)))
    var (started, _, stream) = try overlap(isScheduled: true)
    started.startNext(stream, in: 0.5, duration: 60)
    let effects = started.report(.ended(first))
    #expect(effects.engineCommands == [.enter(stream)])
    #expect(effects.events.contains(.itemDidPlayToEnd(started.items[0])))
    #expect(started.current == started.items[1])
  }

  @Test("An item that fades out without a report of its end is ended some time later")
  func missingEnd() throws {
    var (harness, first, _) = try overlap()
    let effects = harness.advance(.seconds(20))
    #expect(effects.engineCommands.contains(.release(first)))
    #expect(effects.events.filter { $0 == .itemDidPlayToEnd(harness.items[0]) }.count == 1)
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

  // MARK: Skips

  @Test(
    "A command that selects another item fades the present one out, if it is audible",
    arguments: [PlaybackInput.next, .previous])
  func skip(input: PlaybackInput) {
    let settings = Player.Crossfade(skipLength: .seconds(1))
    var harness = MachineHarness(3, at: 1, configuration: Player.Configuration())
    harness.decide(.setCrossfade(settings))
    harness.start(duration: 60)
    harness.advance(.seconds(3))
    let commands = harness.decide(input).engineCommands
    #expect(commands.first == .leave(CrossfadeShape(length: .seconds(1), curve: .equalPower)))
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
