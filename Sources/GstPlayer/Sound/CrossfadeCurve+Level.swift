import Glibc
import Playback

extension Player.CrossfadeCurve {
  /// Returns the level of a stream at a part of a crossfade, from 0 to 1; it is constant before and after that.
  func level(_ part: Double, _ direction: CrossfadeRamp.Direction) -> Double {
    let part = min(max(0, part), 1)
    // Exact at both ends.
    let rise = direction == .fadeIn ? part : 1 - part
    return switch self {
    case .equalPower: rise == 1 ? 1 : sin(rise * .pi / 2)
    case .linear: rise
    }
  }
}
