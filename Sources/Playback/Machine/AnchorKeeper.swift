/// The last published anchor, and the decision whether it is still accurate.
///
/// A pure value; it receives the playhead after each decision.
struct AnchorKeeper: Sendable {
  /// The maximum deviation of the playhead from the published anchor.
  static let tolerance = Duration.milliseconds(20)

  private(set) var anchor = Player.Snapshot.Anchor(position: .zero, monotonicNanoseconds: 0, rate: 0)
  private var playbackRun: UInt64 = 0

  /// Replaces the anchor if the playhead has deviated from it; returns whether it was replaced.
  mutating func follow(_ playhead: Playhead, now: MonotonicTime) -> Bool {
    defer { playbackRun = playhead.playbackRun.number }
    guard playhead.isMoving else {
      guard anchor.rate != 0 || anchor.position != playhead.position else { return false }
      anchor = Player.Snapshot.Anchor(position: playhead.position, monotonicNanoseconds: now.nanoseconds, rate: 0)
      return true
    }
    let isSame = anchor.rate == playhead.anchor.rate && playbackRun == playhead.playbackRun.number
    guard !isSame || deviation(of: playhead, at: now).magnitude > Self.tolerance else { return false }
    let line = playhead.anchor.line(at: now)
    anchor = Player.Snapshot.Anchor(
      position: line.position, monotonicNanoseconds: line.instant.nanoseconds, rate: playhead.anchor.rate)
    return true
  }

  /// Returns the instant at which a correction in progress exceeds the tolerance, if no other event occurs before.
  func nextWake(_ playhead: Playhead, now: MonotonicTime) -> MonotonicTime? {
    guard playhead.isMoving else { return nil }
    let deviation = deviation(of: playhead, at: now)
    guard (deviation + playhead.anchor.bend(after: now)).magnitude > Self.tolerance else { return nil }
    return now + (Self.tolerance - deviation.magnitude) * 100 + .milliseconds(1)
  }

  private func deviation(of playhead: Playhead, at now: MonotonicTime) -> Duration {
    let line = playhead.anchor.line(at: now)
    return line.position + (now - line.instant) * playhead.anchor.rate
      - anchor.position(atMonotonicNanoseconds: now.nanoseconds)
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
