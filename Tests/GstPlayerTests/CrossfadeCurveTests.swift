import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of the levels of a crossfade, without audio.
@Suite("The crossfade curves")
struct CrossfadeCurveTests {
  private let parts = (0...1000).map { Double($0) / 1000 }

  @Test("The sum of the powers is constant, or that of the levels")
  func sums() {
    for part in parts {
      let curve = Player.CrossfadeCurve.equalPower
      let powers = [CrossfadeRamp.Direction.fadeIn, .fadeOut].map { curve.level(part, $0) }.map { $0 * $0 }
      #expect(abs(powers[0] + powers[1] - 1) < 1e-12)
      let linear = Player.CrossfadeCurve.linear
      #expect(abs(linear.level(part, .fadeIn) + linear.level(part, .fadeOut) - 1) < 1e-12)
    }
  }

  @Test(
    "A level is exact at both ends, constant beyond them, and changes in one direction",
    arguments: Player.CrossfadeCurve.allCases)
  func ends(curve: Player.CrossfadeCurve) {
    #expect([-1, 0, 1, 2].map { curve.level($0, .fadeIn) } == [0, 0, 1, 1])
    #expect([-1, 0, 1, 2].map { curve.level($0, .fadeOut) } == [1, 1, 0, 0])
    #expect(zip(parts, parts.dropFirst()).allSatisfy { curve.level($0, .fadeIn) < curve.level($1, .fadeIn) })
  }

  @Test("A stream ends where it has faded out, before the end that was requested for it")
  func gate() {
    let gate = OutputGate()
    gate.begin(.first)
    #expect(gate.end(.first, at: .seconds(9)))
    gate.endFade(of: .first, at: .seconds(5))
    #expect(gate.pass(from: .seconds(4), to: .seconds(6)) == .seconds(1))
    gate.endFade(of: .first, at: nil)
    #expect(gate.pass(from: .seconds(8), to: .seconds(10)) == .seconds(1))
  }
}
