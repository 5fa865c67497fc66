import Glibc
import Playback

/// A change of the level of a part over frames of the output; the level is constant before and after it.
struct Envelope: Equatable, Sendable {
  enum Course: Equatable, Sendable {
    case fadeIn(Player.CrossfadeCurve)
    case fadeOut(Player.CrossfadeCurve)
    /// Linear from a level to the full one.
    case recovery(from: Double)
  }

  var course: Course
  /// The frame of the output at which it begins.
  var start: Int64
  /// In frames, more than 0.
  var length: Int64

  var end: Int64 { start + length }

  /// Returns the level at a frame, from 0 to 1.
  func level(at frame: Int64) -> Double {
    let part = min(max(0, Double(frame - start) / Double(length)), 1)
    return switch course {
    case .fadeIn(let curve): curve.rise(part)
    case .fadeOut(let curve): curve.rise(1 - part)
    case .recovery(let level): level + (1 - level) * part
    }
  }
}

extension Player.CrossfadeCurve {
  /// Returns the level at a part of a rise from 0 to 1; exact at both ends.
  fileprivate func rise(_ part: Double) -> Double {
    switch self {
    case .equalPower: part == 1 ? 1 : sin(part * .pi / 2)
    case .linear: part
    }
  }
}

/// Limits a sum of samples to full scale, where `greatest`, the sum of their levels, permits it to exceed that.
///
/// The result depends on this sample alone, so a sample that is written again after an edit is the same. Sums up to
/// `2 - greatest` are not changed; above that, the curve has no corner, and ends at full scale.
func limited(_ sum: Double, greatest: Double) -> Double {
  guard greatest > 1 else { return sum }
  let knee = max(0, 2 - greatest)
  let magnitude = sum.magnitude
  guard magnitude > knee else { return sum }
  let rest = 1 - min(1, (magnitude - knee) / (greatest - knee))
  let result = 1 - (1 - knee) * pow(rest, (greatest - knee) / (1 - knee))
  return sum < 0 ? -result : result
}
