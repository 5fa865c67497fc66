/// The anchor as it was told, and whether it is still good enough.
///
/// A value; it is shown the course after each decision.
struct AnchorKeeper: Sendable {
  /// How far the course may run away from what was told.
  static let tolerance = Duration.milliseconds(20)

  private(set) var anchor = Player.Anchor(position: .zero, monotonicNanoseconds: 0, rate: 0)
  private var stretch: UInt64 = 0

  /// Takes over the course where it has left the anchor; whether it has.
  mutating func follow(_ course: Course, now: MonotonicTime) -> Bool {
    defer { stretch = course.stretch.number }
    guard course.isMoving else {
      guard anchor.rate != 0 || anchor.position != course.position else { return false }
      anchor = Player.Anchor(position: course.position, monotonicNanoseconds: now.nanoseconds, rate: 0)
      return true
    }
    let isSame = anchor.rate == course.anchor.rate && stretch == course.stretch.number
    guard !isSame || deviation(of: course, at: now).magnitude > Self.tolerance else { return false }
    let line = course.anchor.line(at: now)
    anchor = Player.Anchor(
      position: line.position, monotonicNanoseconds: line.instant.nanoseconds, rate: course.anchor.rate)
    return true
  }

  /// When a course that is being bent leaves the anchor, if nothing happens before.
  func nextWake(_ course: Course, now: MonotonicTime) -> MonotonicTime? {
    guard course.isMoving else { return nil }
    let deviation = deviation(of: course, at: now)
    guard (deviation + course.anchor.bend(after: now)).magnitude > Self.tolerance else { return nil }
    return now + (Self.tolerance - deviation.magnitude) * 100 + .milliseconds(1)
  }

  private func deviation(of course: Course, at now: MonotonicTime) -> Duration {
    let line = course.anchor.line(at: now)
    return line.position + (now - line.instant) * course.anchor.rate
      - anchor.position(atMonotonicNanoseconds: now.nanoseconds)
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
