import Testing

@testable import Playback

@Suite("Time observers after a suspension of the process") struct TimeObserverLateTests {
  /// Returns a harness whose process was suspended for 10 min, 1.2 s after the start of an item.
  private func harnessAfterSuspension() -> ObserverHarness {
    var harness = ObserverHarness()
    harness.observe(times: 1, 2, 3, 602)
    harness.observe(fractions: 0.0025, 0.6)
    harness.observe(.remaining(.seconds(700)))
    harness.observe(every: 0.5)
    harness.start(duration: 1000)
    harness.advance(1.2)
    harness.forget()
    harness.stand(600)
    return harness
  }

  @Test("If playback continued during the suspension, each boundary on the way fires once, in order")
  func stoodAlone() {
    var harness = harnessAfterSuspension()
    harness.advance(0.01)
    #expect(harness.reported.isEmpty)
    #expect(harness.harness.effects.last == .command(.samplePosition(of: harness.token)))
    harness.measure()
    harness.advance(1)
    #expect(harness.boundaries == [2, 2.5, 3, 300, 600, 602])
    #expect(harness.ticks.first.map { abs($0 - 601.2) < 0.1 } == true)
    #expect(harness.ticks.count <= 4)
  }

  @Test("If playback was suspended with the process, each boundary fires once, when it is reached")
  func stoodTogether() {
    var harness = harnessAfterSuspension()
    harness.advance(0.01)
    harness.step { $0.sample(.seconds(1.3)) }
    #expect(harness.boundaries.isEmpty)
    harness.advance(0.5)
    #expect(harness.boundaries.isEmpty)
    harness.advance(1.3)
    #expect(harness.boundaries == [2, 2.5, 3])
    #expect(harness.ticks.map { ($0 * 10).rounded() / 10 } == [1.3, 1.5, 2, 2.5, 3])
  }

  @Test("A missing measurement delays the boundaries by at most 0.2 s")
  func stoodUnmeasured() {
    var harness = harnessAfterSuspension()
    harness.advance(0.19)
    #expect(harness.reported.isEmpty)
    harness.advance(0.02)
    #expect(harness.boundaries == [2, 2.5, 3, 300, 600])
    #expect(harness.harness.effects.filter { $0 == .command(.samplePosition(of: harness.token)) }.count <= 3)
    harness.advance(1)
    #expect(harness.boundaries == [2, 2.5, 3, 300, 600, 602])
  }

  @Test("If the item ended during the suspension, each boundary fires once before the end")
  func stoodBeyondEnd() {
    var harness = harnessAfterSuspension()
    harness.stand(1000)
    harness.step { $0.end() }
    let item = harness.harness.items[0]
    #expect(harness.boundaries == [2, 2.5, 3, 300, 600, 602])
    #expect(
      harness.reported.suffix(4) == [.tick(1000), .event(.itemDidPlayToEnd(item)), .event(.queueEnded), .tick(0)])
    harness.advance(1)
    #expect(harness.boundaries.count == 6)
  }

  @Test("If a repetition has ended before its start was noticed, its observers are called at its own positions")
  func unnoticedRepetition() throws {
    var harness = ObserverHarness(loop: .track)
    harness.observe(times: 0, 0.25)
    harness.observe(every: 3)
    harness.start()
    harness.advance(9)
    let stream = try harness.prepareNext(duration: 0.5)
    harness.forget()
    harness.stand(3)
    harness.enterNext(stream)
    harness.end(at: 0.5)
    #expect(harness.boundaries == [0, 0.25])
    #expect(harness.ticks.prefix(3) == [10, 0, 0.5])
  }
}
