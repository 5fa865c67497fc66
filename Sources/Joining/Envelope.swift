import Glibc
import Playback

/// A change of a level over frames of the output; the level is constant before and after it.
struct Envelope: Equatable, Sendable {
  /// The level before it.
  var from: Double
  /// The level after it.
  var to: Double
  var curve = Player.CrossfadeCurve.linear
  /// The frame of the output at which it begins.
  var start: Int64
  /// In frames, more than 0.
  var length: Int64

  var end: Int64 { start + length }

  /// Returns the level at a frame.
  func level(at frame: Int64) -> Double {
    let part = min(max(0, Double(frame - start) / Double(length)), 1)
    // A fall is a rise backwards, so that equal power is kept.
    return from <= to ? from + (to - from) * curve.rise(part) : to + (from - to) * curve.rise(1 - part)
  }

  /// Multiplies the levels of consecutive frames.
  func scale(_ levels: inout [Double], at frame: Int64) {
    if end <= frame, to == 1 { return }
    for index in levels.indices { levels[index] *= level(at: frame + Int64(index)) }
  }
}

extension Player.CrossfadeCurve {
  /// Returns the level at a part of a rise from 0 to 1; exact at both ends.
  fileprivate func rise(_ part: Double) -> Double {
    switch self {
    case .equalPower: sin(part * .pi / 2)
    case .linear: part
    }
  }
}

extension VolumeCurve {
  /// Multiplies the levels of consecutive frames of media.
  func scale(_ levels: inout [Double], from first: Int64, rate: Int) {
    let ramps = ramps.map { (start: $0.start / .seconds(1), end: $0.end / .seconds(1), ramp: $0) }
    var next = 0
    for index in levels.indices {
      let time = Double(first + Int64(index)) / Double(rate)
      while next < ramps.count, ramps[next].start <= time { next += 1 }
      guard next > 0 else { continue }
      let (start, end, ramp) = ramps[next - 1]
      levels[index] *= time < end ? ramp.from + (ramp.to - ramp.from) * ((time - start) / (end - start)) : ramp.to
    }
  }
}

/// Limits a sum of samples to full scale, where `greatest`, the sum of their levels, permits it to exceed that.
///
/// The result depends on this sample alone, so a sample that is written again after an edit is the same. Sums up to
/// `2 - greatest` stay as they are; above that, the curve is smooth and ends at full scale.
func limited(_ sum: Double, greatest: Double) -> Double {
  let knee = max(0, 2 - greatest)
  let magnitude = sum.magnitude
  guard magnitude > knee else { return sum }
  let rest = 1 - min(1, (magnitude - knee) / (greatest - knee))
  // The slope at the knee is 1: the exponent is (greatest - knee) / (1 - knee).
  let result = 1 - (1 - knee) * (knee > 0 ? rest * rest : pow(rest, greatest))
  return sum < 0 ? -result : result
}
