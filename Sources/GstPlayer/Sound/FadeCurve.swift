/// The level of the audio over time: full, silent, or in a fade between the two.
///
/// A value; it receives the duration of each buffer once, in order, and therefore needs no clock.
struct FadeCurve: Equatable, Sendable {
  /// A level, and the offset in a buffer at which it is reached.
  struct Point: Equatable, Sendable {
    var offset: Duration
    var level: Double
  }

  /// The level of the next sample, linear, 0 to 1.
  private(set) var level: Double
  private(set) var target: Double
  /// The duration of a fade between silent and full.
  private var length = Duration.zero

  /// Makes a constant level.
  init(at level: Double) {
    self.level = level
    target = level
  }

  static let full = FadeCurve(at: 1)

  /// Starts a fade from the present level; a smaller change takes less time.
  mutating func turn(to target: Double, over length: Duration) {
    self.target = target
    self.length = max(.zero, length)
  }

  /// The duration of the audio until the target is reached.
  var remaining: Duration { length * (target - level).magnitude }

  /// Whether all samples remain unchanged.
  var isFull: Bool { level == 1 && target == 1 }

  /// Advances by one buffer, and returns its levels: at its start, and at its end or at the point that reaches the
  /// target.
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
