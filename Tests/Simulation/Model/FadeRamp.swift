import Playback

/// The fade of one stream in a crossfade: its level over the position.
struct FadeRamp {
  let isIn: Bool
  let length: Int64
  let curve: Player.CrossfadeCurve
  /// The position at which the fade begins.
  private(set) var start: Int64
  /// The end of the audio that had left for the output when the fade was set.
  var fixedUntil: Int64 = 0

  /// Creates a fade-in of a stream that plays at a rate.
  init(in shape: CrossfadeShape, from start: Int64, rate: Double) {
    (isIn, length, curve, self.start) = (true, shape.length.scaled(by: rate).wholeNanoseconds, shape.curve, start)
  }

  /// Creates a fade-out of a stream that plays at a rate.
  init(out shape: CrossfadeShape, from start: Int64, rate: Double, fixedUntil: Int64 = 0) {
    (isIn, length, curve, self.start) = (false, shape.length.scaled(by: rate).wholeNanoseconds, shape.curve, start)
    self.fixedUntil = fixedUntil
  }

  /// Continues the fade in the stream that follows at the output.
  mutating func enterNext(after end: Int64) { (start, fixedUntil) = (start - end, fixedUntil - end) }

  /// The position at which the fade ends.
  var end: Int64 { start + length }

  /// Returns the level at a position, from 0 to 1.
  func level(at position: Int64) -> Double {
    guard position >= fixedUntil else { return 1 }
    let part = length > 0 ? min(1, max(0, Double(position - start) / Double(length))) : 1
    let rise = isIn ? part : 1 - part
    return curve == .linear || rise == 1 ? rise : rise.squareRoot()
  }
}

/// The start of a prepared stream at a position of the loaded one.
struct SecondStart {
  let stream: UInt64
  let position: Int64
  let shape: CrossfadeShape
  var hasBegun = false
}
