import Testing

@testable import Playback

@Suite("The end of the engine's process") struct EngineEndTests {
  private func end(_ harness: MachineHarness, silence: Duration = .zero) -> PlaybackInput {
    let newest = harness.lastSuccessor ?? harness.token
    return .event(
      .replaced(after: .process(EngineEnd(reason: "signal 11", newestStream: newest, silence: silence))))
  }

  private func errors(_ effects: [Effect]) -> [PlayerError.Code] {
    effects.events.compactMap { if case .itemFailed(_, let error) = $0 { error.code } else { nil } }
  }

  @Test("The item is loaded again at its position, and plays on from there")
  func continues() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setVolume(0.5))
    harness.advance(.seconds(3))
    let input = end(harness)
    harness.decide(input)
    let request = StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(3))
    #expect(harness.lastEffects.engineCommands == [.open(request)])
    #expect(harness.engineSettings.volume == 0.5)
    #expect(harness.lastEffects.events == [.warning("the engine process ended: signal 11", of: harness.current)])
    #expect(harness.position == .seconds(3))
    harness.settle()
    #expect(harness.lastEffects.engineCommands == [harness.itemPlan, .setPlaying(true)])
  }

  @Test("An item during which the engine ended twice fails with the reason, and the next one plays")
  func twice() throws {
    var harness = MachineHarness()
    harness.start()
    for _ in 0..<2 {
      let input = end(harness)
      harness.decide(input)
    }
    #expect(errors(harness.lastEffects) == [.engineEnded])
    #expect(!harness.lastEffects.events.contains { if case .warning = $0 { true } else { false } })
    #expect(harness.machine.lastError?.message == "the engine process ended twice: signal 11")
    #expect(harness.lastEffects.loads == ["file:///1"])
    // The next item has its own count.
    let input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(errors(harness.lastEffects).isEmpty)
  }

  @Test("If a successor was open, it is opened alone next time, and the item at fault is the one that fails")
  func successorAtFault() throws {
    var harness = MachineHarness()
    harness.start()
    _ = try harness.requireOffer()
    var input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads == ["file:///0"])
    harness.settle()
    harness.run()
    let next = harness.offer()
    #expect(next == nil)
    // The first end counts for neither of them.
    input = end(harness)
    harness.decide(input)
    #expect(errors(harness.lastEffects).isEmpty)
    _ = harness.next()
    for index in 0..<2 {
      input = end(harness)
      harness.decide(input)
      #expect(errors(harness.lastEffects) == (index == 0 ? [] : [.engineEnded]))
    }
    #expect(harness.lastEffects.loads == ["file:///2"])
  }

  @Test("A stream that was sent to the next process is not affected")
  func newerLoad() {
    var harness = MachineHarness()
    harness.start()
    let input = end(harness)
    _ = harness.next()
    harness.decide(input)
    #expect(harness.lastEffects.loads.isEmpty)
    #expect(harness.lastEffects.events == [.warning("the engine process ended: signal 11")])
  }

  @Test("After a process that did not respond, playback continues where it last did, and the jump is reported")
  func silent() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(6))
    let input = end(harness, silence: .seconds(4))
    harness.decide(input)
    #expect(harness.position == .seconds(2))
    #expect(harness.lastEffects.events.contains(.timeJumped(from: .seconds(6), to: .seconds(2))))
    // Not before the start of playback.
    var begun = MachineHarness()
    begun.start()
    begun.seek(to: .seconds(2))
    begun.settle()
    begun.run()
    begun.advance(.seconds(1))
    begun.decide(end(begun, silence: .seconds(4)))
    #expect(begun.position == .seconds(2))
  }

  @Test("While stopped, nothing is loaded; while paused, the item is held at its position")
  func notPlaying() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    _ = harness.pause()
    var input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads == ["file:///0"])
    harness.settle()
    #expect(harness.position == .seconds(2))
    #expect(!harness.isAdvancing)
    _ = harness.stop()
    input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads.isEmpty)
  }

  @Test("An item that is held at its end stays there, and does not end again", arguments: ["file", "http"])
  func heldAtEnd(scheme: String) {
    var harness = MachineHarness(1, scheme: scheme)
    harness.decide(.setActionAtItemEnd(.none))
    harness.start()
    harness.advance(.seconds(10))
    harness.end()
    #expect(harness.lastEffects.events == [.itemDidPlayToEnd(harness.items[0])])
    let input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads.isEmpty)
    #expect(harness.position == .seconds(10))
    #expect(harness.violations.isEmpty)
    harness.decide(.seek(to: .seconds(4), within: .zero, SeekTicket(number: 1)))
    #expect(harness.lastEffects.loads == ["\(scheme):///0"])
  }

  @Test("While paused, a seek from the end opens an item from a server at once, and a file when playback resumes")
  func pausedAtEnd() {
    for (scheme, isOpened) in [("http", true), ("file", false)] {
      var harness = MachineHarness(1, scheme: scheme)
      harness.decide(.setActionAtItemEnd(.pause))
      harness.start()
      harness.advance(.seconds(10))
      harness.end()
      let input = end(harness)
      harness.decide(input)
      harness.seek(to: .seconds(4))
      #expect(harness.lastEffects.loads == (isOpened ? ["http:///0"] : []))
      #expect(harness.lastEffects.events == [.timeJumped(from: .seconds(10), to: .seconds(4))])
      #expect(harness.isReleased != isOpened && harness.violations.isEmpty)
      let loads = harness.play().loads
      #expect(loads == (isOpened ? [] : ["file:///0"]))
    }
  }

  @Test("Each of several joined parts of the same media counts its own ends")
  func joinedParts() {
    let parts = [(0.0, 2.0), (2, 4), (4, 6)].map { start, end in
      Player.Item(uri: "file:///a", externalMetadata: nil, start: .seconds(start), end: .seconds(end))
    }
    var harness = MachineHarness(0)
    harness.decide(.replaceQueue(parts))
    _ = harness.play()
    for part in parts {
      harness.settle()
      harness.run()
      #expect(harness.current == part)
      let input = end(harness)
      harness.decide(input)
      #expect(errors(harness.lastEffects).isEmpty && harness.lastEffects.loads == ["file:///a"])
      harness.settle()
      harness.run()
      harness.advance(.seconds(2))
    }
  }

  @Test("An item that repeats counts the ends of each passage")
  func repeated() {
    var harness = MachineHarness(1, loop: .track)
    harness.start()
    for _ in 0..<3 {
      let input = end(harness)
      harness.decide(input)
      #expect(errors(harness.lastEffects).isEmpty)
      harness.settle()
      harness.run()
      harness.advance(.seconds(10))
      harness.end()
      harness.settle()
      harness.run()
    }
  }

  @Test("The time limit of a load begins when the engine has started")
  func startOfEngine() {
    var harness = MachineHarness()
    harness.decide(.play)
    harness.report(.starting(true))
    #expect(harness.machine.nextWake == nil)
    harness.advance(.seconds(50))
    #expect(harness.lastEffects.loads.isEmpty && harness.machine.lastError == nil)
    harness.report(.starting(false))
    harness.advance(.seconds(9))
    #expect(harness.machine.lastError == nil)
    harness.advance(.seconds(2))
    #expect(harness.machine.lastError?.code == .loadTimeout)
  }

  @Test("An engine that ends while it starts is followed by one whose start is reported again")
  func endWhileStarting() {
    var harness = MachineHarness()
    harness.decide(.play)
    harness.report(.starting(true))
    let input = end(harness)
    harness.decide(input)
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.machine.nextWake != nil)
    harness.report(.starting(true))
    #expect(harness.machine.nextWake == nil)
  }
}
