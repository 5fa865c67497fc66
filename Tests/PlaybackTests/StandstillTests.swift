import Testing

@testable import Playback

/// The tests of items that run without progress.
@Suite("Playback without progress") struct StandstillTests {
  private static func failure(_ effects: [Effect]) -> PlayerError.Code? {
    effects.events.lazy.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }.first
  }

  @Test("An item whose data stops fails after the load time-out, and the next item is loaded")
  func dataStops() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.advance(.seconds(4))
    harness.runOut(at: 5)
    let waiting = harness.advance(.milliseconds(11900), upTo: 5, data: 5)
    // The position that was shown had advanced without the output.
    #expect(waiting.events == [.timeJumped(from: .seconds(15), to: .seconds(5))])
    let effects = harness.advance(.milliseconds(200), upTo: 5, data: 5)
    #expect(Self.failure(effects) == .noProgress)
    #expect(!effects.events.contains { if case .timeJumped = $0 { true } else { false } })
    #expect(effects.loads == ["file:///1"])
  }

  @Test("An item whose data stops at its duration, or up to 0.25 s before it, plays to its end", arguments: [9.8, 10])
  func dataStopsAtEnd(position: Double) {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    harness.runOut(at: position)
    let effects = harness.advance(.seconds(13), upTo: position, data: position)
    #expect(effects.events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(effects.loads == ["file:///1"])
  }

  @Test("If an item stands shortly before its duration during a fade-out, the position stays where it was shown")
  func fadeOutAtEnd() {
    var harness = MachineHarness(1, configuration: Player.Configuration(fade: .seconds(5)))
    harness.start()
    _ = harness.advance(.seconds(19), upTo: 9.9, data: 9.9)
    _ = harness.pause()
    #expect(harness.isAdvancing && harness.position == .seconds(10))
    _ = harness.advance(.seconds(4), upTo: 9.9, data: 9.9)
    #expect(!harness.isAdvancing && harness.position == .seconds(10))
  }

  @Test(
    "An item whose time stamps jump fails ten seconds after its last sample, whether the position advances or stands",
    arguments: [5, 7_200], ["file", "http"])
  func gap(limit: Double, scheme: String) {
    var harness = MachineHarness(scheme: scheme)
    harness.start(duration: 7_200)
    if scheme == "http" { harness.buffer(100, held: 2) }
    harness.advance(.seconds(4))
    harness.runOut(at: 5, isGap: true)
    let waiting = harness.advance(.milliseconds(10_900), upTo: limit, data: 5, isGap: true)
    #expect(Self.failure(waiting) == nil)
    let effects = harness.advance(.milliseconds(1_200), upTo: limit, data: 5, isGap: true)
    #expect(Self.failure(effects) == .noProgress)
    #expect(effects.loads == ["\(scheme):///1"])
  }

  @Test("A measurement of the position within a gap does not restart its time limit")
  func measuredGap() {
    var harness = MachineHarness()
    harness.start(duration: 7_200)
    harness.runOut(at: 3, isGap: true)
    #expect(harness.advance(.seconds(11), upTo: 7_200, data: 3, isGap: true).events.isEmpty)
    let position = harness.machine.timebase.position(at: harness.now)
    harness.report(.stream(harness.token, .sampled(position: position, .ended(at: .seconds(3), isGap: true))))
    #expect(Self.failure(harness.advance(.seconds(4), upTo: 7_200, data: 3, isGap: true)) == .noProgress)
  }

  @Test("A gap also fails an item that has been read to its end, and does not end it")
  func gapBeforeSuccessor() throws {
    var harness = MachineHarness()
    harness.start(duration: 3_610)
    harness.advance(.seconds(4))
    _ = try harness.requireOffer()
    harness.runOut(at: 5, isGap: true)
    let effects = harness.advance(.seconds(14), upTo: 7_200, data: 5, isGap: true)
    #expect(Self.failure(effects) == .noProgress)
    #expect(effects.loads == ["file:///1"])
  }

  @Test("After a cut connection, a gap in the received data fails the item with the cut")
  func gapAfterCut() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 7_200)
    harness.runOut(at: 2, isGap: true)
    var error = PlayerError(code: .networkCut, message: "scripted")
    error.isFromSource = true
    harness.report(.stream(harness.token, .failed(error)))
    #expect(Self.failure(harness.advance(.seconds(15), upTo: 7_200, data: 2, isGap: true)) == .networkCut)
  }

  @Test("Playback that has passed a gap continues")
  func gapPassed() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.runOut(at: 2, isGap: true)
    #expect(harness.advance(.seconds(9), upTo: 100, data: 2, isGap: true).events.isEmpty)
    #expect(harness.advance(.seconds(60), upTo: 100, data: nil).events.isEmpty)
  }

  @Test("A successor that is not audible ten seconds after the end of the item before it is opened again")
  func lateSuccessor() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.prepareNext()
    harness.advance(.seconds(1))
    #expect(harness.end().events.isEmpty)
    #expect(harness.advance(.milliseconds(9_999)).events.isEmpty)
    let effects = harness.advance(.milliseconds(1))
    #expect(effects.closed.contains(next))
    #expect(
      effects.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(effects.loads == ["file:///1"])
  }

  @Test("An item that reaches its duration without an end plays to its end, also if no measurement is answered")
  func lostEnd() {
    for isAnswered in [false, true] {
      var harness = MachineHarness()
      harness.start()
      let effects =
        isAnswered ? harness.advance(.milliseconds(21600), upTo: 10, data: nil) : harness.advance(.milliseconds(21600))
      #expect(
        effects.events == [
          .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
        ])
    }
  }

  @Test("Media that is longer than stated plays on, and is measured once in the load time-out")
  func longer() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(19))
    var measurements = 0
    for second in 20...120 {
      let effects = harness.advance(.seconds(1), upTo: Double(second), data: nil)
      #expect(effects.events.isEmpty)
      measurements += effects.engineCommands.count
    }
    #expect(measurements <= 20)
  }

  @Test("A truncated item that stands after its successor was closed ends there, and shows that duration")
  func truncated() throws {
    var harness = MachineHarness()
    harness.start(duration: 100)
    _ = try harness.requireOffer()
    harness.decide(.setActionAtItemEnd(.pause))
    harness.runOut(at: 20)
    let effects = harness.advance(.seconds(40), upTo: 20, data: 20)
    #expect(effects.events.contains(.itemDidPlayToEnd(harness.items[0])))
    #expect(harness.position == .seconds(20) && harness.snapshot.duration == .seconds(20))
  }

  @Test("Data that arrives slowly does not fail the item")
  func slowData() {
    var harness = MachineHarness()
    harness.start(duration: nil)
    harness.runOut(at: 1)
    for second in 1...100 {
      #expect(harness.advance(.seconds(1), upTo: Double(second), data: Double(second)).events.isEmpty)
    }
  }

  @Test("An item that plays normally is not woken for a check before its last half second")
  func noWakes() {
    var harness = MachineHarness()
    harness.start(duration: 3_600)
    // The data before the first second is decoded in time.
    harness.runOut(at: 0.1)
    _ = harness.advance(.seconds(2), upTo: 2, data: nil)
    #expect(harness.nextWake == harness.now + .milliseconds(3_597_500))
  }

  @Test("The data that the output holds before a start ends, which the first measurement corrects")
  func beforeStart() {
    var harness = MachineHarness()
    _ = harness.play()
    harness.runOut(at: 0.1)
    harness.settle(duration: nil)
    harness.run()
    _ = harness.advance(.seconds(2), upTo: 2, data: nil)
    #expect(harness.nextWake == nil)
    var stuck = MachineHarness()
    _ = stuck.play()
    stuck.runOut(at: 0.1)
    stuck.settle(duration: nil)
    stuck.run()
    #expect(Self.failure(stuck.advance(.seconds(12), upTo: 0.1, data: 0.1)) == .noProgress)
  }

  @Test("The time limit does not run while an item is paused; it begins when playback resumes")
  func paused() {
    var harness = MachineHarness(configuration: Player.Configuration(releaseOutputAfter: .seconds(100_000)))
    harness.start(duration: 100)
    harness.runOut(at: 0)
    _ = harness.pause()
    #expect(harness.advance(.seconds(1_000), upTo: 0, data: 0).isEmpty)
    _ = harness.play()
    harness.run()
    #expect(Self.failure(harness.advance(.seconds(9), upTo: 0, data: 0)) == nil)
    #expect(Self.failure(harness.advance(.seconds(3), upTo: 0, data: 0)) == .noProgress)
  }

  @Test("If the process did not run, the time limit begins again")
  func suspended() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    _ = harness.advance(.seconds(2), upTo: 2, data: nil)
    harness.runOut(at: 3)
    harness.now = harness.now + .seconds(1_000)
    harness.decide(.wake)
    #expect(Self.failure(harness.advance(.seconds(9), upTo: 3, data: 3)) == nil)
    #expect(harness.current == harness.items[0])
  }

  @Test("An output that stands does not fail the item")
  func outputStands() {
    var harness = MachineHarness()
    harness.start()
    #expect(harness.advance(.seconds(40), upTo: 5, data: nil).loads.isEmpty)
  }

  @Test("A stream that waits for data has the network time-out instead")
  func network() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: nil)
    harness.runOut(at: 2)
    _ = harness.advance(.seconds(30), upTo: 2, data: 2)
    #expect(harness.current == harness.items[0])
    #expect(harness.snapshot.lastError == nil)
  }

  @Test("At the slowest rate the time limit begins when the data has been played")
  func slowRate() {
    var harness = MachineHarness()
    harness.decide(.setRate(0.25))
    harness.start(duration: 100)
    harness.settle(duration: 100)
    harness.run()
    harness.runOut(at: 4)
    #expect(Self.failure(harness.advance(.seconds(25), upTo: 4, data: 4)) == nil)
    #expect(Self.failure(harness.advance(.seconds(3), upTo: 4, data: 4)) == .noProgress)
  }

  @Test("A queue whose items all stop without data ends after one pass, also if it is repeated")
  func onePass() {
    var harness = MachineHarness(2, loop: .playlist)
    _ = harness.play()
    for _ in 0..<2 {
      harness.settle(duration: 100)
      harness.run()
      harness.runOut(at: 0.5)
      _ = harness.advance(.seconds(13), upTo: 0.5, data: 0.5)
    }
    #expect(harness.snapshot.transport == .stopped)
  }

  @Test(
    "A seek in a file that does not complete fails the item after the load time-out, also while paused",
    arguments: [false, true])
  func endlessSeek(isPaused: Bool) {
    var harness = MachineHarness()
    if isPaused { harness.startPaused() } else { harness.start() }
    _ = harness.seek(5, ticket: 1)
    #expect(harness.advance(.milliseconds(9900)).isEmpty)
    let effects = harness.advance(.milliseconds(100))
    #expect(Self.failure(effects) == .loadTimeout)
    #expect(effects.finished == [1: [false]])
    #expect(effects.loads == ["file:///1"])
  }

  @Test("A seek in a stream that does not complete fails after the network time-out while it plays")
  func endlessStreamSeek() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    _ = harness.seek(5)
    #expect(harness.advance(.milliseconds(59900)).events.isEmpty)
    #expect(Self.failure(harness.advance(.milliseconds(100))) == .networkTimeout)
  }
}
