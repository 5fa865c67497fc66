/// Follows the course of play for the time observers: what was traversed since the last look, and when the next one is
/// due.
///
/// A value; it is shown the machine before and after each decision, so that no stretch is lost and none is counted
/// twice.
struct CourseWatch: Sendable {
  /// What an observer is to be told.
  enum Notice: Equatable, Sendable {
    /// A multiple of an interval has been passed.
    case passing(TimeObservers.ID, Duration)
    /// Play has started, stopped, jumped or ended.
    case tick(TimeObservers.ID, Duration)
    case crossing(TimeObservers.ID, BoundaryCrossing)
  }

  var observers = TimeObservers()
  /// Whether somebody hears the events, and wants to be told of chapters.
  var isFollowed = false
  private var chapters = ChapterWatch()
  private var number: UInt64 = 0
  private var start = Duration.zero
  private var includesStart = true
  /// The last call of all periodic observers at a start, a stop or a jump.
  private var ticked: TimeObservers.Ticked?
  /// As far as fractions are told, once a duration is known.
  private var progress: TimeObservers.Progress?
  private var item: PlayerItem.ID?
  private var countdown = TimeObservers.Countdown.whole
  /// When the next look was due, as told last.
  private var expected: MonotonicTime?
  private var doubt: Doubt?

  /// The process has stood, and the clock has not: whether play has gone on is not known until it is measured.
  private struct Doubt {
    /// How late a look may come.
    static let lateness = Duration.seconds(1)
    /// How long a measurement is waited for.
    static let patience = Duration.milliseconds(200)

    var since: MonotonicTime
    var isNew = true
    var end: MonotonicTime { since + Self.patience }

    func lasts(_ course: Course) -> Bool { course.isMoving && course.measured < since }
  }

  /// What was traversed up to now; to be called before each decision.
  mutating func advance(_ course: Course, now: MonotonicTime) -> [Notice] {
    enter(course)
    guard course.isMoving, !isInDoubt(course, now: now) else { return [] }
    let (crossings, ticking) = traverse(course, upTo: course.position, now: now)
    return crossings + ticking.map { .passing($0, course.position) }
  }

  /// What lies between the last look and the end of the item, which has been reached; every periodic observer is told
  /// the end.
  mutating func finish(_ course: Course, now: MonotonicTime) -> [Notice] {
    var course = course
    // What was cut off is as long as what was heard.
    if course.duration != nil { course.duration = course.end }
    // Observers with a multiple at the end were called for it if play was seen there before.
    let wasThere = start >= course.end && !includesStart
    let passed = wasThere ? observers.periodic(withMultiplesAt: course.end, in: stretch(of: course)) : []
    let ticking = observers.periodic.filter { !passed.contains($0) }
    defer { countdown = .whole }
    return traverse(course, upTo: course.end, now: now).crossings + ticking.map { .tick($0, course.end) }
  }

  /// The whole of a successor that has ended before its start was noticed.
  func finish(_ successor: Course.Successor, now: MonotonicTime) -> [Notice] {
    let end = successor.duration ?? .zero
    let stretch = TimeObservers.Stretch(start: .zero, includesStart: true, duration: successor.duration)
    let course = PositionAnchor(position: .zero, instant: successor.start, rate: 1)
    let crossings = observers.crossings(in: stretch, upTo: end).map {
      notice(of: $0, in: successor.item, at: end, course, now: now)
    }
    return crossings + tickAll(at: end)
  }

  /// Tells every periodic observer a position: play has started, stopped, jumped or ended.
  private func tickAll(at position: Duration) -> [Notice] { observers.periodic.map { .tick($0, position) } }

  /// Calls every periodic observer at the position of a start, a stop or a jump.
  ///
  /// A multiple of an interval at this position is not reported a second time when the clock runs.
  mutating func tickAll(_ course: Course) -> [Notice] {
    enter(course)
    ticked = TimeObservers.Ticked(observers: Set(observers.periodic), position: course.position)
    return tickAll(at: course.position)
  }

  /// When the next observer is due, if play runs on.
  mutating func nextWake(_ course: Course, now: MonotonicTime) -> MonotonicTime? {
    enter(course)
    expected = nil
    if let doubt, doubt.lasts(course) { return doubt.end }
    doubt = nil
    guard course.isMoving, let due = nextDue(course), course.duration.map({ due <= $0 }) ?? true else { return nil }
    // A microsecond later, so that rounding does not wake it just before.
    expected = course.anchor.instant(reaching: due, from: now).map { $0 + .microseconds(1) }
    return expected
  }

  private func nextDue(_ course: Course) -> Duration? {
    let observed = observers.isEmpty ? nil : observers.nextDue(in: stretch(of: course))
    let chapter = isFollowed ? chapters.nextDue(course) : nil
    guard let observed, let chapter else { return observed ?? chapter }
    return min(observed, chapter)
  }

  /// Tells of another chapter, once it is certain where play is.
  mutating func followChapters(_ course: Course) -> PlayerEvent? {
    if let doubt, doubt.lasts(course) { return nil }
    return chapters.follow(course, isHeard: isFollowed)
  }

  /// Whether a measurement is to be waited for before anything is told; it begins with a look that comes far too late.
  private mutating func isInDoubt(_ course: Course, now: MonotonicTime) -> Bool {
    if let doubt {
      if doubt.end <= now { self.doubt = nil }
      return now < doubt.end
    }
    guard let expected, expected + Doubt.lateness < now else { return false }
    doubt = Doubt(since: now)
    return true
  }

  /// Whether the position is to be measured, asked once for each doubt.
  mutating func takeWish() -> Bool {
    defer { doubt?.isNew = false }
    return doubt?.isNew ?? false
  }

  private func stretch(of course: Course) -> TimeObservers.Stretch {
    TimeObservers.Stretch(
      start: start, includesStart: includesStart, duration: course.duration, progress: progress(of: course),
      rate: course.anchor.isRunning ? course.anchor.rate : 1, countdown: countdown, origin: course.stretch.start,
      ticked: ticked)
  }

  /// As long as no duration was known, the fractions behind the start are those of the first that is.
  private func progress(of course: Course) -> TimeObservers.Progress? {
    progress ?? course.duration.map { .init(position: start, duration: $0, isIncluded: includesStart) }
  }

  /// A new stretch begins where the machine says; its start counts when play goes on from there.
  private mutating func enter(_ course: Course) {
    if course.stretch.number != number {
      number = course.stretch.number
      if item != course.item?.id { countdown = .whole }
      item = course.item?.id
      begin(at: course.stretch.start, isIncluded: true)
    } else if course.isMoving, course.position <= start - PositionAnchor.tolerance,
      course.duration.map({ start <= $0 }) ?? true
    {
      // The output had fallen behind: what was told too early is heard now.
      begin(at: course.position, isIncluded: false)
    }
    if let ticked, course.isMoving, course.position <= ticked.position - PositionAnchor.tolerance {
      self.ticked = nil
    }
  }

  private mutating func begin(at position: Duration, isIncluded: Bool) {
    countdown = countdown.jumped(from: start, to: position)
    start = position
    includesStart = isIncluded
    if ticked?.position != position { ticked = nil }
    progress = nil
  }

  private mutating func traverse(_ course: Course, upTo end: Duration, now: MonotonicTime) -> (
    crossings: [Notice], ticking: [TimeObservers.ID]
  ) {
    let stretch = stretch(of: course)
    let crossings = observers.crossings(in: stretch, upTo: end)
    let ticking = observers.ticks(in: stretch, upTo: end)
    if end >= start {
      start = end
      includesStart = false
    }
    if let duration = course.duration {
      let reached = TimeObservers.Progress(position: end, duration: duration)
      if let told = stretch.progress, reached < told { progress = told } else { progress = reached }
    }
    countdown = observers.countdown(after: stretch, upTo: end, told: crossings)
    guard let item = course.item else { return ([], []) }
    return (
      crossings.map { notice(of: $0, in: item, at: end, course.anchor, now: now) }, ticking
    )
  }

  private func notice(
    of crossing: TimeObservers.Crossing, in item: PlayerItem, at position: Duration, _ anchor: PositionAnchor,
    now: MonotonicTime
  ) -> Notice {
    let instant = anchor.crossing(of: crossing.boundary, before: now)
    return .crossing(
      crossing.observer,
      BoundaryCrossing(
        item: item, boundary: crossing.boundary, position: position, monotonicNanoseconds: instant.nanoseconds))
  }
}
