import Playback

/// How loud the sound is from one piece of it to the next: full, silent, or on its way between the two.
///
/// A value; it is shown each piece of sound once, in order, so that it neither knows nor needs a clock.
struct FadeCurve: Equatable, Sendable {
  /// A level, and where in a piece of sound it is reached.
  struct Point: Equatable, Sendable {
    var offset: Duration
    var level: Double
  }

  /// How loud the next sample is, linear, 0 to 1.
  private(set) var level: Double
  private(set) var target: Double
  /// How long the way from one end to the other takes.
  private var length = Duration.zero

  /// A level that stays.
  init(at level: Double) {
    self.level = level
    target = level
  }

  static let full = FadeCurve(at: 1)

  /// Goes on from the present level; the shorter the way, the sooner it is there.
  mutating func turn(to target: Double, over length: Duration) {
    self.target = target
    self.length = max(.zero, length)
  }

  /// How much sound passes until the target is reached.
  var remaining: Duration { length * (target - level).magnitude }

  /// Every sample stays what it is.
  var isFull: Bool { level == 1 && target == 1 }

  /// The levels of the next piece of sound: at its start, and at its end or where the target is reached before.
  mutating func points(lasting time: Duration) -> [Point] {
    let (start, remaining) = (Point(offset: .zero, level: level), remaining)
    guard remaining > .zero else {
      level = target
      return [Point(offset: .zero, level: target)]
    }
    guard remaining > time else {
      level = target
      return [start, Point(offset: remaining, level: target)]
    }
    level += (target < level ? -1 : 1) * (time / length)
    return [start, Point(offset: time, level: level)]
  }
}
