import Testing

@testable import Playback

@Suite("What hangs inside the engine") struct HangRuleTests {
  @Test("A new pipeline loads what the one before it should have, and has the volume")
  func replacedWhileLoading() {
    var bench = Bench()
    bench.start()
    bench.step { machine, _ in machine.setVolume(0.5) }
    _ = bench.next()
    bench.step { $0.pipelineWasReplaced(after: .tearDown, now: $1) }
    #expect(bench.lastEffects.loads == ["file:///1"])
    #expect(bench.lastEffects.orders.contains(.setVolume(0.5)))
    bench.settle()
    #expect(bench.lastEffects.orders == [.setPlaying(true)])
  }

  @Test("An item that does not start is loaded again at its position, and fails when it does not start then")
  func startMissed() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(2))
    _ = bench.pause()
    _ = bench.play()
    bench.step { $0.startMissed($0.token, position: nil, now: $1) }
    #expect(bench.lastEffects.loads == ["file:///0"])
    #expect(bench.position == .seconds(2))
    for _ in 0..<2 { bench.settle() }
    #expect(bench.lastEffects.orders == [.setPlaying(true)])
    bench.step { $0.startMissed($0.token, position: nil, now: $1) }
    #expect(bench.lastEffects.loads == ["file:///1"])
    #expect(bench.lastEffects.events.contains { if case .itemFailed = $0 { true } else { false } })
  }

  @Test("Sound that was heard before the start was missed is not heard again")
  func heardBeforeMissedStart() {
    var bench = Bench()
    bench.start()
    _ = bench.pause()
    _ = bench.play()
    bench.step { $0.startMissed($0.token, position: .seconds(3), now: $1) }
    #expect(bench.lastEffects.loads == ["file:///0"])
    #expect(bench.position == .seconds(3))
    var ended = Bench()
    ended.start()
    _ = ended.pause()
    _ = ended.play()
    ended.step { $0.startMissed($0.token, position: .seconds(10), now: $1) }
    #expect(ended.lastEffects.events.first == .itemDidPlayToEnd(ended.items[0]))
    #expect(ended.lastEffects.loads == ["file:///1"])
  }

  @Test("A successor that is being loaded when a start is missed is not handed over again")
  func startMissedWithSuccessor() throws {
    var bench = Bench()
    _ = bench.play()
    _ = try bench.takeOffer()
    bench.settle()
    bench.step { $0.startMissed($0.token, position: nil, now: $1) }
    #expect(bench.lastEffects.loads == ["file:///0"])
    let offer = bench.offer()
    #expect(offer == nil)
  }

  @Test("A start that was missed and came later, or that nobody wants any more, changes nothing")
  func startCame() {
    var bench = Bench()
    bench.start()
    #expect(bench.step { $0.startMissed($0.token, position: nil, now: $1) }.isEmpty)
    _ = bench.pause()
    #expect(bench.step { $0.startMissed($0.token, position: nil, now: $1) }.isEmpty)
  }

  @Test("What hangs in play fails, once, and stopped there is nothing to load")
  func replacedWhilePlaying() {
    var bench = Bench()
    bench.start()
    bench.step { $0.pipelineWasReplaced(after: .item, now: $1) }
    #expect(bench.lastEffects.loads == ["file:///1"])
    #expect(bench.lastEffects.events.contains { if case .itemFailed = $0 { true } else { false } })
    _ = bench.stop()
    bench.step { $0.pipelineWasReplaced(after: .tearDown, now: $1) }
    #expect(bench.lastEffects.loads.isEmpty)
  }
}
