/// A known position at a known instant, from which every later position is computed without a timer.
struct PositionAnchor: Codable, Equatable, Sendable {
  /// The media position at `instant`.
  private(set) var position: Duration
  /// The instant at which `position` applied.
  private(set) var instant = MonotonicTime(nanoseconds: 0)
  /// Media seconds per second of wall time; 0 while the position does not advance.
  private(set) var rate = 0.0
  /// The minimum position that is shown after a correction.
  private(set) var floor = Duration.zero
  /// The correction being applied: the playhead is shifted towards it by 10 ms per second, or if it is small by 0.25 ms.
  private(set) var offset = Duration.zero

  /// The size of a correction that is shifted so slowly that the speed of the position is exact within 0.03 %.
  private static let smallCorrection = Duration.milliseconds(10)
  /// The time that each second of the correction takes, in seconds.
  private var slowness: Int64 { offset.magnitude <= Self.smallCorrection ? 4000 : 100 }

  var isRunning: Bool { rate != 0 }

  func position(at now: MonotonicTime) -> Duration {
    guard isRunning else { return position }
    let output = outputPosition(at: now)
    return offset == .zero ? max(floor, output) : output - bend(after: now)
  }

  /// Returns the position of the output; the position that readers see may still have to reach it, or to wait for it.
  func outputPosition(at now: MonotonicTime) -> Duration {
    let elapsed = max(Duration.zero, now - instant)
    return position + offset + (rate == 1 ? elapsed : elapsed.scaled(by: rate))
  }

  /// Returns a point on the line that the playhead follows from `now` on, before any further shift.
  ///
  /// If a correction holds the position for a short time, the line is the one that the position rejoins.
  func line(at now: MonotonicTime) -> (position: Duration, instant: MonotonicTime) {
    offset == .zero ? (position, instant) : (position(at: now), now)
  }

  /// Returns the part of the correction that will be applied after `now`.
  func bend(after now: MonotonicTime) -> Duration {
    guard offset != .zero else { return .zero }
    let bend = max(Duration.zero, now - instant).divided(by: slowness)
    return offset < .zero ? min(.zero, offset + bend) : max(.zero, offset - bend)
  }

  /// Returns the time from `now` until the end of the correction.
  func bendTime(after now: MonotonicTime) -> Duration { bend(after: now).magnitude.multiplied(by: slowness) }

  /// Returns the speed of the position from `now` until the end of the correction, or without one, for ever.
  func rate(at now: MonotonicTime) -> Double {
    let bend = bend(after: now)
    return bend == .zero ? rate : bend < .zero ? rate - 1 / Double(slowness) : rate + 1 / Double(slowness)
  }

  /// The minimum size of a correction that is shown as a jump.
  static let tolerance = Duration.seconds(2)

  /// Whether a correction is shown as a jump.
  static func isJump(from shown: Duration, to measured: Duration) -> Bool { (measured - shown).magnitude >= tolerance }

  /// Returns an anchor corrected by a measurement; readers see no backward step unless the correction is a jump.
  ///
  /// A gentle correction shifts the playhead gradually, because an audio server's clock may start late or stop briefly.
  /// Otherwise the measurement applies at once; if the playhead was ahead of it, the position holds until the
  /// measurement reaches it.
  func corrected(to measured: Duration, at now: MonotonicTime, gently: Bool) -> PositionAnchor {
    let shown = position(at: now)
    var anchor = PositionAnchor(position: measured, instant: now, rate: rate)
    if Self.isJump(from: shown, to: measured) { return anchor }
    if gently {
      anchor.position = shown
      anchor.offset = measured - shown
    } else {
      anchor.floor = max(measured, shown)
    }
    return anchor
  }

  /// Computes the instant at which a position that was passed by `now` was crossed.
  func crossing(of target: Duration, before now: MonotonicTime) -> MonotonicTime {
    guard rate > 0 else { return now }
    return min(now, instant + elapsed(until: target))
  }

  /// Returns the instant at which the playhead reaches `target`; nil while the position does not advance, or advances
  /// away from it.
  func instant(reaching target: Duration, from now: MonotonicTime) -> MonotonicTime? {
    guard rate > 0 else { return nil }
    return max(now, instant + elapsed(until: target))
  }

  /// Returns the instant at which the output reaches `target`; a correction in progress shows another position then.
  ///
  /// It is nil while the position does not advance.
  func outputInstant(reaching target: Duration) -> MonotonicTime? {
    guard rate > 0 else { return nil }
    let way = max(.zero, target - position - offset)
    return instant + (rate == 1 ? way : way / rate)
  }

  /// The inverse of `position(at:)`: the time from the anchor's instant until the position is at or beyond `target`.
  private func elapsed(until target: Duration) -> Duration {
    let way = target - position
    guard way > .zero, target > floor else { return .zero }
    guard offset != .zero else { return rate == 1 ? way : way / rate }
    let bentFor = offset.magnitude.multiplied(by: slowness)
    let bentWay = bentFor * rate + offset
    return way <= bentWay ? way / self.rate(at: instant) : (way - offset) / rate
  }
}
