import Testing

@testable import Playback

@Suite("Failing items") struct SkipTests {
  private func error(_ code: PlayerError.Code = .notFound) -> PlayerError {
    PlayerError(code: code, message: "scripted")
  }

  @Test("A failing item is reported once and skipped; the next one plays")
  func skipped() {
    var harness = MachineHarness()
    _ = harness.play()
    let effects = harness.fail()
    #expect(
      effects.events == [
        .itemFailed(harness.items[0], error: error()),
        .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(effects.loads == ["file:///1"])
    #expect(harness.snapshot.lastError == error())
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)]), .setPlaying(true)])
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.snapshot.lastError == error())
  }

  @Test("Further messages of the same failure are ignored")
  func burst() {
    var harness = MachineHarness()
    _ = harness.play()
    let token = harness.token
    let first = harness.report(.stream(token, .failed(PlayerError(code: .notFound, message: "first"))))
    #expect(first.events.contains(.itemFailed(harness.items[0], error: PlayerError(code: .notFound, message: "first"))))
    for text in ["second", "third"] {
      #expect(harness.report(.stream(token, .failed(PlayerError(code: .corrupt, message: text)))).isEmpty)
    }
    #expect(harness.current == harness.items[1])
  }

  @Test("If every item fails, each fails once, and playback stops", arguments: Player.LoopMode.allCases)
  func allFail(loop: Player.LoopMode) {
    for count in [1, 2, 5] {
      var harness = MachineHarness(count, loop: loop)
      _ = harness.play()
      for _ in 0..<count {
        #expect(harness.snapshot.transport == .playing)
        harness.fail()
      }
      #expect(harness.snapshot.transport == .stopped)
      #expect(harness.snapshot.itemStatus == .failed)
      let failures = harness.effects.events.filter { if case .itemFailed = $0 { true } else { false } }
      #expect(failures == harness.items.map { .itemFailed($0, error: error()) })
      #expect(harness.effects.events.last == .queueEnded)
      #expect(harness.lastEffects.engineCommands == [.close(harness.token), .plan([])])
      #expect(harness.nextWake == nil)
      #expect(harness.play().loads.count == 1)
    }
  }

  @Test("Items that start and then fail do not loop endlessly", arguments: Player.LoopMode.allCases)
  func spin(loop: Player.LoopMode) {
    var harness = MachineHarness(2, loop: loop)
    _ = harness.play()
    for _ in 0..<20 where harness.snapshot.transport == .playing {
      harness.settle()
      harness.run()
      harness.fail(.corrupt)
    }
    #expect(harness.snapshot.transport == .stopped)
  }

  @Test("A looped playlist that starts in its middle tries every item once")
  func allFailFromMiddle() {
    var harness = MachineHarness(4, at: 2, loop: .playlist)
    _ = harness.play()
    for _ in 0..<4 { harness.fail() }
    #expect(harness.effects.loads == ["file:///2", "file:///3", "file:///0", "file:///1"])
    #expect(harness.snapshot.transport == .stopped)
  }

  @Test("A failing item is skipped backward after Previous and forward after Next")
  func direction() {
    var harness = MachineHarness(5, at: 2)
    harness.start()
    _ = harness.previous()
    #expect(harness.fail().loads == ["file:///0"])
    harness.settle()
    harness.run()
    _ = harness.next()
    #expect(harness.fail().loads == ["file:///2"])
  }

  @Test("If Previous selects a failing item at the start of the queue, the next playable item plays")
  func previousOntoFailing() {
    var harness = MachineHarness(2, at: 1)
    harness.start()
    _ = harness.previous()
    harness.fail()
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.current == harness.items[1])
  }

  @Test("An item that fails while paused is skipped, and the player stays paused")
  func whilePaused() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.pause()
    #expect(harness.fail().loads == ["file:///1"])
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)])])
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("An item that fails in its middle is skipped")
  func inTheMiddle() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(4))
    #expect(harness.fail(.corrupt).events.first == .itemFailed(harness.items[0], error: error(.corrupt)))
    #expect(harness.current == harness.items[1])
    #expect(harness.position == .zero)
  }

  @Test("A looped track that fails is skipped")
  func loopedTrack() {
    var harness = MachineHarness(2, loop: .track)
    harness.start()
    #expect(harness.fail().loads == ["file:///1"])
    #expect(harness.fail().events.contains(.queueEnded))
  }

  @Test("A command that selects a failed item tries it again")
  func triedAgain() {
    var harness = MachineHarness(2)
    _ = harness.play()
    harness.fail()
    harness.settle()
    harness.run()
    #expect(harness.previous().loads == ["file:///0"])
    harness.fail()
    #expect(harness.effects.events.filter { $0 == .itemFailed(harness.items[0], error: error()) }.count == 2)
  }

  @Test("If the next item fails early, the current item plays to its end, and the failure is reported once")
  func failingFollower() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(8))
    let stream = try harness.requireOffer().stream
    #expect(
      harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: "")))) == [
        .command(.close(stream)), .command(.plan([PlannedPart(harness.token)])),
      ])
    for _ in 0..<2 {
      #expect(harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: "")))).isEmpty)
    }
    harness.advance(.milliseconds(2090))
    #expect(harness.current == harness.items[0])
    #expect(harness.snapshot.lastError == nil)
    let end = harness.end()
    #expect(
      end.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(end.loads == ["file:///1"])
    harness.fail()
    #expect(harness.effects.events.filter { if case .itemFailed = $0 { true } else { false } }.count == 1)
    #expect(harness.current == harness.items[2])
  }

  @Test(
    "After the next item failed, the current item ends with its last sample, whatever its duration",
    arguments: [nil, 8.4, 10, 3600])
  func failingFollowerOfWrongDuration(duration: Double?) throws {
    var harness = MachineHarness()
    harness.start(duration: duration)
    harness.advance(.seconds(8))
    let stream = try harness.requireOffer().stream
    harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: ""))))
    #expect(harness.advance(.seconds(4), upTo: 12, data: nil).events.isEmpty)
    #expect(harness.end().events.first == .itemDidPlayToEnd(harness.items[0]))
    #expect(harness.current == harness.items[1])
  }

  @Test("A pause after the next item failed reloads nothing")
  func failingFollowerPaused() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(8))
    let stream = try harness.requireOffer().stream
    harness.report(.stream(stream, .failed(PlayerError(code: .notFound, message: ""))))
    _ = harness.pause()
    #expect(harness.advance(.seconds(4)).events.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    harness.run(measured: 8)
    #expect(harness.offer() == nil)
    harness.advance(.seconds(2))
    #expect(harness.end().loads == ["file:///1"])
  }

  @Test("The failure of a next item that was ready is reported once, after the current item has ended")
  func failureInTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let stream = try harness.prepareNext()
    let error = PlayerError(code: .corrupt, message: "x")
    #expect(harness.report(.stream(stream, .failed(error))).events.isEmpty)
    harness.advance(.seconds(1))
    // It is opened again, and fails as the current item.
    #expect(harness.end().loads == ["file:///1"])
    harness.report(.stream(harness.token, .failed(error)))
    #expect(harness.effects.events.filter { $0 == .itemFailed(harness.items[1], error: error) }.count == 1)
    #expect(!harness.effects.events.contains(.itemDidPlayToEnd(harness.items[1])))
    #expect(harness.current == harness.items[2])
  }

  @Test("An item without any data fails by the load time-out")
  func loadTimeout() {
    var harness = MachineHarness(2, configuration: Player.Configuration(loadTimeout: .seconds(3)))
    _ = harness.play()
    #expect(harness.nextWake == harness.now + .seconds(3))
    #expect(harness.advance(.milliseconds(2999)).isEmpty)
    let failure = harness.advance(.milliseconds(1)).events.first
    guard case .itemFailed(harness.items[0], let error) = failure else {
      Issue.record("no failure: \(String(describing: failure))")
      return
    }
    #expect(error.code == .loadTimeout)
    #expect(harness.current == harness.items[1])
    harness.advance(.seconds(3))
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.nextWake == nil)
  }

  @Test("The load time-out also runs while paused, and ends when the item is ready")
  func loadTimeoutPaused() {
    var harness = MachineHarness(1, configuration: Player.Configuration(loadTimeout: .seconds(3)))
    _ = harness.play()
    _ = harness.pause()
    harness.advance(.seconds(2))
    harness.settle()
    _ = harness.play()
    harness.run()
    harness.advance(.seconds(5))
    #expect(harness.snapshot.lastError == nil)
  }

  @Test("Progress in reading a local file restarts the load time-out, up to twice its length", arguments: [1, 4])
  func loadTimeoutReading(reports: Int) {
    var harness = MachineHarness(1, configuration: Player.Configuration(loadTimeout: .seconds(10)))
    _ = harness.play()
    for _ in 1...reports {
      harness.advance(.seconds(4))
      harness.report(.stream(harness.token, .readingOn))
    }
    harness.advance(.seconds(min(10, 20 - 4 * reports)) - .milliseconds(1))
    #expect(harness.snapshot.lastError == nil)
    harness.advance(.milliseconds(1))
    #expect(harness.snapshot.lastError?.code == .loadTimeout)
  }

  @Test(
    "A buffering message while an item loads restarts the load time-out, up to twice its length", arguments: [1, 4])
  func loadTimeoutBuffering(messages: Int) {
    var harness = MachineHarness(1, configuration: Player.Configuration(loadTimeout: .seconds(10)), scheme: "http")
    _ = harness.play()
    for percent in 1...messages {
      harness.advance(.seconds(4))
      harness.buffer(percent)
    }
    harness.advance(.seconds(min(10, 20 - 4 * messages)) - .milliseconds(1))
    #expect(harness.snapshot.lastError == nil)
    harness.advance(.milliseconds(1))
    #expect(harness.snapshot.lastError?.code == .loadTimeout)
  }
}
