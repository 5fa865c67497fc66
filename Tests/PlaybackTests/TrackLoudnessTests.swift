import Testing

@testable import Playback

@Suite("Loudness of a recording") struct TrackLoudnessTests {
  private static func loudness(
    _ integrated: Double? = nil, peak: Double = 0.5, histogram: [Int: Int] = [:], silence: Duration? = nil,
    digits: Int? = nil
  ) -> TrackLoudness {
    let album = digits.map { String(repeating: "f", count: $0) }
    return TrackLoudness(integrated: integrated, peak: peak, histogram: histogram, silence: silence, album: album)
  }

  private static let possible = [
    loudness(), loudness(-1_000), loudness(1_000), loudness(peak: 0), loudness(peak: 1_000),
    loudness(histogram: [0: 1, 999: 1_000_000]), loudness(silence: .zero), loudness(silence: .seconds(1_000_000)),
    loudness(digits: 64),
  ]

  private static let impossible = [
    loudness(-1_000.1), loudness(1_000.1), loudness(.nan), loudness(-.infinity),
    loudness(peak: -0.1), loudness(peak: .nan), loudness(peak: .infinity),
    loudness(histogram: [-1: 1]), loudness(histogram: [1_000: 1]), loudness(histogram: [0: 0]),
    loudness(histogram: [0: 1_000_001]),
    loudness(silence: .seconds(-1)), loudness(silence: .seconds(1_000_001)),
    loudness(digits: 65), TrackLoudness(integrated: nil, peak: 0.5, histogram: [:], album: "g"),
  ]

  @Test("Values that a measurement can have are valid up to their limits, and others are not")
  func limits() {
    #expect(Self.possible.filter { !$0.isValid } == [])
    // A value that is not a number differs from itself.
    #expect(Self.impossible.filter(\.isValid).isEmpty)
  }

  @Test(
    "A gain is valid up to its limits",
    arguments: [
      (-1_100, 0, true), (1_100, 0.5, true), (0, 2, true), (-1_100.1, 1, false), (1_100.1, 1, false), (.nan, 1, false),
      (0, -0.1, false), (0, .nan, false), (0, .infinity, false),
    ] as [(Double, Double, Bool)])
  func gains(gain: Double, peak: Double, isValid: Bool) {
    #expect(LoudnessGain(gain: gain, peak: peak).isValid == isValid)
  }
}
