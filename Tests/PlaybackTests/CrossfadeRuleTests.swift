import Testing

@testable import Playback

/// The tests of crossfades of 6 s with a scripted engine, between items of a minute.
@Suite("Crossfade rules")
struct CrossfadeRuleTests {
  private static let shape = CrossfadeShape(length: .seconds(6), curve: .equalPower)
  private static let whole = Successor.Overlap(start: .seconds(54), end: .seconds(60))

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

  @Test("The next item is opened before the overlap, and is current with its first sample")
  func crossfade() throws {
    var harness = harness()
    let first = harness.token
    #expect(harness.advanceUnmeasured(49.9).isEmpty)
    let next = try harness.requireNext()
    #expect(harness.position >= .seconds(50) && harness.position <= .milliseconds(50_050))
    let open = EngineCommand.open(StreamRequest(uri: "file:///1", stream: next))
    #expect(harness.lastEffects.engineCommands == [open, .plan([PlannedPart(first), PlannedPart(next)])])
    let settled = harness.settleNext(next, duration: 60)
    let plan = [PlannedPart(first, end: .seconds(60)), PlannedPart(next, join: .overlap(Self.shape))]
    #expect(settled.engineCommands == [.plan(plan)] && settled.events.isEmpty)
    #expect(harness.overlap == Self.whole && harness.offer() == nil)
    #expect(harness.advanceUnmeasured(4).isEmpty)
    #expect(harness.current == harness.items[0])
    let entered = harness.report(.audible(next, at: .zero))
    #expect(entered.engineCommands.isEmpty && harness.plan == plan)
    #expect(entered.events == [.currentItemChanged(from: harness.items[0], to: harness.items[1])])
    #expect(entered.hasChanged)
    #expect(harness.position == .zero && harness.isAdvancing && harness.snapshot.duration == .seconds(60))
    #expect(harness.advance(.seconds(6)).events.isEmpty)
    let ended = harness.report(.stream(first, .ended(at: .seconds(60))))
    #expect(ended.events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(ended.engineCommands == [.close(first), .plan([plan[1]])])
    #expect(harness.report(.stream(first, .ended(at: nil))).events.isEmpty)
    #expect(harness.position == .seconds(6) && harness.violations.isEmpty)
  }

  @Test("Without crossfades, the next item is opened when the current one is decoded, and follows gaplessly")
  func off() throws {
    var harness = harness(crossfade: Player.Crossfade())
    #expect(harness.advanceUnmeasured(59).isEmpty)
    let next = try harness.requireOffer().stream
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == nil && harness.plan == [PlannedPart(harness.token), PlannedPart(next)])
  }

  // MARK: Items that follow gaplessly

  /// A reason for which an item follows gaplessly, although it was opened for a crossfade.
  struct Exception: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var scheme = "file"
    var facts = StreamFacts(duration: .seconds(60))
    var isSettled = true
    var next: [@Sendable (StreamToken) -> EngineEvent] = []
    /// Whether the stream of the next item stays open.
    var isKept = true
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
      next: [{ .stream($0, .chapters([Chapter(start: .zero, duration: nil, title: "1")])) }]),
    Exception(
      testDescription: "an item whose data is late", scheme: "http",
      next: [{ .stream($0, .buffering(percent: 99, StreamProgress())) }]),
    Exception(
      testDescription: "an item that fails",
      next: [{ .stream($0, .failed(PlayerError(code: .corrupt, message: "scripted"))) }], isKept: false),
  ]

  @Test("An item that cannot crossfade follows gaplessly, without a report", arguments: exceptions)
  func exception(exception: Exception) throws {
    var harness = harness(scheme: exception.scheme)
    let first = harness.token
    harness.advance(.seconds(exception.scheme == "file" ? 49.9 : 41.9))
    let next = try harness.requireNext()
    for event in exception.next { harness.report(event(next)) }
    if exception.isSettled { harness.report(.stream(next, .settled(exception.facts))) }
    harness.advance(.seconds(exception.scheme == "file" ? 9.6 : 17.6))
    // Less than a second before the end, an overlap would be too short.
    if !exception.isSettled { harness.report(.stream(next, .settled(exception.facts))) }
    #expect(harness.overlap == nil)
    #expect(harness.plan == [PlannedPart(first)] + (exception.isKept ? [PlannedPart(next)] : []))
    harness.advance(.seconds(1))
    #expect(harness.effects.events.isEmpty)
    if exception.isKept {
      harness.enterNext(next)
    } else {
      #expect(harness.effects.closed == [next])
      #expect(harness.end().opened == [StreamRequest(uri: harness.items[1].uri, stream: harness.token)])
    }
    let events = [
      Player.Event.itemDidPlayToEnd(harness.items[0]),
      .currentItemChanged(from: harness.items[0], to: harness.items[1]),
    ]
    #expect(harness.effects.events == events && harness.violations.isEmpty)
  }

  @Test(
    "Items of one album follow gaplessly, and items of two albums crossfade",
    arguments: [
      ("A", Self.tags(album: "A"), true), ("A", Self.tags(album: "B"), false), (nil, Self.tags(album: "A"), false),
      ("A", MediaMetadata(), true), ("A", Self.tags(album: nil, title: "x"), false), (nil, MediaMetadata(), false),
    ])
  func album(album: String?, next: MediaMetadata, isOne: Bool) throws {
    var harness = harness()
    harness.report(.stream(harness.token, .tags(Self.tags(album: album), about: .stream)))
    harness.advance(.seconds(49.9))
    let stream = try harness.requireNext()
    harness.report(.stream(stream, .tags(next, about: .stream)))
    harness.settleNext(stream, duration: 60)
    harness.advance(.seconds(2))
    #expect(harness.overlap == (isOne ? nil : Self.whole))
    #expect(harness.nextPart == PlannedPart(stream, join: isOne ? .gapless : .overlap(Self.shape)))
    #expect(harness.plan.first == PlannedPart(harness.token, end: isOne ? nil : .seconds(60)))
  }

  @Test("Items with the same album tag in two folders crossfade")
  func folders() throws {
    var harness = harness()
    let (first, second) = (Player.Item(uri: "file:///a/1"), Player.Item(uri: "file:///b/2"))
    harness.decide(.replaceQueue([first, second]))
    harness.settle(duration: 60)
    harness.run()
    harness.report(.stream(harness.token, .tags(Self.tags(album: "A"), about: .stream)))
    harness.advance(.seconds(49.9))
    let stream = try harness.requireNext()
    harness.settleNext(stream, duration: 60)
    harness.report(.stream(stream, .tags(Self.tags(album: "A"), about: .stream)))
    #expect(harness.overlap == Self.whole)
    #expect(harness.nextPart == PlannedPart(stream, join: .overlap(Self.shape)))
  }

  @Test(
    "No item is opened before the current one is decoded when none follows in a crossfade",
    arguments: [
      PlaybackInput.setLoop(.track), .setActionAtItemEnd(.stop), .setActionAtItemEnd(.pause), .advance(by: 1),
      .setCrossfade(Player.Crossfade()), .suspendCrossfade(true),
    ])
  func noFollower(input: PlaybackInput) {
    var harness = harness(2)
    harness.decide(input)
    if harness.streamState == .loading { harness.settle(duration: 60) }
    harness.run()
    harness.forget()
    harness.advance(.seconds(59))
    #expect(harness.effects.opened.isEmpty && harness.successors.isEmpty)
  }

  @Test("The only item of a repeated queue and a short item are followed without a crossfade")
  func others() {
    var single = harness(1, loop: .playlist)
    single.advance(.seconds(59))
    #expect(single.successors.isEmpty)
    var short = harness(duration: 11.9)
    short.advance(.seconds(11))
    #expect(short.successors.isEmpty)
    // An item from a server is opened ahead in any case.
    var network = harness(scheme: "http", duration: 11.9)
    network.advance(.seconds(1))
    if let next = network.successors.last?.token { network.settleNext(next, duration: 60) }
    #expect(network.successors.count == 1 && network.overlap == nil)
  }

  // MARK: Parts of media

  private func part(_ uri: String, _ start: Int, _ end: Int?) -> Player.Item {
    Player.Item(uri: uri, externalMetadata: nil, start: .seconds(start), end: end.map { .seconds($0) })
  }

  @Test("The first part of a media crossfades, up to the end of the parts that are joined to it")
  func firstPart() throws {
    var harness = harness(1)
    let first = harness.token
    let parts = [part("file:///m", 0, 30), part("file:///m", 30, 50)]
    harness.decide(.insert(parts, after: harness.items[0].id))
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    #expect(harness.nextPart == PlannedPart(next, end: .seconds(50)))
    harness.settleNext(next, duration: 60)
    #expect(harness.nextPart == PlannedPart(next, end: .seconds(50), join: .overlap(Self.shape)))
    let shorter = PlannedPart(next, end: .seconds(30), join: .overlap(Self.shape))
    let edit = harness.decide(.remove([parts[1].id]))
    #expect(edit.engineCommands == [.plan([PlannedPart(first, end: .seconds(60)), shorter])])
    #expect(harness.overlap == Self.whole)
    harness.advance(.seconds(4))
    harness.report(.audible(next, at: .zero))
    #expect(harness.current == parts[0] && harness.snapshot.duration == .seconds(30) && harness.violations.isEmpty)
  }

  @Test("A part of a media overlaps with a part of another one, in the times of their media")
  func parts() throws {
    var harness = harness(1)
    let items = [part("file:///a", 10, 70), part("file:///b", 5, 65), part("file:///c", 3, nil)]
    harness.decide(.replaceQueue(items))
    #expect(harness.effects.opened.last?.start == .seconds(10))
    harness.settle(duration: 100)
    harness.run(measured: 10)
    let first = harness.token
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    #expect(harness.lastEffects.opened == [StreamRequest(uri: "file:///b", stream: next, start: .seconds(5))])
    harness.settleNext(next, duration: 100)
    let plan = [
      PlannedPart(first, end: .seconds(70)), PlannedPart(next, end: .seconds(65), join: .overlap(Self.shape)),
    ]
    #expect(harness.overlap == Self.whole && harness.plan == plan)
    harness.advance(.seconds(4))
    let entered = harness.report(.audible(next, at: .seconds(5)))
    #expect(entered.events == [.currentItemChanged(from: items[0], to: items[1])] && harness.plan == plan)
    #expect(harness.position == .zero && harness.snapshot.duration == .seconds(60))
    harness.advance(.seconds(6))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(60))
    #expect(harness.report(.stream(first, .ended(at: .seconds(70)))).events == [.itemDidPlayToEnd(items[0])])
    harness.advance(.seconds(43.9))
    let last = try harness.requireNext()
    harness.settleNext(last, duration: 63)
    #expect(harness.overlap == Self.whole)
    #expect(harness.plan.map(\.end) == [.seconds(65), nil] && harness.nextPart?.join == .overlap(Self.shape))
    harness.advance(.seconds(4))
    harness.report(.audible(last, at: .seconds(3)))
    #expect(harness.current == items[2] && harness.position == .zero && harness.snapshot.duration == .seconds(60))
    #expect(harness.violations.isEmpty)
  }

  @Test("A part that follows another part of the same file does not overlap with it")
  func partsOfOneFile() throws {
    var harness = harness(1)
    harness.decide(.replaceQueue([part("file:///a", 10, 70), part("file:///a", 5, 65)]))
    harness.settle(duration: 100)
    harness.run(measured: 10)
    harness.advance(.seconds(59))
    #expect(harness.successors.isEmpty)
    let next = try harness.requireOffer().stream
    harness.settleNext(next, duration: 100)
    #expect(harness.overlap == nil && harness.nextPart == PlannedPart(next, end: .seconds(65)))
  }

  @Test(
    "A part that ends beyond its media does not crossfade: that end never comes", arguments: [true, false])
  func partBeyondMedia(isNext: Bool) {
    var harness = harness(1)
    let part = part("file:///m", 0, 61)
    let other = Player.Item(uri: "file:///other")
    harness.decide(.replaceQueue(isNext ? [other, part] : [part, other]))
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(51))
    let next = harness.lastSuccessor
    if let next { harness.settleNext(next, duration: 60) }
    harness.advance(.seconds(8))
    #expect(harness.overlap == nil && (next != nil) == isNext && harness.violations.isEmpty)
  }

  // MARK: Times

  @Test("At another speed, an overlap contains more of the media, and its length is a time of the output")
  func rate() throws {
    var harness = harness()
    let first = harness.token
    harness.decide(.setRate(2))
    harness.run()
    #expect(harness.advanceUnmeasured(19.9).isEmpty)
    let next = try harness.requireNext()
    #expect(harness.position >= .seconds(40) && harness.position <= .milliseconds(40_100))
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == Successor.Overlap(start: .seconds(48), end: .seconds(60)))
    let plan = [PlannedPart(first, end: .seconds(60)), PlannedPart(next, join: .overlap(Self.shape))]
    #expect(harness.plan == plan && harness.engineSettings.rate == 2)
    harness.advance(.seconds(4))
    #expect(harness.report(.audible(next, at: .zero)).engineCommands.isEmpty)
    #expect(harness.plan == plan)
    harness.advance(.seconds(3))
    #expect(harness.position == .seconds(6))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(54))
    harness.advance(.seconds(3))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(60))
    #expect(harness.report(.stream(first, .ended(at: .seconds(60)))).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.position == .seconds(12) && harness.violations.isEmpty)
  }

  @Test("At a speed at which two overlaps do not fit into an item, it follows gaplessly")
  func highRate() throws {
    var harness = harness()
    harness.decide(.setRate(6))
    harness.run()
    let next = try harness.prepareNext(duration: 60)
    harness.advance(.seconds(5))
    #expect(harness.overlap == nil && harness.nextPart == PlannedPart(next))
  }

  @Test("An item that plays at the normal speed alone does not overlap with one at another speed")
  func unseekable() throws {
    var harness = harness()
    harness.decide(.setRate(2))
    harness.run()
    harness.advance(.seconds(20.1))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60, isSeekable: false)
    #expect(harness.overlap == nil && harness.engineSettings.rate == 2)
    harness.enterNext(next)
    #expect(harness.engineSettings.rate == 1)
  }

  @Test("Another speed before an overlap moves its start, as far as it still can be moved")
  func otherRate() throws {
    var harness = harness()
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(1))
    let position = harness.position
    harness.decide(.setRate(2))
    let overlap = Successor.Overlap(start: position + .seconds(1), end: .seconds(60))
    #expect(harness.overlap == overlap && harness.successors.map(\.token) == [next])
    let shape = CrossfadeShape(length: overlap.length / 2.0, curve: .equalPower)
    #expect(harness.nextPart == PlannedPart(next, join: .overlap(shape)))
    harness.decide(.setRate(0.5))
    #expect(harness.overlap == Successor.Overlap(start: .seconds(57), end: .seconds(60)))
    #expect(harness.nextPart == PlannedPart(next, join: .overlap(Self.shape)) && harness.violations.isEmpty)
  }

  @Test("After a seek towards the end, what remains overlaps, if it is long enough")
  func lateSeek() throws {
    var harness = harness()
    for (target, start) in [(50, 54), (55, 55.5), (58, 58.5), (58.6, nil)] as [(Double, Double?)] {
      let old = harness.successors.map(\.token)
      #expect(harness.seek(target).closed == old && harness.successors.isEmpty)
      harness.settle(duration: 60)
      harness.run()
      let next = try harness.requireNext()
      harness.settleNext(next, duration: 60)
      let overlap = start.map { Successor.Overlap(start: .seconds($0), end: .seconds(60)) }
      #expect(harness.overlap == overlap)
      let shape = overlap.map { CrossfadeShape(length: $0.length, curve: .equalPower) }
      #expect(harness.nextPart == PlannedPart(next, join: shape.map { .overlap($0) } ?? .gapless))
      harness.advance(.milliseconds(100))
      #expect(harness.overlap == overlap)
    }
  }

  @Test("If the data of an item has been read long before its end, the next one is opened then, and still overlaps")
  func earlyRead() throws {
    var harness = harness()
    harness.advance(.seconds(20))
    let next = try harness.requireOffer()
    #expect(next.uri == harness.items[1].uri)
    harness.settleNext(next.stream, duration: 60)
    #expect(harness.overlap == Self.whole)
    #expect(harness.nextPart == PlannedPart(next.stream, join: .overlap(Self.shape)))
    #expect(harness.advance(.seconds(34)).opened.isEmpty && harness.overlap == Self.whole)
  }

  @Test("An overlap after an estimated position ends where the media ends, as far as that is known")
  func estimated() throws {
    var harness = harness(scheme: "http")
    _ = harness.seek(30)
    var facts = StreamFacts(duration: .seconds(60), position: .seconds(30))
    facts.isEstimated = true
    harness.report(.stream(harness.token, .settled(facts)))
    harness.run()
    let first = harness.token
    harness.advance(.seconds(12.1))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == Self.whole)
    #expect(harness.plan.first == PlannedPart(first, end: .seconds(60)))
    harness.advance(.seconds(51) - harness.position)
    // At this bit rate, the data ends at 58 s of the stream's time, so the position is 2 s behind.
    var progress = StreamProgress()
    progress.size = 58_000
    progress.forward(from: 30_000)
    progress.decode(from: .seconds(30))
    progress.forward(bytes: 0)
    progress.decode(until: .seconds(56))
    progress.forward(bytes: 26_000)
    progress.forward(bytes: 0)
    harness.report(.stream(first, .sampled(position: .seconds(51), progress)))
    #expect(harness.position == .seconds(53))
    #expect(harness.overlap == Self.whole)
    #expect(harness.plan.first == PlannedPart(first, end: .seconds(58)))
    #expect(harness.nextPart == PlannedPart(next, join: .overlap(Self.shape)))
    harness.advance(.seconds(1))
    harness.report(.audible(next, at: .zero))
    #expect(harness.plan.first == PlannedPart(first, end: .seconds(58)))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(54))
    harness.advance(.seconds(6))
    #expect(harness.report(.stream(first, .ended(at: .seconds(58)))).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.violations.isEmpty)
  }

  // MARK: Observers

  /// Returns observers of the first of two items, of 60 s with crossfades of 6 s.
  private static func crossfading() -> ObserverHarness {
    var watch = ObserverHarness(2)
    watch.step { $0.decide(.setCrossfade(Player.Crossfade(length: .seconds(6)))) }
    watch.step { $0.start(duration: 60) }
    return watch
  }

  @Test(
    "Boundaries in the part that fades out are reported for that item, and the next item's boundaries for the next one")
  func boundaries() throws {
    var watch = Self.crossfading()
    let first = watch.harness.token
    let (times, fractions) = (watch.observe(times: 2, 53, 57), watch.observe(fractions: 0.05, 0.95, 1))
    let remaining = watch.observe(.remaining(.seconds(1)))
    watch.advance(50.1)
    let next = try #require(watch.harness.lastSuccessor)
    watch.step { $0.settleNext(next, duration: 60) }
    watch.advance(3.9)
    watch.step { $0.report(.audible(next, at: .zero)) }
    watch.advance(5.8)
    let before = watch.crossings.map { [$0.item == watch.harness.items[0] ? 0 : 1, Int($0.boundary.seconds)] }
    #expect(before == [[0, 2], [0, 3], [0, 53], [1, 2], [0, 57], [0, 57], [1, 3], [0, 59]])
    watch.step { $0.report(.stream(first, .ended(at: .seconds(60)))) }
    watch.advance(1)
    #expect(watch.crossings.dropFirst(8).map(\.boundary) == [.seconds(60)])
    #expect(watch.crossings.last?.item == watch.harness.items[0])
    #expect(Set(watch.crossings.suffix(2).map(\.item)) == [watch.harness.items[0]])
    #expect(times != fractions && fractions != remaining)
  }

  @Test("A crossfade that begins late reports no boundary again that was reported before it")
  func boundariesBeforeLateEntry() throws {
    var watch = Self.crossfading()
    _ = (watch.observe(times: 55), watch.observe(fractions: 0.92, 0.95))
    watch.advance(50.1)
    let next = try #require(watch.harness.lastSuccessor)
    watch.step { $0.settleNext(next, duration: 60) }
    watch.advance(5.9)
    watch.step { $0.report(.audible(next, at: .zero)) }
    watch.advance(5)
    #expect(watch.crossings.map { Int(($0.boundary.seconds * 10).rounded()) } == [550, 552, 570])
  }

  @Test("Fractions of an item whose silence is skipped count its whole duration, also while it fades out")
  func fractionsBeforeSilence() throws {
    var watch = Self.crossfading()
    watch.step { $0.decide(.loudness(.silence(from: .seconds(50), of: $0.token))) }
    _ = watch.observe(fractions: 0.75, 0.8)
    watch.advance(40.1)
    let next = try #require(watch.harness.lastSuccessor)
    watch.step { $0.settleNext(next, duration: 60) }
    watch.advance(3.9)
    watch.step { $0.report(.audible(next, at: .zero)) }
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
    let shape = CrossfadeShape(length: .seconds(1), curve: .equalPower)
    var harness = MachineHarness(4, at: 1, configuration: Player.Configuration())
    harness.decide(.setCrossfade(settings))
    harness.start(duration: 60)
    harness.advance(.seconds(3))
    let skipped = PlannedPart(harness.token, fadeOut: shape)
    let effects = harness.decide(input)
    #expect(effects.closed.isEmpty && effects.opened.count == 1 && effects.plan == [skipped])
    // The item that is being opened is silent.
    let opening = harness.token
    let again = harness.next()
    #expect(again.closed == [opening] && again.plan == nil && harness.plan == [skipped])
    harness.settle(duration: 60)
    #expect(harness.plan == [skipped, PlannedPart(harness.token, join: .fadeIn(shape))])
    harness.run()
    #expect(harness.advance(.seconds(1)).closed.isEmpty)
    #expect(harness.report(.stream(skipped.stream, .ended(at: nil))).closed == [skipped.stream])
    _ = harness.pause()
    _ = harness.previous()
    #expect(harness.plan.isEmpty)
  }

  @Test("A skipped item fades out at its speed, while the next one is opened")
  func skipAtRate() {
    var harness = harness(crossfade: Player.Crossfade(skipLength: .seconds(1)))
    harness.decide(.setRate(2))
    harness.run()
    #expect(harness.next().settings == nil && harness.engineSettings.rate == 2)
    #expect(harness.settle(duration: 60).settings == nil && harness.engineSettings.rate == 2)
  }

  // MARK: Settings

  @Test("Lengths are limited")
  func limits() {
    var crossfade = Player.Crossfade(length: .seconds(99), skipLength: .seconds(-1))
    #expect(crossfade.length == .seconds(15) && crossfade.skipLength == .zero)
    (crossfade.length, crossfade.skipLength) = (.seconds(-1), .seconds(6))
    #expect(crossfade.length == .zero && crossfade.skipLength == .seconds(5))
  }

  @Test("In low power mode, the engine also knows the overlap as soon as the next item is ready")
  func lowPower() throws {
    var harness = MachineHarness(2)
    harness.decide(.setLowPowerMode(true))
    harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(6))))
    harness.start(duration: 60)
    #expect(harness.engineSettings.isLowPowerModeEnabled)
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    let settled = harness.settleNext(next, duration: 60)
    #expect(settled.plan?.last == PlannedPart(next, join: .overlap(Self.shape)) && harness.overlap == Self.whole)
    #expect(harness.position < .milliseconds(50_100))
  }
}
