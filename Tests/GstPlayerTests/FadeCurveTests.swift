import Testing

@testable import GstPlayer
@testable import Playback

/// The level of the sound, piece by piece, without any sound.
@Suite("The curve of a fade")
struct FadeCurveTests {
  /// The levels at the starts of pieces of a tenth of a second, and at the end of the last.
  private func levels(_ curve: inout FadeCurve, pieces: Int) -> [Double] {
    var levels: [Double] = []
    for _ in 0..<pieces {
      let points = curve.points(lasting: .milliseconds(100))
      levels.append(points[0].level)
    }
    return (levels + [curve.level]).map { ($0 * 1000).rounded() / 1000 }
  }

  @Test("A fall goes down evenly and stays at silence")
  func fall() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(400))
    #expect(curve.remaining == .milliseconds(400))
    #expect(levels(&curve, pieces: 6) == [1, 0.75, 0.5, 0.25, 0, 0, 0])
    #expect(curve.remaining == .zero && !curve.isFull)
  }

  @Test("A turn on the way goes on from the level reached, and takes as much less time")
  func turn() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(400))
    #expect(levels(&curve, pieces: 1) == [1, 0.75])
    curve.turn(to: 1, over: .milliseconds(400))
    #expect(curve.remaining == .milliseconds(100))
    #expect(levels(&curve, pieces: 2) == [0.75, 1, 1])
    #expect(curve.isFull)
  }

  @Test("A target that is reached within a piece is reached at its place there")
  func within() {
    var curve = FadeCurve.full
    curve.turn(to: 0, over: .milliseconds(50))
    let expected: [FadeCurve.Point] = [.init(offset: .zero, level: 1), .init(offset: .milliseconds(50), level: 0)]
    #expect(curve.points(lasting: .milliseconds(100)) == expected)
    #expect(curve.points(lasting: .milliseconds(100)) == [.init(offset: .zero, level: 0)])
  }

  @Test("A fade of no length is a step, and one to where the sound is, nothing")
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
