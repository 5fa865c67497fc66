import Joining
import Playback
import Testing

@Suite("Changes of the plan") struct PlanEditTests {
  /// Returns a harness with streams of 100 frames that are decoded.
  private func harness(_ parts: [Part], streams: ClosedRange<UInt64> = 1...4) -> Harness {
    var harness = Harness()
    harness.plan(parts)
    for stream in streams { harness.decode(stream, 0..<100, ends: true) }
    return harness
  }

  @Test("A plan with the same parts changes nothing, at every frame", arguments: [0, 1, 50, 99, 100, 101, 199])
  func same(frame: Int64) {
    let parts = [Part(1), Part(2), Part(3)]
    var harness = harness(parts)
    harness.write(200)
    harness.plan(parts, from: frame)
    #expect(harness.joiner.written == frame)
    #expect(harness.write(step: 13) == .ended)
    #expect(harness.output == (1...3).flatMap { Harness.samples($0, 0..<100) })
  }

  @Test(
    "An overlap that is written again is the same, at every frame of it", arguments: [60, 69, 70, 71, 85, 99, 100, 120])
  func sameOverlap(frame: Int64) {
    let parts = [Part(1), Part(2, overlap: 30, .equalPower)]
    var (edited, plain) = (harness(parts), harness(parts))
    plain.write()
    edited.write(150)
    edited.plan(parts, from: frame)
    #expect(edited.write(step: 3) == .ended)
    #expect(edited.output == plain.output)
  }

  @Test("Another next part replaces one that was written and not played", arguments: [20, 99, 100])
  func replaced(heard: Int64) {
    var harness = harness([Part(1), Part(2)])
    harness.write(150)
    harness.joiner.heard(heard)
    harness.plan([Part(1), Part(3)], from: heard)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100) + Harness.samples(3, 0..<100))
  }

  @Test("Samples that have been played are not written again")
  func heard() {
    var harness = harness([Part(1), Part(2)])
    harness.write(50)
    harness.joiner.heard(30)
    harness.plan([Part(3)], from: 0)
    #expect(harness.joiner.written == 30)
    harness.write()
    #expect(harness.output == Harness.samples(1, 0..<30) + Harness.samples(3, 0..<100))
  }

  @Test("A change of the plan after the last frame that is written takes effect there")
  func beyond() {
    var harness = harness([Part(1), Part(2)])
    harness.write(50)
    harness.plan([Part(1), Part(3)], from: 1_000)
    #expect(harness.joiner.written == 50)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100) + Harness.samples(3, 0..<100))
  }

  @Test("A part whose overlap is replaced before it plays stays at the full level")
  func replacedOverlap() {
    var harness = harness([Part(1), Part(2, overlap: 30)])
    harness.write(90)
    harness.joiner.heard(60)
    harness.plan([Part(1), Part(3)], from: 60)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100) + Harness.samples(3, 0..<100))
  }

  @Test("A part is inserted before, and another removed after, the next one")
  func insertedAndRemoved() {
    var harness = harness([Part(1), Part(2), Part(3)])
    harness.write(40)
    harness.plan([Part(1), Part(4), Part(2)])
    #expect(harness.write() == .ended)
    #expect(harness.output == [1, 4, 2].flatMap { Harness.samples($0, 0..<100) })
  }

  @Test("The current part ends at once when it is not in the plan")
  func skipped() {
    var harness = harness([Part(1), Part(2)])
    harness.write(90)
    harness.joiner.heard(30)
    harness.plan([Part(2)], from: 30)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<30) + Harness.samples(2, 0..<100))
    let events = harness.joiner.heard(31)
    #expect(events == [.ended(Part.ID(1), at: .milliseconds(30)), .began(Part.ID(2), at: .zero)])
  }

  @Test("A skip with a short overlap fades from the audible sample on")
  func skippedWithOverlap() {
    var harness = harness([Part(1), Part(2)])
    harness.write(90)
    harness.joiner.heard(40)
    harness.plan([Part(1, to: 60), Part(3, overlap: 20)], from: 40)
    #expect(harness.write() == .ended)
    #expect(harness.output.count == 140)
    #expect(harness.output[..<40] == Harness.samples(1, 0..<40)[...])
    #expect(harness.output[60...] == Harness.samples(3, 20..<100)[...])
    #expect(harness.joiner.position(at: 40)?.part == Part.ID(3))
  }

  @Test("A seek is a part of another passage, and begins with its exact sample")
  func seek() {
    var harness = harness([Part(1), Part(2)])
    harness.write(90)
    harness.joiner.heard(30)
    harness.plan([Part(1, id: 5, seek: 1, from: 77), Part(2)], from: 30)
    // Samples from before the seek belong to the passage before.
    harness.decode(1, 90..<100)
    #expect(harness.write() == .waiting(Harness.passage(1, seek: 1)))
    // A deck may begin before the position.
    harness.decode(1, 70..<100, seek: 1, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<30) + Harness.samples(1, 77..<100) + Harness.samples(2, 0..<100))
  }

  @Test("A part that loses its successor in the overlap returns to the full level in 50 ms")
  func cancelledOverlap() {
    var harness = Harness()
    let constant = [Int16](repeating: 10_000, count: 400)
    harness.plan([Part(1), Part(2, overlap: 200)])
    harness.decode(constant, of: 1, ends: true)
    harness.decode([Int16](repeating: 0, count: 400), of: 2, ends: true)
    harness.write(350)
    harness.joiner.heard(300)
    harness.plan([Part(1), Part(3)], from: 300)
    harness.decode(3, 0..<10, ends: true)
    #expect(harness.write(step: 11) == .ended)
    #expect(harness.output.count == 410)
    #expect(harness.output[299] == 5_050)
    for frame in 0..<50 { #expect(harness.output[300 + frame] == Int16(5_000 + 100 * frame)) }
    #expect(harness.output[350..<400] == constant[..<50])
    #expect(harness.output[400...] == Harness.samples(3, 0..<10)[...])
  }

  @Test("A plan that was made before the latest part began is understood")
  func latePlan() {
    var harness = harness([Part(1), Part(2), Part(3)])
    harness.write(150)
    harness.joiner.heard(120)
    harness.plan([Part(1), Part(2), Part(4)])
    #expect(harness.write() == .ended)
    #expect(harness.output == [1, 2, 4].flatMap { Harness.samples($0, 0..<100) })
  }

  @Test("A part that fades out ends its overlap although the plan begins with its successor")
  func outgoing() {
    let parts = [Part(1), Part(2, overlap: 30), Part(3)]
    var (edited, plain) = (harness(parts), harness(parts))
    plain.write()
    edited.write(80)
    edited.joiner.heard(78)
    edited.plan([Part(2, overlap: 30), Part(3)])
    #expect(edited.write() == .ended)
    #expect(edited.output == plain.output)
  }

  @Test("A removed part continues when a second edit brings it back in time")
  func broughtBack() {
    var harness = harness([Part(1), Part(2)])
    harness.write(90)
    harness.joiner.heard(30)
    harness.plan([Part(3)], from: 60)
    harness.write(10)
    harness.plan([Part(1), Part(4)], from: 50)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100) + Harness.samples(4, 0..<100))
  }

  @Test("The end of a part can change until it has been played")
  func endMoved() {
    var harness = harness([Part(1, to: 50), Part(2)])
    harness.write(50)
    harness.joiner.heard(49)
    harness.plan([Part(1, to: 60), Part(2)])
    harness.write(10)
    harness.joiner.heard(60)
    harness.plan([Part(1, to: 70), Part(2)])
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<60) + Harness.samples(2, 0..<100))
  }

  @Test("A loop whose next repetition is late or held back repeats, until the plan changes", arguments: [19, 20])
  func loopHeldBack(heard: Int64) {
    let parts = [Part(1, from: 10, to: 30, repeats: true), Part(2)]
    var harness = harness(parts)
    #expect(harness.write(lead: 0) == .holding(until: 20))
    harness.joiner.heard(heard)
    harness.plan(parts)
    harness.joiner.heard(20)
    #expect(harness.write(lead: 0) == .holding(until: 40))
    harness.joiner.heard(20 + heard)
    harness.plan([Part(1, from: 10, to: 30), Part(2)])
    harness.joiner.heard(40)
    #expect(harness.write(lead: 0) == .ended)
    #expect(
      harness.output == Harness.samples(1, 10..<30) + Harness.samples(1, 10..<30) + Harness.samples(2, 0..<100))
  }

  @Test("A change of the plan where the media jumps continues after the jump")
  func jump() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode(1, 0..<10)
    harness.decode(1, 5_000..<5_010, ends: true)
    harness.write()
    harness.joiner.heard(10)
    harness.plan([Part(1)], from: 10)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<10) + Harness.samples(1, 5_000..<5_010))
  }

  @Test("Media without samples is reported although the plan changes after it")
  func empty() {
    var harness = harness([Part(1), Part(9), Part(2)])
    harness.joiner.finish(Harness.passage(9))
    harness.write(150)
    harness.plan([Part(1), Part(9), Part(2)])
    let events = harness.joiner.heard(150)
    #expect(events.contains(.began(Part.ID(9), at: .zero)) && events.contains(.ended(Part.ID(9), at: .zero)))
  }

  @Test("The last 32 parts that have begun are remembered, so that a late plan is understood")
  func memory() {
    var harness = Harness()
    let parts = (1...33 as ClosedRange<UInt64>).map { Part(1, id: $0, from: Int($0), to: Int($0) + 1) }
    harness.plan(parts)
    harness.decode(1, 0..<100, ends: true)
    harness.write()
    harness.joiner.heard(33)
    harness.plan([Part(1, id: 2), Part(1, id: 50, from: 90)])
    #expect(harness.write() == .ended)
    #expect(harness.output.dropFirst(33) == Harness.samples(1, 90..<100)[...])
  }

  @Test("The repetitions of a loop are one part that is remembered")
  func memoryOfLoop() {
    var harness = Harness()
    harness.plan([Part(1, to: 5), Part(1, id: 2, from: 5, to: 6, repeats: true)])
    harness.decode(1, 0..<100, ends: true)
    harness.write(50)
    harness.joiner.heard(50)
    harness.plan([Part(1, to: 5), Part(1, id: 3, from: 90)])
    #expect(harness.write() == .ended)
    #expect(harness.output[50...] == Harness.samples(1, 90..<100)[...])
  }

  @Test("The samples of a part that has ended are kept for an edit before its end, also beside a later part of them")
  func kept() {
    let parts = [Part(1, to: 50), Part(1, id: 2, from: 50)]
    var harness = Harness()
    harness.plan(parts)
    for first in stride(from: Int64(0), to: 100, by: 10) { harness.decode(1, first..<first + 10) }
    harness.joiner.finish(Harness.passage(1))
    harness.write(80)
    harness.joiner.heard(29)
    #expect(harness.joiner.frames(of: Harness.passage(1)) == 80)
    harness.plan(parts, from: 29)
    #expect(harness.write() == .ended)
    #expect(harness.output == Harness.samples(1, 0..<100))
  }

  // MARK: The volume

  @Test("A part that has not begun has its new gain from its first sample on, and nothing is written again")
  func gainOfNext() {
    var harness = Harness()
    let constant = [Int16](repeating: 10_000, count: 60)
    harness.plan([Part(1), Part(2)])
    for stream in [1, 2] as [UInt64] { harness.decode(constant, of: stream, ends: true) }
    harness.write(60)
    harness.joiner.heard(10)
    harness.plan([Part(1), Part(2, gain: 0.5)])
    #expect(harness.joiner.written == 60)
    #expect(harness.joiner.frames(of: Harness.passage(1)) == 60)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant + [Int16](repeating: 5_000, count: 60))
  }

  @Test("The gain of a part that sounds changes within 20 ms, from the frame of the change on")
  func gainOfCurrent() {
    var harness = Harness()
    harness.plan([Part(1)])
    harness.decode([Int16](repeating: 10_000, count: 150), of: 1, ends: true)
    harness.write(80)
    harness.joiner.heard(30)
    harness.plan([Part(1, gain: 0.5)], from: 40)
    harness.write(10, step: 3)
    // The second change begins at the level of the first one.
    harness.plan([Part(1, gain: 0.25)])
    harness.write(40)
    harness.joiner.heard(45)
    // At the frame of a change, the former one is replaced.
    harness.plan([Part(1, gain: 0.4)], from: 90)
    harness.plan([Part(1)], from: 90)
    #expect(harness.write() == .ended)
    let expected =
      [Int16](repeating: 10_000, count: 40) + (0..<10).map { Int16(10_000 - 250 * $0) }
      + (0..<20).map { Int16(7_500 - 250 * $0) } + [Int16](repeating: 2_500, count: 20)
      + (0..<20).map { Int16(2_500 + 375 * $0) } + [Int16](repeating: 10_000, count: 40)
    #expect(harness.output == expected)
    // An edit before the changes returns to the level there.
    harness.plan([Part(1, gain: 0.25)], from: 55)
    harness.write()
    #expect(harness.output == expected.prefix(70) + [Int16](repeating: 2_500, count: 80))
    harness.plan([Part(1)], from: 45)
    harness.write()
    for frame in 0..<20 { #expect(abs(Double(harness.output[45 + frame]) - 8_750 - 62.5 * Double(frame)) < 1) }
    #expect(harness.output[65...] == [Int16](repeating: 10_000, count: 85)[...])
  }

  @Test("A level that falls faster than a change of it rises is silence, and not negative")
  func fallWithinChange() {
    func curve(_ from: Double) -> VolumeCurve {
      VolumeCurve([.init(from: from, to: 0, start: .milliseconds(50), end: .milliseconds(55))])
    }
    var harness = Harness()
    harness.plan([Part(1, gain: 0)])
    harness.decode([Int16](repeating: 10_000, count: 100), of: 1, ends: true)
    harness.write(50)
    harness.plan([Part(1, curve: curve(1))])
    harness.write()
    #expect(harness.output.allSatisfy { $0 >= 0 })
  }

  @Test("A curve that replaces another is reached within 20 ms")
  func curve() {
    func fall(to level: Double) -> VolumeCurve {
      VolumeCurve([.init(from: 1, to: level, start: .zero, end: .milliseconds(100))])
    }
    var harness = Harness()
    harness.plan([Part(1, curve: fall(to: 0))])
    harness.decode([Int16](repeating: 10_000, count: 150), of: 1, ends: true)
    harness.write(50)
    harness.plan([Part(1, curve: fall(to: 0.5))])
    harness.write()
    #expect(harness.output[50] == 5_000)
    #expect(harness.output[60] == 5_750)
    #expect(
      harness.output[70...]
        == ((70..<100).map { Int16(10_000 - 50 * $0) }
        + [Int16](repeating: 5_000, count: 50))[...])
  }

  @Test(
    "Random edits of the queue never change what was heard, and play the rest of the newest plan", arguments: 0..<200)
  func random(seed: UInt64) {
    var random = SplitMix(state: seed)
    var harness = Harness()
    var order: [UInt64] = [1, 2, 3, 4, 5, 6]
    harness.plan(order.map { Part($0) })
    for stream in order { harness.decode(stream, 0..<50, ends: true) }
    var next: UInt64 = 7
    for _ in 0..<12 {
      harness.write(Int64.random(in: 1...40, using: &random), step: Int64.random(in: 1...20, using: &random))
      let heard = Int64.random(in: harness.joiner.heard...harness.joiner.written, using: &random)
      harness.joiner.heard(heard)
      // The parts that are audible or have been stay; those after them are shuffled, and one is added.
      let kept = Int((heard + 49) / 50)
      order = order.prefix(kept) + (order.dropFirst(kept) + [next]).shuffled(using: &random)
      harness.decode(next, 0..<50, ends: true)
      next += 1
      let current = max(0, kept - 1)
      harness.plan(order.dropFirst(current).map { Part($0) }, from: heard)
    }
    #expect(harness.write() == .ended)
    #expect(harness.output == order.flatMap { Harness.samples($0, 0..<50) })
  }
}
