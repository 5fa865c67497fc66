import Joining
import Playback
import Testing

@Suite("What a plan changes") struct DifferenceTests {
  /// Two parts of 100 frames that are written; the first ten frames are audible.
  private func written() -> Harness {
    var harness = Harness()
    harness.decode(1, 0..<100, ends: true)
    harness.decode(2, 0..<100, ends: true)
    harness.decode(3, 0..<100, ends: true)
    harness.plan([Part(1), Part(2)])
    harness.write()
    harness.joiner.heard(10)
    return harness
  }

  @Test("A plan that only adds a part differs from nothing that was written")
  func addition() {
    let harness = written()
    #expect(harness.joiner.difference(from: [Part(1), Part(2)]) == 200)
    #expect(harness.joiner.difference(from: [Part(1), Part(2), Part(3)]) == 200)
  }

  @Test("A plan differs where another part follows, and from the audible frame without the audible part")
  func replacement() {
    let harness = written()
    #expect(harness.joiner.difference(from: [Part(1), Part(3)]) == 100)
    #expect(harness.joiner.difference(from: [Part(1)]) == 100)
    #expect(harness.joiner.difference(from: [Part(1), Part(3), Part(2)]) == 100)
    #expect(harness.joiner.difference(from: [Part(3)]) == 10)
    #expect(harness.joiner.difference(from: []) == 10)
    #expect(harness.joiner.difference(from: [Part(1), Part(2, seek: 1)]) == 100)
  }

  @Test("A plan differs where it ends a part, and where it does not end one that was ended")
  func ends() {
    var harness = written()
    #expect(harness.joiner.difference(from: [Part(1, to: 40), Part(2)]) == 40)
    #expect(harness.joiner.difference(from: [Part(1), Part(2, to: 70)]) == 170)
    #expect(harness.joiner.difference(from: [Part(1, to: 5), Part(2)]) == 10)
    harness.plan([Part(1, to: 50), Part(2)], from: 40)
    harness.write()
    #expect(harness.joiner.difference(from: [Part(1, to: 60), Part(2)]) == 50)
  }

  @Test("A part whose samples were late for the end of its overlap makes no difference")
  func lateForOverlap() {
    var harness = Harness()
    var second = Part(2)
    second.join = .overlap(CrossfadeShape(length: .milliseconds(40), curve: .linear))
    harness.decode(1, 0..<80)
    harness.decode(2, 0..<100, ends: true)
    let first = Part(1, to: 100)
    harness.plan([first, second])
    harness.write()
    // The fade has ended after 100 frames, without the last 20 of the first part.
    harness.decode(1, 80..<100, ends: true)
    _ = harness.joiner.heard(90)
    #expect(harness.joiner.written == 160)
    #expect(harness.joiner.difference(from: [first, second, Part(3)]) == 160)
    #expect(harness.joiner.difference(from: [Part(1, to: 95), second]) == 160)
    #expect(harness.joiner.difference(from: [first]) == 90)
  }

  @Test("After a change from the difference on, everything sounds as if the plan had never been another one")
  func change() {
    for plan in [[Part(1), Part(3)], [Part(1, to: 40), Part(2)], [Part(1), Part(2, to: 70), Part(3)]] {
      var (harness, other) = (written(), Harness())
      harness.plan(plan, from: harness.joiner.difference(from: plan))
      harness.write()
      for stream: UInt64 in 1...3 { other.decode(stream, 0..<100, ends: true) }
      other.plan(plan)
      other.write()
      #expect(harness.output == other.output)
    }
  }
}

@Suite("The volume of everything") struct VolumeTests {
  @Test("A fade-out and a fade-in are linear, and exact to the bit outside of them")
  func fade() {
    var harness = Harness()
    harness.decode([Int16](repeating: 10_000, count: 1_000), of: 1, ends: true)
    harness.plan([Part(1)])
    harness.write(100)
    harness.joiner.fade(to: 0, over: .milliseconds(100))
    #expect(harness.joiner.fadeEnd == 200)
    harness.write(300)
    harness.joiner.fade(to: 1, over: .milliseconds(50))
    harness.write()
    #expect(harness.output[..<101].allSatisfy { $0 == 10_000 })
    #expect(harness.output[150] == 5_000)
    #expect(harness.output[200..<401].allSatisfy { $0 == 0 })
    #expect(harness.output[425] == 5_000)
    #expect(harness.output[450...].allSatisfy { $0 == 10_000 })
  }

  @Test("A fade that turns continues from the level that it has reached, and takes the time of its part")
  func turn() {
    var harness = Harness()
    harness.decode([Int16](repeating: 10_000, count: 1_000), of: 1, ends: true)
    harness.plan([Part(1)])
    harness.joiner.fade(to: 0, over: .milliseconds(100))
    harness.write(25)
    harness.joiner.fade(to: 1, over: .milliseconds(100))
    harness.write()
    #expect(harness.output[25] == 7_500)
    #expect(harness.joiner.fadeEnd == 50)
    #expect(harness.output[50] == 10_000)
  }

  @Test("A fade from a given level begins there")
  func start() {
    var harness = Harness()
    harness.decode([Int16](repeating: 10_000, count: 100), of: 1, ends: true)
    harness.plan([Part(1)])
    harness.joiner.fade(from: 0, to: 1, over: .milliseconds(100))
    harness.write()
    #expect(harness.output[0] == 0)
    #expect(harness.output[50] == 5_000)
  }
}
