import Joining
import Playback
import Testing

/// Tests of parts that fade out by themselves, and of those that fade in beside them.
@Suite("Fades of parts") struct FadeOutTests {
  private func shape(_ length: Int) -> CrossfadeShape {
    CrossfadeShape(length: .milliseconds(length), curve: .linear)
  }

  private func constant(_ level: Int16, _ count: Int) -> [Int16] { [Int16](repeating: level, count: count) }

  /// The samples of a fall from a level to 0 within 20 frames.
  private func fall(_ level: Int) -> [Int16] { (0..<20).map { Int16(level * (20 - $0) / 20) } }

  private func fading(to end: Int? = nil) -> Part {
    var part = Part(1, to: end)
    part.fadeOut = shape(20)
    return part
  }

  @Test("A part fades out before the end of its range or of its media, in runs of any size", arguments: [7, 1_000])
  func alone(step: Int64) {
    for (end, length) in [(60, 60), (nil, 100)] {
      var harness = Harness()
      harness.plan([fading(to: end)])
      harness.decode(constant(10_000, 100), of: 1, ends: true)
      #expect(harness.write(step: step) == .ended)
      #expect(harness.output == constant(10_000, length - 20) + fall(10_000))
    }
  }

  @Test("The part after it begins with its first sample, whatever its format was to be")
  func next() {
    var harness = Harness()
    harness.plan([fading(to: 60), Part(2)])
    harness.decode(constant(10_000, 100), of: 1, ends: true)
    harness.decode(constant(500, 10), of: 2, ends: true)
    #expect(harness.write() == .ended)
    #expect(harness.output == constant(10_000, 40) + fall(10_000) + constant(500, 10))
  }

  @Test("A part that is late for the fade of the one before fades in beside it, over its own time")
  func beside() {
    var harness = Harness()
    harness.decode(constant(10_000, 100), of: 1)
    harness.plan([Part(1)])
    harness.write(10)
    var second = Part(2)
    second.join = .fadeIn(shape(10))
    harness.plan([fading(to: 30), second])
    // Without its samples, the first one fades alone.
    harness.write(5)
    harness.decode(constant(2_000, 40), of: 2, ends: true)
    #expect(harness.write() == .ended)
    let rise = (0..<40).map { $0 < 10 ? Int16(2_000 * $0 / 10) : 2_000 }
    let first = constant(10_000, 10) + fall(10_000)
    let expected = (0..<55).map { frame in
      (frame < first.count ? first[frame] : 0) + (frame < 15 ? 0 : rise[frame - 15])
    }
    #expect(harness.output == expected)
  }

  @Test("A fade that is taken back continues at the full level, without a step")
  func cancelled() {
    var harness = Harness()
    harness.plan([fading(to: 60)])
    harness.decode(constant(10_000, 200), of: 1, ends: true)
    harness.write(50)
    harness.plan([Part(1)])
    harness.write()
    #expect(harness.output.count == 200)
    #expect(zip(harness.output[50...], harness.output[51...]).allSatisfy { 0...200 ~= $1 - $0 })
    #expect(harness.output[100...] == constant(10_000, 100)[...])
    // A fade that was written and not heard is as if it had never been.
    var other = Harness()
    other.plan([fading(to: 60)])
    other.decode(constant(10_000, 200), of: 1, ends: true)
    other.write(50)
    other.plan([Part(1)], from: 30)
    other.write()
    #expect(other.output == constant(10_000, 200))
  }
}
