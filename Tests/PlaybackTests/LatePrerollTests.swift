import Testing

@testable import Playback

/// The tests of a next item that hangs while it is prerolled.
@Suite("Late gapless items") struct LatePrerollTests {
  @Test("A next item that does not reach the output within the load time-out is withdrawn", arguments: [10, nil])
  func withdrawn(duration: Double?) throws {
    var harness = MachineHarness()
    harness.start(duration: duration)
    harness.advance(.seconds(9))
    let next = try harness.requireOffer()
    let end: Duration = duration == nil ? .zero : .seconds(1)
    #expect(harness.advance(end + .milliseconds(9900)).engineCommands.allSatisfy { $0 == .samplePosition })
    #expect(harness.advance(.milliseconds(100)).engineCommands.contains(.withdraw(next.stream)))
    #expect(harness.end().events.prefix(1) == [.itemDidPlayToEnd(harness.items[0])])
    #expect(harness.current == harness.items[1])
    #expect(harness.effects.loads.count == 2)
    #expect(harness.advance(.seconds(10)).events.contains { if case .itemFailed = $0 { true } else { false } })
    #expect(harness.current == harness.items[2])
  }

  @Test("A pause does not count towards the load time-out of the next item")
  func paused() throws {
    var harness = MachineHarness(configuration: Player.Configuration(loadTimeout: .seconds(2)))
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireOffer()
    _ = harness.pause()
    harness.advance(.seconds(4))
    harness.decide(.play)
    #expect(harness.advance(.seconds(1)).isEmpty)
    harness.run()
    #expect(!harness.advance(.milliseconds(2900)).engineCommands.contains(.withdraw(next.stream)))
    #expect(harness.advance(.milliseconds(100)).engineCommands.contains(.withdraw(next.stream)))
  }

  @Test("A buffering message from the next item restarts its load time-out, up to twice its length", arguments: [1, 2])
  func buffering(messages: Int) throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireOffer()
    harness.advance(.seconds(1))
    for _ in 0..<messages {
      harness.advance(.seconds(9))
      harness.report(.buffering(next.stream, percent: 3, StreamProgress()))
    }
    #expect(
      !harness.advance(.milliseconds(messages == 1 ? 9900 : 1900)).engineCommands.contains(.withdraw(next.stream)))
    #expect(harness.advance(.milliseconds(100)).engineCommands.contains(.withdraw(next.stream)))
  }

  @Test(
    "If a next item blocks the preroll or the start of the current item, that item is reloaded without it",
    arguments: [false, true])
  func blocked(hasPrerolled: Bool) throws {
    var harness = MachineHarness()
    harness.decide(.play)
    _ = try harness.requireOffer()
    if hasPrerolled { harness.settle() }
    #expect(harness.advance(.milliseconds(9900)).loads.isEmpty)
    #expect(harness.advance(.milliseconds(100)).loads.count == 1)
    #expect(harness.current == harness.items[0])
    harness.settle()
    harness.run()
    #expect(harness.offer() == nil)
  }

  @Test(
    "A seek before the preroll is completed if the item is reloaded because its next item is replaced or hangs",
    arguments: [false, true])
  func seekBeforePreroll(isReplaced: Bool) throws {
    var harness = MachineHarness()
    let next = harness.items[1].id
    harness.decide(.play)
    _ = try harness.requireOffer()
    _ = harness.seek(5, ticket: 1)
    if isReplaced { harness.decide(.remove(next)) } else { harness.advance(.seconds(10)) }
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.effects.finished.isEmpty)
    harness.settle()
    harness.settle()
    #expect(harness.effects.finished == [1: [true]])
    #expect(harness.position == .seconds(5))
  }

  // MARK: Successors and items without a sample

  @Test("If no end follows a successor that was withdrawn, the current item ends at most 4.5 s after its last sample")
  func noEndAfterWithdrawal() throws {
    for duration in [10.0, nil] {
      var harness = MachineHarness()
      harness.start(duration: duration)
      harness.advance(.seconds(9))
      let next = try harness.requireOffer()
      harness.report(.failed(next.stream, PlayerError(code: .corrupt, message: "x")))
      #expect(harness.lastEffects.engineCommands == [.withdraw(next.stream)])
      harness.runOut(at: 10)
      #expect(harness.advance(.milliseconds(3900), upTo: 10, data: 10).events.isEmpty)
      let effects = harness.advance(.milliseconds(1700), upTo: 10, data: 10)
      #expect(effects.events.contains(.itemDidPlayToEnd(harness.items[0])))
      #expect(effects.loads == ["file:///1"])
    }
  }

  @Test("If a later successor reaches the output, those before it have no sample, and each begins and ends with it")
  func emptySuccessors() throws {
    var harness = MachineHarness(4)
    harness.start()
    harness.advance(.seconds(9))
    let empty = try harness.requireOffer().stream
    let last = harness.offer(after: empty)
    let next = try #require(last)
    #expect(next.uri == "file:///2")
    harness.startNext(next.stream, in: 1.5)
    #expect(harness.advance(.milliseconds(1400)).events.isEmpty)
    #expect(
      harness.advance(.milliseconds(100)).events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
        .itemDidPlayToEnd(harness.items[1]), .currentItemChanged(from: harness.items[1], to: harness.items[2]),
      ])
    #expect(harness.token == next.stream)
  }

  @Test("The end of a successor that has not begun ends it and the current item")
  func endOfEmptySuccessor() throws {
    var harness = MachineHarness(2)
    harness.start()
    harness.advance(.seconds(9))
    let empty = try harness.requireOffer().stream
    harness.report(.ended(empty))
    #expect(
      harness.lastEffects.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
        .itemDidPlayToEnd(harness.items[1]), .queueEnded,
      ])
  }

  @Test(
    "If an item has no sample, its successor prerolls instead, with a load time-out of its own",
    arguments: [nil, 0, 0.6])
  func emptyItem(delay: Double?) throws {
    var harness = MachineHarness()
    _ = harness.play()
    harness.advance(.milliseconds(9500))
    let next = try harness.requireOffer().stream
    if let delay { harness.startNext(next, in: delay) }
    #expect(harness.advance(.milliseconds(400)).events.isEmpty)
    harness.report(.settled(next, StreamFacts(duration: .seconds(10))))
    #expect(harness.current == harness.items[1])
    #expect(harness.lastEffects.engineCommands == [.setPlaying(true)])
    harness.run()
    #expect(harness.advance(.seconds(5)).events.isEmpty)
    #expect(harness.snapshot.lastError == nil)
    #expect(harness.effects.events.filter { $0 == .itemDidPlayToEnd(harness.items[0]) }.count == 1)
  }

  @Test("The load time-out of a successor that prerolls instead of an item without a sample is its own")
  func ownDeadline() throws {
    var harness = MachineHarness()
    _ = harness.play()
    harness.advance(.milliseconds(9500))
    let next = try harness.requireOffer().stream
    harness.startNext(next, in: 0)
    #expect(harness.current == harness.items[1])
    #expect(harness.nextWake == harness.now + .seconds(10))
    harness.advance(.seconds(10))
    #expect(harness.snapshot.lastError?.code == .loadTimeout)
    #expect(harness.current == harness.items[2])
  }

  @Test("A seek before the preroll of an item without a sample is answered with false")
  func seekOfEmptyItem() throws {
    var harness = MachineHarness()
    _ = harness.play()
    let next = try harness.requireOffer().stream
    _ = harness.seek(5, ticket: 1)
    harness.startNext(next, in: 0)
    #expect(harness.effects.finished == [1: [false]])
    #expect(harness.position == .zero)
  }
}
