import Testing

@testable import Playback

@Suite("Hangs in the engine") struct HangRuleTests {
  @Test("A replacement pipeline loads the pending item and receives the volume")
  func replacedWhileLoading() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setVolume(0.5))
    _ = harness.next()
    harness.report(.replaced(after: .tearDown))
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(harness.lastEffects.engineCommands.contains(.setVolume(0.5)))
    #expect(
      harness.lastEffects.events == [.warning("\(EngineHang.tearDown.sentence); its pipeline is abandoned")])
    harness.settle()
    #expect(harness.lastEffects.engineCommands == [.setPlaying(true)])
  }

  @Test("If a call for the item before hangs, the item that is being loaded is loaded again")
  func itemBeforeHangs() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.seek(5)
    _ = harness.next()
    let effects = harness.report(.replaced(after: .item))
    #expect(effects.loads == ["file:///1"])
    #expect(effects.events == [.warning("\(EngineHang.item.sentence); its pipeline is abandoned")])
    #expect(harness.current == harness.items[1])
  }

  @Test("An item that does not start is reloaded at its position, and fails when it does not start again")
  func startMissed() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    _ = harness.pause()
    _ = harness.play()
    harness.report(.startMissed(harness.token, position: nil))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.lastEffects.events == [.warning("playback did not start; loading the item again")])
    #expect(harness.position == .seconds(2))
    for _ in 0..<2 { harness.settle() }
    #expect(harness.lastEffects.engineCommands == [.setPlaying(true)])
    harness.report(.startMissed(harness.token, position: nil))
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(harness.lastEffects.events.contains { if case .itemFailed = $0 { true } else { false } })
  }

  @Test("Audio rendered before a missed start is not rendered again")
  func heardBeforeMissedStart() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.pause()
    _ = harness.play()
    harness.report(.startMissed(harness.token, position: .seconds(3)))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.position == .seconds(3))
    var ended = MachineHarness()
    ended.start()
    _ = ended.pause()
    _ = ended.play()
    ended.report(.startMissed(ended.token, position: .seconds(10)))
    #expect(ended.lastEffects.events.first == .itemDidPlayToEnd(ended.items[0]))
    #expect(ended.lastEffects.loads == ["file:///1"])
  }

  @Test("An item offered before a missed start is not offered again")
  func startMissedWithSuccessor() throws {
    var harness = MachineHarness()
    _ = harness.play()
    _ = try harness.requireOffer()
    harness.settle()
    harness.report(.startMissed(harness.token, position: nil))
    #expect(harness.lastEffects.loads == ["file:///0"])
    let offer = harness.offer()
    #expect(offer == nil)
  }

  @Test(
    "A start is missed if a successor at the output prevents it, also one that was withdrawn", arguments: [false, true])
  func startMissedOfSuccessor(isWithdrawn: Bool) throws {
    var harness = MachineHarness()
    _ = harness.play()
    let next = try harness.requireOffer()
    harness.settle()
    harness.startNext(next.stream, in: 5)
    if isWithdrawn { harness.decide(.remove(harness.items[1].id)) }
    harness.report(.startMissed(next.stream, position: .zero))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.position == .zero)
    harness.settle()
    harness.run()
    let offer = harness.offer()
    #expect((offer == nil) == !isWithdrawn)
  }

  @Test("A missed start is handled if the report of an earlier start arrived after the pause between them")
  func staleStart() {
    var harness = MachineHarness()
    harness.startPaused()
    _ = harness.play()
    _ = harness.pause()
    _ = harness.play()
    harness.run()
    harness.report(.startMissed(harness.token, position: .seconds(1)))
    #expect(harness.lastEffects.loads == ["file:///0"])
    #expect(harness.position == .seconds(1))
  }

  @Test("A missed start is ignored if the item is paused")
  func pausedStart() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.pause()
    #expect(harness.report(.startMissed(harness.token, position: nil)).isEmpty)
  }

  @Test("An item that hangs during playback fails once; while stopped the replacement pipeline loads nothing")
  func replacedWhilePlaying() {
    var harness = MachineHarness()
    harness.start()
    harness.report(.replaced(after: .item))
    #expect(harness.lastEffects.loads == ["file:///1"])
    #expect(harness.lastEffects.events.contains { if case .itemFailed = $0 { true } else { false } })
    _ = harness.stop()
    harness.report(.replaced(after: .tearDown))
    #expect(harness.lastEffects.loads.isEmpty)
  }
}
