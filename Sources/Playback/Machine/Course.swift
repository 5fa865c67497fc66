/// The course of play at one moment: as much of the machine as the time observers need.
struct Course: Sendable {
  /// A gapless successor whose stream is at the output already.
  struct Successor: Sendable {
    var item: PlayerItem
    var duration: Duration?
    /// When its first sample is heard.
    var start: MonotonicTime
  }

  var item: PlayerItem?
  var duration: Duration?
  var chapters: [Chapter]
  var anchor: PositionAnchor
  /// Where play stands; runs along the anchor while `isMoving`.
  var position: Duration
  var stretch: (number: UInt64, start: Duration)
  var isMoving: Bool
  var isSeeking: Bool
  /// When the pipeline last told its position.
  var measured: MonotonicTime
  /// Where the item ends, if it ends now.
  var end: Duration
  var successor: Successor?
  /// Whether play goes on, seeks apart.
  var advances: Bool
  /// Nothing plays and nothing is loaded.
  var isStopped: Bool
}

extension PlaybackMachine {
  func course(at now: MonotonicTime) -> Course {
    Course(
      item: queue.current, duration: current.details.duration, chapters: current.details.chapters,
      anchor: timebase.anchor,
      position: position(at: now), stretch: timebase.stretch,
      isMoving: timebase.isRunning && loaded.seek == nil, isSeeking: loaded.seek != nil, measured: timebase.measured,
      end: endPosition(at: now),
      successor: successor(at: now),
      advances: advances, isStopped: intent == .stopped)
  }

  private func successor(at now: MonotonicTime) -> Course.Successor? {
    guard inTail, let next = loaded.handOver.first else { return nil }
    return Course.Successor(item: next.item, duration: next.details.duration, start: next.start ?? now)
  }
}
