import Testing

@testable import Playback

@Suite("Hangs in the engine") struct HangRuleTests {
  @Test("After an output that hangs, the pending item is loaded again after a delay, and the settings stay")
  func outputHangs() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setVolume(0.5))
    _ = harness.next()
    let warning = Player.Event.warning("the output does not respond; its pipeline is abandoned")
    #expect(harness.report(.replaced).events == [warning, .outputFailed(.hungOutput)])
    #expect(harness.lastEffects.engineCommands.isEmpty && harness.openStreams.isEmpty)
    harness.advance(.seconds(1))
    #expect(
      harness.lastEffects.engineCommands == [.open(StreamRequest(uri: "file:///1", stream: harness.token))])
    #expect(harness.engineSettings.volume == 0.5)
    harness.settle()
    #expect(harness.lastEffects.engineCommands == [harness.itemPlan, .setPlaying(true)])
    _ = harness.stop()
    #expect(harness.report(.replaced) == [.emit(warning)])
  }

  @Test("An item that does not start is reloaded at its position, and fails when it does not start again")
  func startMissed() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    _ = harness.pause()
    _ = harness.play()
    harness.report(.stream(harness.token, .startMissed(position: nil)))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.lastEffects.events == [.warning("playback did not start; loading the item again")])
    #expect(harness.position == .seconds(2))
    harness.settle()
    #expect(harness.lastEffects.engineCommands == [harness.itemPlan])
    harness.report(.stream(harness.token, .startMissed(position: nil)))
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(harness.lastEffects.events.contains { if case .itemFailed = $0 { true } else { false } })
  }

  @Test("Audio rendered before a missed start is not rendered again")
  func heardBeforeMissedStart() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.pause()
    _ = harness.play()
    harness.report(.stream(harness.token, .startMissed(position: .seconds(3))))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.position == .seconds(3))
    var ended = MachineHarness()
    ended.start()
    _ = ended.pause()
    _ = ended.play()
    ended.report(.stream(ended.token, .startMissed(position: .seconds(10))))
    #expect(ended.lastEffects.events.first == .itemDidPlayToEnd(ended.items[0]))
    #expect(ended.lastEffects.loads == ["file:///1"])
  }

  @Test("A successor that is open is closed after a missed start, and its own missed start is ignored")
  func startMissedWithSuccessor() throws {
    var harness = MachineHarness()
    _ = harness.play()
    harness.settle()
    let next = try harness.prepareNext()
    #expect(harness.report(.stream(next, .startMissed(position: .zero))).isEmpty)
    let token = harness.token
    harness.report(.stream(token, .startMissed(position: nil)))
    #expect(harness.lastEffects.closed == [token, next] && harness.lastEffects.loads == ["file:///0"])
  }

  @Test("A missed start is handled if the report of an earlier start arrived after the pause between them")
  func staleStart() {
    var harness = MachineHarness()
    harness.startPaused()
    _ = harness.play()
    _ = harness.pause()
    _ = harness.play()
    harness.run()
    harness.report(.stream(harness.token, .startMissed(position: .seconds(1))))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.position == .seconds(1))
  }

  @Test("A missed start is ignored if the item is paused")
  func pausedStart() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.pause()
    #expect(harness.report(.stream(harness.token, .startMissed(position: nil))).isEmpty)
  }
}
