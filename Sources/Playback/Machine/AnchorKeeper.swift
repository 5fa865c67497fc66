/// Keeps the last published anchor, and decides whether it is still accurate.
///
/// A pure value; it receives the playhead after each decision.
struct AnchorKeeper: Sendable {
  /// The maximum deviation of the playhead from the published anchor.
  static let tolerance = Duration.milliseconds(20)

  private(set) var anchor = Player.Snapshot.Anchor(position: .zero, monotonicNanoseconds: 0, rate: 0)
  /// The rate of playback when the anchor was published; the anchor's own rate differs from it during a correction.
  private var playbackRate = 0.0
  private var playbackRun: UInt64 = 0

  /// Replaces the anchor if the playhead has deviated from it; returns whether it was replaced.
  mutating func follow(_ playhead: Playhead, now: MonotonicTime) -> Bool {
    defer { playbackRun = playhead.playbackRun.number }
    guard playhead.isMoving else {
      guard anchor.rate != 0 || anchor.position != playhead.position else { return false }
      anchor = Player.Snapshot.Anchor(position: playhead.position, monotonicNanoseconds: now.nanoseconds, rate: 0)
      return true
    }
    let isSame =
      anchor.rate != 0 && playbackRate == playhead.anchor.rate && playbackRun == playhead.playbackRun.number
    guard !isSame || deviation(of: playhead, at: now).magnitude > Self.tolerance else { return false }
    let line = playhead.anchor.line(at: now)
    // A correction that would be noticed later is part of the rate, so that it needs no further anchors until its end.
    let isCorrected = playhead.anchor.bend(after: now).magnitude > Self.tolerance
    playbackRate = playhead.anchor.rate
    anchor = Player.Snapshot.Anchor(
      position: line.position, monotonicNanoseconds: line.instant.nanoseconds,
      rate: isCorrected ? playhead.anchor.rate(at: now) : playbackRate)
    return true
  }

  /// Returns the instant at which the playhead exceeds the tolerance, if no other event occurs before.
  func nextWake(_ playhead: Playhead, now: MonotonicTime) -> MonotonicTime? {
    guard playhead.isMoving else { return nil }
    let deviation = deviation(of: playhead, at: now)
    // The playhead follows a line until the end of the correction, and another one afterwards.
    let length = playhead.anchor.bendTime(after: now)
    var end = deviation
    if length > .zero {
      let drift = playhead.anchor.rate(at: now) - anchor.rate
      if let wait = Self.wait(from: deviation, drift: drift), wait <= length { return now + wait }
      end = deviation + length.scaled(by: drift)
    }
    let wait = Self.wait(from: end, drift: playhead.anchor.rate - anchor.rate)
    return wait.map { now + length + $0 }
  }

  /// Returns the time until a deviation that changes by `drift` a second exceeds the tolerance; nil if it never does.
  private static func wait(from deviation: Duration, drift: Double) -> Duration? {
    guard drift != 0 else { return nil }
    let way = tolerance - (drift < 0 ? .zero - deviation : deviation)
    return max(.zero, way) / Swift.abs(drift) + .milliseconds(1)
  }

  private func deviation(of playhead: Playhead, at now: MonotonicTime) -> Duration {
    let line = playhead.anchor.line(at: now)
    return line.position + (now - line.instant).scaled(by: playhead.anchor.rate)
      - anchor.position(atMonotonicNanoseconds: now.nanoseconds)
  }
}
