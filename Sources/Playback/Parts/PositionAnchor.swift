/// A known position at a known instant, from which every later position is computed; nothing ticks.
struct PositionAnchor: Equatable, Sendable {
  /// The media position at `instant`.
  private(set) var position: Duration
  /// When `position` was true.
  private(set) var instant: MonotonicTime
  /// Media seconds a second of wall time; 0 while the position stands.
  private(set) var rate: Double
  /// Set by a correction: never shown below this.
  private var floor = Duration.zero
  /// A correction on its way: the course is bent towards it, a hundredth of a second each second.
  private var offset = Duration.zero

  /// A position that stands still.
  init(at position: Duration) {
    self.init(position: position, instant: MonotonicTime(nanoseconds: 0), rate: 0)
  }

  /// A position that runs from `instant` on.
  init(position: Duration, instant: MonotonicTime, rate: Double) {
    self.position = position
    self.instant = instant
    self.rate = rate
  }

  var isRunning: Bool { rate != 0 }

  func position(at now: MonotonicTime) -> Duration {
    guard isRunning else { return position }
    let elapsed = max(Duration.zero, now - instant)
    let course = position + (rate == 1 ? elapsed : elapsed * rate)
    guard offset != .zero else { return max(floor, course) }
    let bend = elapsed / 100
    return course + (offset < .zero ? max(offset, .zero - bend) : min(offset, bend))
  }

  /// A line that the course follows from `now` on, until it is bent any further.
  ///
  /// Where a correction lets the position stand for a moment, this is the course that it waits for.
  func line(at now: MonotonicTime) -> (position: Duration, instant: MonotonicTime) {
    offset == .zero ? (position, instant) : (position(at: now), now)
  }

  /// How far the course will still be bent.
  func bend(after now: MonotonicTime) -> Duration {
    guard offset != .zero else { return .zero }
    let bend = max(Duration.zero, now - instant) / 100
    return offset < .zero ? min(.zero, offset + bend) : max(.zero, offset - bend)
  }

  /// The position stands from `now` on.
  func frozen(at now: MonotonicTime) -> PositionAnchor { PositionAnchor(at: position(at: now)) }

  /// A correction of this much or more is a jump, and shown as one.
  static let tolerance = Duration.seconds(2)

  /// Whether a correction is shown as a jump.
  static func isJump(from shown: Duration, to measured: Duration) -> Bool {
    let drift = measured - shown
    return drift <= .zero - tolerance || drift >= tolerance
  }

  /// The same course, corrected by a measurement, without a step back that a reader could see.
  ///
  /// Gently, the course is bent towards the measurement: an audio server's clock may start late, or stand for a moment.
  /// Otherwise it is taken as it is, and the position stands until a course that was ahead has been caught up with.
  func corrected(to measured: Duration, at now: MonotonicTime, gently: Bool) -> PositionAnchor {
    let shown = position(at: now)
    let drift = measured - shown
    var anchor = PositionAnchor(position: measured, instant: now, rate: rate)
    if Self.isJump(from: shown, to: measured) { return anchor }
    if gently {
      anchor.position = shown
      anchor.offset = drift
    } else {
      anchor.floor = max(measured, shown)
    }
    return anchor
  }

  /// When a position that was passed by `now` was passed, as far as the course tells.
  func crossing(of target: Duration, before now: MonotonicTime) -> MonotonicTime {
    guard rate > 0 else { return now }
    return min(now, instant + elapsed(until: target))
  }

  /// When the course reaches `target`; nil while it stands or runs away from it.
  func instant(reaching target: Duration, from now: MonotonicTime) -> MonotonicTime? {
    guard rate > 0 else { return nil }
    return max(now, instant + elapsed(until: target))
  }

  /// The inverse of `position(at:)`: how long after the anchor's instant the position is `target` or beyond it.
  private func elapsed(until target: Duration) -> Duration {
    let way = target - position
    guard way > .zero, target > floor else { return .zero }
    guard offset != .zero else { return rate == 1 ? way : way / rate }
    let bentFor = (offset < .zero ? .zero - offset : offset) * 100
    let bentWay = bentFor * rate + offset
    return way <= bentWay ? way / (offset < .zero ? rate - 0.01 : rate + 0.01) : (way - offset) / rate
  }
}
