import TestSupport
import Testing

@testable import Playback

@Suite("Arithmetic of durations") struct DurationScalingTests {
  @Test("Products and quotients equal the standard library's") func sameResults() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let bits = Int128(Int64.random(in: .min ... .max, using: &random)) << Int128.random(in: 0...45, using: &random)
      let low = Int128(Int64.random(in: .min ... .max, using: &random))
      let duration = Duration(attoseconds: (bits | low) >> Int128.random(in: 0...80, using: &random))
      let factor =
        [1, 0.25, 4, 0.01, -0.01, Double.random(in: -4...4, using: &random)].randomElement(using: &random) ?? 1
      #expect(duration.scaled(by: factor) == duration * factor)
      let divisor = Int64.random(in: 1...1_000, using: &random)
      #expect(duration.divided(by: divisor) == duration / divisor)
      #expect(duration.multiplied(by: divisor) == duration * divisor)
    }
  }

  @Test("A duration just above the middle of two doubles is rounded up") func justAboveMiddle() {
    // Of the 74 bits, the last lies beyond the 64 that are converted first.
    let middle = ((Int128(1) << 63) | (Int128(1) << 10)) << 10
    for bits in [middle, middle | 1, middle | (1 << 21), middle | (1 << 21) | 1] {
      let duration = Duration(attoseconds: bits)
      #expect(duration.scaled(by: 1) == duration * 1.0)
    }
  }

  @Test("Whole nanoseconds are rounded towards zero and bounded") func wholeNanoseconds() {
    #expect(Duration(attoseconds: 1_999_999_999).wholeNanoseconds == 1)
    #expect(Duration(attoseconds: -1_999_999_999).wholeNanoseconds == -1)
    #expect((Duration.seconds(20) + .nanoseconds(7)).wholeNanoseconds == 20_000_000_007)
    #expect((Duration.zero - .seconds(20) - .nanoseconds(7)).wholeNanoseconds == -20_000_000_007)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
  }
}
