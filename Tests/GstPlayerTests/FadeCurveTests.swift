import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of the audio level for each buffer, without audio.
@Suite("The fade curve")
struct FadeCurveTests {
  /// Returns the levels at the starts of buffers of 0.1 s, and at the end of the last one.
  private func levels(_ curve: inout FadeCurve, pieces: Int) -> [Double] {
    var levels: [Double] = []
    for _ in 0..<pieces {
      let points = curve.points(lasting: .milliseconds(100))
      levels.append(points[0].level)
    }
    return (levels + [curve.level]).map { ($0 * 1000).rounded() / 1000 }
  }

  @Test("A fade-out decreases evenly and stays at silence")
  func fall() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(400))
    #expect(curve.remaining == .milliseconds(400))
    #expect(levels(&curve, pieces: 6) == [1, 0.75, 0.5, 0.25, 0, 0, 0])
    #expect(curve.remaining == .zero && !curve.isFull)
  }

  @Test("Reversing a fade continues from the current level and takes proportionally less time")
  func turn() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(400))
    #expect(levels(&curve, pieces: 1) == [1, 0.75])
    curve.turn(to: 1, over: .milliseconds(400))
    #expect(curve.remaining == .milliseconds(100))
    #expect(levels(&curve, pieces: 2) == [0.75, 1, 1])
    #expect(curve.isFull)
  }

  @Test("A target level reached within a buffer is reached at its exact offset")
  func within() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(50))
    let expected: [FadeCurve.Point] = [.init(offset: .zero, level: 1), .init(offset: .milliseconds(50), level: 0)]
    #expect(curve.points(lasting: .milliseconds(100)) == expected)
    #expect(curve.points(lasting: .milliseconds(100)) == [.init(offset: .zero, level: 0)])
  }

  @Test("A fade of zero length is a step, and a fade to the current level does nothing")
  func steps() {
    var curve = FadeCurve.full
    curve.turn(to: 1, over: .seconds(1))
    #expect(curve.isFull && curve.remaining == .zero)
    curve.turn(to: 0, over: .zero)
    #expect(curve.points(lasting: .milliseconds(100)) == [.init(offset: .zero, level: 0)])
    curve.turn(to: 1, over: .seconds(-1))
    #expect(curve.points(lasting: .milliseconds(100)) == [.init(offset: .zero, level: 1)])
    #expect(curve.isFull)
  }
}
