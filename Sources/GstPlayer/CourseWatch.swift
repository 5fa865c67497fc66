/// The course of play at one moment: as much of the machine as the time observers need.
struct Course: Sendable {
  var item: PlayerItem?
  var duration: Duration?
  var anchor: PositionAnchor
  /// Where play stands; runs along the anchor while `isMoving`.
  var position: Duration
  var stretch: (number: UInt64, start: Duration)
  var isMoving: Bool
  /// Where the item ends, if it ends now.
  var end: Duration
  /// Whether play goes on, seeks apart.
  var advances: Bool
}

extension PlaybackMachine {
  func course(at now: MonotonicTime) -> Course {
    Course(
      item: queue.current, duration: details.duration, anchor: anchor, position: position(at: now), stretch: stretch,
      isMoving: anchor.isRunning && seek == nil, end: endPosition(at: now), advances: advances)
  }
}

/// Follows the course of play for the time observers: what was traversed since the last look, and when the next one is
/// due.
///
/// A value; it is shown the machine before and after each decision, so that no stretch is lost and none is counted
/// twice.
struct CourseWatch: Sendable {
  /// What an observer is to be told.
  enum Notice: Equatable, Sendable {
    case tick(TimeObservers.ID, Duration)
    case crossing(TimeObservers.ID, BoundaryCrossing)
  }

  var observers = TimeObservers()
  private var number: UInt64 = 0
  private var start = Duration.zero
  private var includesStart = true

  /// What was traversed up to now; to be called before each decision.
  mutating func advance(_ course: Course, now: MonotonicTime) -> [Notice] {
    enter(course)
    guard !observers.isEmpty else {
      // An observer that comes later gets nothing of the past.
      if course.position > start {
        start = course.position
        includesStart = false
      }
      return []
    }
    return course.isMoving ? traverse(course, upTo: course.position, now: now) : []
  }

  /// What lies between the last look and the end of the item, which has been reached.
  mutating func finish(_ course: Course, now: MonotonicTime) -> [Notice] {
    observers.isEmpty ? [] : traverse(course, upTo: course.end, now: now)
  }

  /// Tells every periodic observer the present position: play has started, stopped or jumped.
  mutating func tickAll(_ course: Course) -> [Notice] {
    enter(course)
    return observers.periodic.map { .tick($0, course.position) }
  }

  /// When the next observer is due, if play runs on.
  mutating func nextWake(_ course: Course, now: MonotonicTime) -> MonotonicTime? {
    enter(course)
    guard !observers.isEmpty, course.isMoving,
      let due = observers.nextDue(in: stretch(of: course)), course.duration.map({ due <= $0 }) ?? true
    else { return nil }
    // A microsecond later, so that rounding does not wake it just before.
    return course.anchor.instant(reaching: due, from: now).map { $0 + .microseconds(1) }
  }

  private func stretch(of course: Course) -> TimeObservers.Stretch {
    TimeObservers.Stretch(start: start, includesStart: includesStart, duration: course.duration)
  }

  /// A new stretch begins where the machine says; its start counts when play goes on from there.
  private mutating func enter(_ course: Course) {
    guard course.stretch.number != number else { return }
    number = course.stretch.number
    start = course.stretch.start
    includesStart = true
  }

  private mutating func traverse(_ course: Course, upTo end: Duration, now: MonotonicTime) -> [Notice] {
    guard let item = course.item, end > start || end == start && includesStart else { return [] }
    let stretch = stretch(of: course)
    start = end
    includesStart = false
    let crossings = observers.crossings(in: stretch, upTo: end).map { crossing in
      let instant = course.anchor.crossing(of: crossing.boundary, before: now)
      return Notice.crossing(
        crossing.observer,
        BoundaryCrossing(
          item: item, boundary: crossing.boundary, position: end, monotonicNanoseconds: instant.nanoseconds))
    }
    return crossings + observers.ticks(in: stretch, upTo: end).map { .tick($0, end) }
  }
}
