import Testing

@testable import Playback

/// The tests of what ends a crossfade of 6 s, before or while two items are audible, on a scripted pipeline.
@Suite("Ends of crossfades")
struct CrossfadeEndingTests {
  /// Returns a machine that plays its first item, which is one minute long.
  private func harness(isSeekable: Bool = true) -> MachineHarness {
    var configuration = Player.Configuration(fade: .seconds(1))
    configuration.crossfade = Player.Crossfade(length: .seconds(6))
    var harness = MachineHarness(3, configuration: configuration)
    harness.start(duration: 60, isSeekable: isSeekable)
    return harness
  }

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
    harness.run(measured: 53.7)
    #expect(harness.advance(.milliseconds(299)).events.isEmpty)
    #expect(!harness.advance(.milliseconds(2)).events.isEmpty)
  }

  @Test("A pause that reaches the output late does not defer the start", arguments: [53.9, 54, 54.2])
  func latePauseBeforeStart(position: Double) throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    harness.startNext(next, in: 0.5, duration: 60)
    harness.advance(.milliseconds(200))
    harness.decide(.pause(fading: false))
    harness.advance(.seconds(2))
    _ = harness.play()
    harness.run(measured: position)
    harness.advance(.milliseconds(101))
    #expect(harness.current == harness.items[1] && harness.violations.isEmpty)
  }

  @Test("If the output has played on in a pause, a crossfade begins later", arguments: [53, 57.9])
  func lateTimes(position: Double) throws {
    var harness = harness()
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(3))
    harness.decide(.pause(fading: false))
    _ = harness.play()
    harness.run(measured: position)
    let commands = harness.advanceUnmeasured(0.001)
    let starts = commands.compactMap { if case .crossfade(to: next, let time, _) = $0 { time } else { nil } }
    let isSoon = position > 55
    #expect(commands.contains(.release(next)) == isSoon && starts.isEmpty == isSoon)
    #expect(starts.allSatisfy { $0 >= .seconds(54.3) && $0 <= .seconds(54.302) })
    #expect(harness.violations.isEmpty)
  }

  @Test("An item that ends before its crossfade begins, which is announced, is followed by another load")
  func endBeforeStart() throws {
    var (harness, first, next) = try overlap(isScheduled: true)
    harness.startNext(next, in: 0.9, duration: 60)
    harness.report(.endFound(first, at: .seconds(53.5)))
    let effects = harness.report(.ended(first))
    #expect(effects.engineCommands.contains(.release(next)) && !effects.engineCommands.contains(.enter(next)))
    #expect(effects.events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current == harness.items[1] && harness.token.number > next.number && harness.violations.isEmpty)
  }

  /// An input that ends an overlap, and whether the current item continues with a seek.
  struct Ending: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var input: PlaybackInput
  }

  static let endings = [
    Ending(testDescription: "a seek", input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 7))),
    Ending(testDescription: "another rate", input: .setRate(1.5)),
    Ending(testDescription: "Next", input: .advance(by: 1)),
    Ending(testDescription: "Previous", input: .advance(by: -1)),
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

  @Test("Setting the present crossfade changes nothing, and another one opens the next item again")
  func sameSetting() throws {
    var (harness, _, next) = try overlap(isScheduled: true)
    #expect(harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(6)))).isEmpty)
    #expect(harness.decide(.setCrossfade(Player.Crossfade(length: .seconds(4)))).engineCommands == [.release(next)])
  }

  @Test("Another rate closes the next item, also beside an item that cannot seek", arguments: [true, false])
  func otherRate(isSeekable: Bool) throws {
    var harness = harness(isSeekable: isSeekable)
    harness.advance(.seconds(48.4))
    let next = try harness.requirePrepared()
    #expect(harness.decide(.setRate(2)).engineCommands.first == .release(next))
    #expect(harness.secondStream == nil && harness.violations.isEmpty)
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
    started.advance(.milliseconds(400))
    let effects = started.report(.ended(first))
    #expect(effects.engineCommands == [.enter(stream), .release(first)])
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

  @Test("An item that fades out is at the start of its fade, although its output had stood before")
  func oldPosition() throws {
    var (harness, first, next) = try overlap(isScheduled: true)
    // The output has stood for 9 s, which no measurement has shown.
    harness.advance(.seconds(9))
    harness.startNext(next, in: 0, duration: 60)
    #expect(harness.current == harness.items[1])
    let outgoing = try #require(harness.playhead.outgoing)
    #expect(outgoing.position(at: harness.now) == .seconds(54))
    #expect(harness.advance(.seconds(8)).events.isEmpty)
    #expect(harness.report(.ended(first)).events == [.itemDidPlayToEnd(harness.items[0])])
  }
}
