import Playback

/// The fade of one part: its level over the time of media that the output plays.
struct FadeRamp {
  /// The reason for a fade.
  enum Kind {
    /// The part begins with it.
    case fadeIn
    /// The next part overlaps.
    case overlap
    /// The plan ends the part.
    case fadeOut
  }

  let kind: Kind
  /// The time at which the fade begins, in nanoseconds.
  let start: Int64
  let length: Int64
  let curve: Player.CrossfadeCurve

  /// The time at which the fade ends.
  var end: Int64 { start + length }

  /// Returns the level at a time, from 0 to 1.
  func level(at time: Int64) -> Double {
    let part = length > 0 ? min(1, max(0, Double(time - start) / Double(length))) : 1
    let rise = kind == .fadeIn ? part : 1 - part
    return curve == .linear || rise == 1 ? rise : rise.squareRoot()
  }
}
