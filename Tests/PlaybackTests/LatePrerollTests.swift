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
    harness.step { $0.play(now: $1) }
    #expect(harness.advance(.seconds(1)).isEmpty)
    harness.run()
    #expect(!harness.advance(.milliseconds(2900)).engineCommands.contains(.withdraw(next.stream)))
    #expect(harness.advance(.milliseconds(100)).engineCommands.contains(.withdraw(next.stream)))
  }

  @Test("A buffering message from the next item restarts its load time-out")
  func buffering() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.requireOffer()
    harness.advance(.seconds(10))
    harness.step { $0.buffering(next.stream, percent: 3, StreamProgress(), now: $1) }
    #expect(!harness.advance(.milliseconds(9900)).engineCommands.contains(.withdraw(next.stream)))
    #expect(harness.advance(.milliseconds(100)).engineCommands.contains(.withdraw(next.stream)))
  }

  @Test(
    "If a next item blocks the preroll or the start of the current item, that item is reloaded without it",
    arguments: [false, true])
  func blocked(hasPrerolled: Bool) throws {
    var harness = MachineHarness()
    harness.step { $0.play(now: $1) }
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
    harness.step { $0.play(now: $1) }
    _ = try harness.requireOffer()
    _ = harness.seek(5, ticket: 1)
    if isReplaced { harness.step { $0.remove(next, now: $1) } } else { harness.advance(.seconds(10)) }
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.effects.finished.isEmpty)
    harness.settle()
    harness.settle()
    #expect(harness.effects.finished == [1: [true]])
    #expect(harness.position == .seconds(5))
  }
}
