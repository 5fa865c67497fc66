import Testing

@testable import Playback

/// The tests of what ends a crossfade of 6 s, before or while two items are audible, with a scripted engine.
@Suite("Ends of crossfades")
struct CrossfadeEndingTests {
  private static let shape = CrossfadeShape(length: .seconds(6), curve: .equalPower)
  private static let whole = Successor.Overlap(start: .seconds(54), end: .seconds(60))

  /// Returns a machine that plays its first item, which is one minute long.
  private func harness(isSeekable: Bool = true) -> MachineHarness {
    var configuration = Player.Configuration(fade: .seconds(1))
    configuration.crossfade = Player.Crossfade(length: .seconds(6))
    var harness = MachineHarness(3, configuration: configuration)
    harness.start(duration: 60, isSeekable: isSeekable)
    return harness
  }

  /// Returns a machine that plays before a decided overlap, or in the overlap, and the streams of both items.
  private func overlap(isBefore: Bool = false) throws -> (MachineHarness, first: StreamToken, next: StreamToken) {
    var harness = harness()
    let first = harness.token
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == Self.whole)
    harness.advance(.seconds(3))
    if !isBefore {
      harness.advance(.seconds(1))
      harness.report(.audible(next, at: .zero))
      harness.advance(.milliseconds(500))
      #expect(harness.current == harness.items[1])
    }
    harness.forget()
    return (harness, first, next)
  }

  // MARK: Pauses

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
    #expect(harness.report(.stream(first, .ended(at: nil))).events == [.itemDidPlayToEnd(harness.items[0])])
  }

  @Test("A pause that fades reads no data again while two items are audible")
  func fadingPause() throws {
    var (harness, _, _) = try overlap()
    #expect(harness.pause().engineCommands == [.fade(.out)])
    harness.report(.output(.fadeOutEnds(in: .milliseconds(1_000))))
    #expect(harness.advanceUnmeasured(2) == [.setPlaying(false)])
    #expect(harness.play().engineCommands == [.fade(.in), .setPlaying(true)])
  }

  @Test("A seek while two items are paused begins at the full level", arguments: [true, false])
  func seekInPause(isSkipped: Bool) throws {
    var (harness, first, _) = try overlap()
    if isSkipped {
      harness.decide(.setCrossfade(Player.Crossfade(skipLength: .seconds(3))))
      _ = harness.next()
      harness.settle(duration: 60)
      harness.run()
      #expect(harness.plan.map(\.stream) == [StreamToken(number: harness.token.number - 1), harness.token])
    }
    harness.decide(.pause(fading: false))
    let effects = harness.seek(9)
    #expect(effects.engineCommands.contains(.seek(harness.token, to: .seconds(9))))
    #expect(harness.plan == [PlannedPart(harness.token)] && !harness.openStreams.contains(first))
    harness.settle(duration: 60)
    #expect(harness.plan == [PlannedPart(harness.token)] && harness.violations.isEmpty)
  }

  @Test("A pause before an overlap leaves it as it is")
  func pauseBeforeOverlap() throws {
    var (harness, _, next) = try overlap(isBefore: true)
    #expect(harness.decide(.pause(fading: false)).engineCommands == [.setPlaying(false)])
    #expect(harness.advance(.seconds(2)).isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.run(measured: 53.2).engineCommands.isEmpty && harness.overlap == Self.whole)
    harness.advance(.seconds(0.8))
    #expect(harness.current == harness.items[0])
    harness.report(.audible(next, at: .zero))
    #expect(harness.current == harness.items[1] && harness.violations.isEmpty)
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(54))
  }

  @Test("If the output has played on in a pause, an overlap may begin later, at the position that was measured")
  func lateStart() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    harness.decide(.pause(fading: false))
    _ = harness.play()
    harness.run(measured: 58)
    #expect(harness.overlap?.end == .seconds(60) && harness.lastEffects.engineCommands.isEmpty)
    harness.report(.audible(next, at: .zero))
    #expect(harness.current == harness.items[1] && harness.position == .zero)
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(58))
    harness.advance(.seconds(2))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(60))
    #expect(harness.report(.stream(first, .ended(at: nil))).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.violations.isEmpty)
  }

  // MARK: Ends

  @Test("An item that ends before its overlap is followed gaplessly by the open next one", arguments: [nil, 53.5])
  func endBeforeOverlap(end: Double?) throws {
    var (harness, first, next) = try overlap(isBefore: true)
    let ended = harness.report(.stream(first, .ended(at: end.map { .seconds($0) })))
    #expect(ended.engineCommands.isEmpty && ended.events.isEmpty && harness.current == harness.items[0])
    let entered = harness.report(.audible(next, at: .zero))
    #expect(
      entered.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(entered.closed == [first] && harness.token == next && harness.playhead.outgoing == nil)
    #expect(harness.position == .zero && harness.violations.isEmpty)
  }

  @Test("An item whose end is not reported is closed some seconds after its fade-out, and not during a pause")
  func unreportedEnd() throws {
    var (harness, first, next) = try overlap()
    for _ in 0..<3 {
      harness.decide(.pause(fading: false))
      #expect(harness.advance(.seconds(4)).closed.isEmpty)
      _ = harness.play()
      harness.run()
    }
    #expect(harness.advance(.seconds(8.4)).closed.isEmpty)
    let late = harness.advance(.milliseconds(200))
    #expect(late.closed == [first] && late.events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.plan.map(\.stream) == [next] && harness.violations.isEmpty)
  }

  /// An input that ends an overlap.
  struct Ending: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var input: PlaybackInput
    /// The time after which the streams are closed.
    var delay = Duration.zero
  }

  static let endings = [
    Ending(testDescription: "a seek", input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 7))),
    Ending(testDescription: "Next", input: .advance(by: 1)),
    Ending(testDescription: "Previous", input: .advance(by: -1)),
    Ending(testDescription: "a stop, after its fade-out", input: .stop, delay: .milliseconds(2_001)),
    Ending(testDescription: "another queue", input: .replaceQueue([Player.Item(uri: "file:///new")])),
    Ending(testDescription: "an empty queue", input: .replaceQueue([])),
    Ending(testDescription: "an output that hangs", input: .event(.replaced)),
    Ending(
      testDescription: "a lost output",
      input: .event(.output(.failed(PlayerError(code: .output, message: ""))))),
  ]

  @Test(
    "What changes the stream of the current item ends the previous one, whose end is reported once", arguments: endings)
  func ending(ending: Ending) throws {
    var (harness, first, _) = try overlap()
    harness.decide(ending.input)
    harness.advance(ending.delay)
    #expect(!harness.openStreams.contains(first) && !harness.plan.contains { $0.stream == first })
    let ends = harness.effects.events.filter { $0 == .itemDidPlayToEnd(harness.items[0]) }
    #expect(ends.count == 1)
    #expect(harness.violations.isEmpty && harness.playhead.outgoing == nil)
    #expect(harness.report(.stream(first, .ended(at: nil))).events.isEmpty)
  }

  @Test(
    "What changes the stream of the current item, or the item after it, closes the next one",
    arguments: endings.filter { $0.testDescription != "Previous" })
  func endingBefore(ending: Ending) throws {
    var (harness, _, next) = try overlap(isBefore: true)
    harness.decide(ending.input)
    harness.advance(ending.delay)
    #expect(!harness.openStreams.contains(next) && !harness.plan.contains { $0.stream == next })
    #expect(harness.violations.isEmpty)
    #expect(!harness.effects.events.contains(.itemDidPlayToEnd(harness.items[0])))
  }

  @Test("Both items of an overlap continue at another rate and on another output")
  func continuing() throws {
    var (harness, first, next) = try overlap()
    let plan = harness.plan
    let output = AudioOutput(id: "o", name: "", isDefault: false, sinkDescription: "o")
    for input in [PlaybackInput.setRate(2), .setAudioOutput(output)] {
      #expect(harness.decide(input).engineCommands == [.settings(harness.engineSettings)])
    }
    #expect(harness.plan == plan && plan.map(\.stream) == [first, next])
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(2.5))
    #expect(harness.playhead.outgoing?.position(at: harness.now) == .seconds(56.5))
    #expect(harness.effects.events.isEmpty && harness.violations.isEmpty)
  }

  @Test("Another output before an overlap leaves it as it is")
  func otherOutput() throws {
    var (harness, _, _) = try overlap(isBefore: true)
    let output = AudioOutput(id: "o", name: "", isDefault: false, sinkDescription: "o")
    #expect(harness.decide(.setAudioOutput(output)).engineCommands == [.settings(harness.engineSettings)])
    #expect(harness.overlap == Self.whole)
  }

  @Test("The end of a process with decks changes neither item of an overlap, and a suspended output holds both")
  func ends() throws {
    var (harness, first, next) = try overlap()
    let plan = harness.plan
    #expect(harness.report(.stream(first, .interrupted("signal 11"))).engineCommands.isEmpty)
    let effects = harness.report(.stream(next, .interrupted("signal 11")))
    #expect(effects.engineCommands.isEmpty && effects.events == [.warning("signal 11", of: harness.items[1])])
    #expect(harness.plan == plan && harness.isAdvancing && harness.violations.isEmpty)
    let (position, outgoing) = (harness.position, harness.playhead.outgoing?.position(at: harness.now))
    harness.report(.output(.suspended))
    harness.advance(.seconds(1))
    #expect(harness.position == position && harness.playhead.outgoing?.position(at: harness.now) == outgoing)
    // Only the later part continues in another output.
    #expect(harness.report(.stream(first, .ended(at: .seconds(55)))).events == [.itemDidPlayToEnd(harness.items[0])])
    harness.report(.audible(next, at: position))
    #expect(harness.isAdvancing && harness.position == position && harness.violations.isEmpty)
  }

  // MARK: Changes before an overlap

  @Test("Setting the present crossfade changes nothing, and another one changes the overlap")
  func sameSetting() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    #expect(harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(6)))).isEmpty)
    let shorter = CrossfadeShape(length: .seconds(4), curve: .equalPower)
    let plan = [PlannedPart(first, end: .seconds(60)), PlannedPart(next, join: .overlap(shorter))]
    #expect(harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(4)))).engineCommands == [.plan(plan)])
    #expect(harness.overlap == Successor.Overlap(start: .seconds(56), end: .seconds(60)))
    let gapless = [PlannedPart(first), PlannedPart(next)]
    #expect(harness.decide(.setCrossfade(Player.Crossfade())).engineCommands == [.plan(gapless)])
    #expect(harness.overlap == nil)
  }

  @Test("Another rate ends the overlap of an item that plays at the normal speed alone")
  func otherRate() throws {
    var harness = harness(isSeekable: false)
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    #expect(harness.overlap == Self.whole)
    let effects = harness.decide(.setRate(2))
    #expect(effects.engineCommands == [.plan([PlannedPart(harness.token), PlannedPart(next)])])
    #expect(harness.overlap == nil && harness.violations.isEmpty)
  }

  @Test("An edit replaces the next item at once, without an end of the current one")
  func edit() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    let effects = harness.decide(.remove(harness.items[1].id))
    let again = try #require(harness.lastSuccessor)
    #expect(
      effects.engineCommands == [
        .close(next), .open(StreamRequest(uri: "file:///2", stream: again)),
        .plan([PlannedPart(first), PlannedPart(again)]),
      ])
    #expect(effects.events.isEmpty && harness.current == harness.items[0] && harness.isAdvancing)
    #expect(harness.overlap == nil && harness.violations.isEmpty)
    harness.settleNext(again, duration: 60)
    #expect(harness.overlap == Self.whole)
    #expect(harness.nextPart == PlannedPart(again, join: .overlap(Self.shape)))
    harness.advance(.seconds(1))
    harness.report(.audible(again, at: .zero))
    #expect(harness.current == harness.items[2] && harness.violations.isEmpty)
  }

  @Test("An edit after which no item follows ends the overlap, and undoing it opens the item again")
  func lastItem() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    let effects = harness.decide(.remove([harness.items[1].id, harness.items[2].id]))
    #expect(effects.engineCommands == [.close(next), .plan([PlannedPart(first)])] && effects.events.isEmpty)
    let undone = harness.decide(.insert([harness.items[1]], after: harness.items[0].id))
    #expect(undone.opened.map(\.uri) == ["file:///1"] && harness.current == harness.items[0])
    #expect(harness.violations.isEmpty)
  }

  @Test("An edit while two items are audible concerns neither")
  func edits() throws {
    var (harness, first, _) = try overlap()
    #expect(harness.decide(.remove(harness.items[0].id)).engineCommands.isEmpty)
    #expect(harness.decide(.remove(harness.items[2].id)).engineCommands.isEmpty)
    #expect(harness.decide(.setCrossfade(Player.Crossfade())).engineCommands.isEmpty)
    #expect(harness.report(.stream(first, .ended(at: nil))).events == [.itemDidPlayToEnd(harness.items[0])])
  }

  // MARK: Failures

  @Test("A stream that fails while it fades out has ended; one that fails while it fades in ends the other")
  func failures() throws {
    var (harness, first, _) = try overlap()
    let error = PlayerError(code: .corrupt, message: "scripted")
    #expect(harness.report(.stream(first, .failed(error))).events == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.lastEffects.closed == [first])
    #expect(harness.current == harness.items[1] && harness.isAdvancing)
    var (other, outgoing, _) = try overlap()
    let effects = other.fail(.corrupt)
    #expect(effects.closed.contains(outgoing))
    #expect(other.current == other.items[2] && other.violations.isEmpty)
  }

  @Test("A next item that fails before it is audible fails when it is current")
  func failureBefore() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    let error = PlayerError(code: .corrupt, message: "scripted")
    let effects = harness.report(.stream(next, .failed(error)))
    #expect(effects.engineCommands == [.close(next), .plan([PlannedPart(first)])] && effects.events.isEmpty)
    harness.advance(.seconds(7))
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current == harness.items[1])
    #expect(harness.fail(.corrupt).events.first == .itemFailed(harness.items[1], error: error))
    #expect(harness.current == harness.items[2] && harness.violations.isEmpty)
  }

  @Test("An item that fades out is at the start of its fade, although its output had stood before")
  func oldPosition() throws {
    var (harness, first, next) = try overlap(isBefore: true)
    // The output has stood for 9 s, which no measurement has shown.
    harness.advance(.seconds(10))
    harness.report(.audible(next, at: .zero))
    #expect(harness.current == harness.items[1])
    let outgoing = try #require(harness.playhead.outgoing)
    #expect(outgoing.position(at: harness.now) == .seconds(54))
    #expect(harness.advance(.seconds(8)).events.isEmpty)
    #expect(harness.report(.stream(first, .ended(at: nil))).events == [.itemDidPlayToEnd(harness.items[0])])
  }
}
