/// Schedules the time observers: computes which boundaries the playhead has crossed, and when the next one is due.
///
/// A pure value; it receives the playhead before and after each decision, so that each part of playback is counted
/// exactly once.
struct TimeObserverScheduler: Sendable {
  /// A notification to an observer.
  struct Notice: Equatable, Sendable {
    var observer: UInt64
    var content: ObserverDelivery.Notice
  }

  /// A step that follows from a decision.
  enum Step: Equatable, Sendable {
    case effect(Effect)
    case notify(Notice)
  }

  /// Whether the player has readers or observers of events, which also receive chapter changes.
  var followsChapters = false
  private var observers = TimeObservers()
  /// The observers of timed metadata, the oldest first, each with its tracker.
  private var metadataTrackers: [(observer: UInt64, tracker: TimedMetadataTracker)] = []
  private var chapters = ChapterTracker()
  private var number: UInt64 = 0
  private var start = Duration.zero
  private var includesStart = true
  /// The last call of all periodic observers at a start, a stop or a jump.
  private var ticked: TimeObservers.Ticked?
  /// The progress up to which fractions were reported; nil while the duration is unknown.
  private var progress: TimeObservers.Progress?
  /// The remaining times that are still to be reported, and the position that playback had reached when they were counted.
  private var counted = (countdown: TimeObservers.Countdown.whole, position: Duration.zero)
  /// The instant at which the next observer was due, as last scheduled.
  private var expected: MonotonicTime?
  /// The part of the item that fades out whose boundaries have been reported; nil unless items crossfade.
  private var fading: TimeObservers.PlaybackRun?
  private var uncertainty: PositionUncertainty?

  /// The uncertainty after the process was suspended while the clock continued: only a measurement shows whether
  /// playback continued.
  private struct PositionUncertainty {
    /// The delay of a wake-up after which the position is uncertain.
    static let lateness = Duration.seconds(1)
    /// The maximum wait for a measurement.
    static let pipelineTimeout = Duration.milliseconds(200)

    var since: MonotonicTime
    var isNew = true
    var end: MonotonicTime { since + Self.pipelineTimeout }

    func lasts(_ playhead: Playhead) -> Bool { playhead.isMoving && playhead.measured < since }
  }

  // MARK: Observers

  mutating func observe(_ kind: TimeObservers.Kind, as number: UInt64) { observers.add(kind, as: number) }

  mutating func observeMetadata(advance: Duration, as number: UInt64) {
    metadataTrackers.append((number, TimedMetadataTracker(advance: advance)))
  }

  /// Removes an observer; a number that is not known is ignored.
  mutating func remove(_ number: UInt64) {
    observers.remove(number)
    metadataTrackers.removeAll { $0.observer == number }
  }

  // MARK: Decisions

  /// Returns the notifications for the part played up to now; call it before each decision.
  mutating func advance(_ playhead: Playhead, now: MonotonicTime) -> [Notice] {
    enter(playhead)
    guard playhead.isMoving, !isPositionUncertain(playhead, now: now) else { return [] }
    let faded = playhead.outgoing.map { traverseFading($0, upTo: $0.position(at: now), now: now) } ?? []
    let (crossings, ticking) = traverse(playhead, upTo: playhead.position, now: now)
    let passed = ticking.map { Notice(observer: $0, content: .passing(playhead.position)) }
    return faded + crossings + passed + followMetadata(playhead)
  }

  /// Returns all steps that follow from a decision, in the order in which they are performed and reported.
  ///
  /// The plain `changed` event is emitted once, after the other events, and the new position after that.
  mutating func steps(
    for effects: [Effect], from before: Playhead, to after: Playhead, now: MonotonicTime
  ) -> [Step] {
    var steps: [Step] = []
    // A stream that the decision opens does not have a position yet.
    if takeMeasurementRequest(), after.stream == before.stream {
      steps.append(.effect(.command(.samplePosition(of: after.stream))))
    }
    var changed = false
    var jumped = before.advances != after.advances
    var hasEnded = false
    for effect in effects {
      switch effect {
      case .emit(.changed):
        changed = true
        continue
      case .emit(.itemDidPlayToEnd(let item)) where item == before.outgoing?.item && !hasEnded:
        if let outgoing = before.outgoing { steps += finishFading(outgoing, now: now).map { .notify($0) } }
      case .emit(.itemDidPlayToEnd(let item)):
        if !hasEnded, item == before.item { steps += finish(before, now: now).map { .notify($0) } }
        hasEnded = true
      case .emit(.timeJumped): jumped = true
      case .emit(.currentItemChanged), .emit(.itemRepeated):
        jumped = true
        if let outgoing = after.outgoing, outgoing.item == before.item, before.outgoing == nil { beginFading(before) }
        beginPassage()
      default: break
      }
      steps.append(.effect(effect))
    }
    if let event = followChapters(after) {
      steps.append(.effect(.emit(event)))
      changed = true
    }
    steps += followMetadata(after).map { .notify($0) }
    if changed { steps.append(.effect(.emit(.changed))) }
    if jumped { steps += tickAll(after).map { .notify($0) } }
    return steps
  }

  // MARK: The item that fades out

  /// Begins another item while the one of `playhead` fades out; its boundaries are reported until its end.
  private mutating func beginFading(_ playhead: Playhead) { fading = playbackRun(of: playhead) }

  /// Returns the notifications up to the end of the item that fades out, which has been reached.
  private mutating func finishFading(_ outgoing: OutgoingStream, now: MonotonicTime) -> [Notice] {
    defer { fading = nil }
    return traverseFading(outgoing, upTo: outgoing.duration, now: now)
  }

  private mutating func traverseFading(
    _ outgoing: OutgoingStream, upTo end: Duration, now: MonotonicTime
  ) -> [Notice] {
    guard var run = fading else { return [] }
    // A fade that begins late would go back to positions that were already reported.
    let end = max(end, run.start)
    let crossings = observers.crossings(in: run, upTo: end)
    // The fade may end before the item, where skipped silence begins.
    let duration = run.duration ?? outgoing.duration
    run.progress = TimeObservers.Progress(position: end, duration: duration)
    run.countdown = observers.countdown(after: run, upTo: end, reported: crossings)
    (run.start, run.includesStart) = (end, false)
    fading = run
    return crossings.map {
      notice(of: $0, in: outgoing.item, at: end, duration, outgoing.anchor, now: now)
    }
  }

  private func nextDueOfFading(_ outgoing: OutgoingStream?, now: MonotonicTime) -> MonotonicTime? {
    guard let outgoing, let fading, let due = observers.nextBoundary(in: fading), due <= outgoing.duration
    else { return nil }
    return outgoing.anchor.instant(reaching: due, from: now).map { $0 + .microseconds(1) }
  }

  /// Returns the notifications up to the end of the item, which has been reached; every periodic observer is notified
  /// of the end.
  private mutating func finish(_ playhead: Playhead, now: MonotonicTime) -> [Notice] {
    var playhead = playhead
    // A truncated item is only as long as the part that was played.
    if playhead.duration != nil { playhead.duration = playhead.end }
    // If playback was already seen at the end, observers with a multiple there have been called for it.
    var atEnd = playbackRun(of: playhead)
    (atEnd.start, atEnd.includesStart) = (playhead.end, start >= playhead.end && !includesStart)
    let called = Set(observers.ticks(in: atEnd, upTo: playhead.end))
    let ticking = observers.periodic.filter { !called.contains($0) }
    defer { beginPassage() }
    let last = followMetadata(playhead)
    return traverse(playhead, upTo: playhead.end, now: now).crossings + last + ticks(of: ticking, at: playhead.end)
  }

  private func ticks(of observers: [UInt64], at position: Duration) -> [Notice] {
    observers.map { Notice(observer: $0, content: .time(position)) }
  }

  /// Calls every periodic observer at the position of a start, a stop or a jump.
  ///
  /// A multiple of an interval at this position is not reported a second time when the clock runs.
  private mutating func tickAll(_ playhead: Playhead) -> [Notice] {
    enter(playhead)
    let periodic = observers.periodic
    ticked = TimeObservers.Ticked(observers: Set(periodic), position: playhead.position)
    return ticks(of: periodic, at: playhead.position)
  }

  /// Returns the instant at which the next observer is due if playback continues.
  mutating func nextWake(_ playhead: Playhead, now: MonotonicTime) -> MonotonicTime? {
    enter(playhead)
    expected = nil
    if let uncertainty, uncertainty.lasts(playhead) { return uncertainty.end }
    uncertainty = nil
    let limit = playhead.duration.lesser(playhead.fadedOut)
    guard playhead.isMoving else { return nil }
    if let due = nextDue(playhead), limit.map({ due <= $0 }) ?? true {
      // The additional microsecond prevents a wake-up just before the instant due to rounding.
      expected = playhead.anchor.instant(reaching: due, from: now).map { $0 + .microseconds(1) }
    }
    expected = expected.lesser(nextDueOfFading(playhead.outgoing, now: now))
    return expected
  }

  private func nextDue(_ playhead: Playhead) -> Duration? {
    let observed = observers.isEmpty ? nil : observers.nextDue(in: playbackRun(of: playhead))
    let chapter = followsChapters ? chapters.nextDue(playhead) : nil
    return metadataTrackers.reduce(observed.lesser(chapter)) { $0.lesser($1.tracker.nextDue(playhead)) }
  }

  /// Returns the event of a chapter change, once the position is certain.
  private mutating func followChapters(_ playhead: Playhead) -> Player.Event? {
    if let uncertainty, uncertainty.lasts(playhead) { return nil }
    return chapters.follow(playhead, isObserved: followsChapters)
  }

  /// Returns the timed metadata that playback has reached, once the position is certain.
  private mutating func followMetadata(_ playhead: Playhead) -> [Notice] {
    if let uncertainty, uncertainty.lasts(playhead) { return [] }
    return metadataTrackers.indices.flatMap { index in
      metadataTrackers[index].tracker.follow(playhead).map {
        Notice(observer: metadataTrackers[index].observer, content: .metadata($0))
      }
    }
  }

  /// Whether notifications must wait for a measurement, because a wake-up came far too late.
  private mutating func isPositionUncertain(_ playhead: Playhead, now: MonotonicTime) -> Bool {
    if let uncertainty {
      if uncertainty.end <= now { self.uncertainty = nil }
      return now < uncertainty.end
    }
    guard let expected, expected + PositionUncertainty.lateness < now else { return false }
    uncertainty = PositionUncertainty(since: now)
    return true
  }

  /// Returns whether the position must be measured: true only once for each uncertain position.
  private mutating func takeMeasurementRequest() -> Bool {
    defer { uncertainty?.isNew = false }
    return uncertainty?.isNew ?? false
  }

  private func playbackRun(of playhead: Playhead) -> TimeObservers.PlaybackRun {
    TimeObservers.PlaybackRun(
      start: start, includesStart: includesStart, duration: playhead.duration, progress: progress,
      rate: playhead.anchor.isRunning ? playhead.anchor.rate : 1,
      // Seeks without playback between them are one jump.
      countdown: counted.countdown.jumped(from: counted.position, to: start),
      origin: playhead.playbackRun.start,
      ticked: ticked)
  }

  /// Begins another playback run if the machine reports one; its start counts as crossed when playback continues from
  /// there.
  private mutating func enter(_ playhead: Playhead) {
    if playhead.isStopped { beginPassage() }
    if playhead.playbackRun.number != number {
      number = playhead.playbackRun.number
      begin(at: playhead.playbackRun.start)
    }
  }

  /// Begins another passage of an item, in which all remaining times are reported.
  private mutating func beginPassage() { counted.countdown = .whole }

  private mutating func begin(at position: Duration) {
    start = position
    includesStart = true
    if ticked?.position != position { ticked = nil }
    progress = nil
  }

  private mutating func traverse(_ playhead: Playhead, upTo end: Duration, now: MonotonicTime) -> (
    crossings: [Notice], ticking: [UInt64]
  ) {
    let playbackRun = playbackRun(of: playhead)
    let crossings = observers.crossings(in: playbackRun, upTo: end)
    let ticking = observers.ticks(in: playbackRun, upTo: end)
    if end >= start {
      start = end
      includesStart = false
    }
    if let duration = playhead.duration {
      let reached = TimeObservers.Progress(position: end, duration: duration)
      if let reported = playbackRun.reported, reached < reported { progress = reported } else { progress = reached }
    }
    // Playback may have passed an end that was found later; a reload at this end is not a jump back.
    let reached = playhead.duration.map { min($0, start) } ?? start
    counted = (observers.countdown(after: playbackRun, upTo: end, reported: crossings), reached)
    guard let item = playhead.item else { return ([], []) }
    let notices = crossings.map { notice(of: $0, in: item, at: end, playhead.duration, playhead.anchor, now: now) }
    return (notices, ticking)
  }

  private func notice(
    of crossing: TimeObservers.Crossing, in item: Player.Item, at position: Duration, _ duration: Duration?,
    _ anchor: PositionAnchor, now: MonotonicTime
  ) -> Notice {
    let remaining = duration.map { max(.zero, $0 - position) / (anchor.isRunning ? anchor.rate : 1) }
    let instant = anchor.crossing(of: crossing.boundary, before: now)
    let report = Player.BoundaryCrossing(
      item: item, boundary: crossing.boundary, position: position, monotonicNanoseconds: instant.nanoseconds,
      timeRemaining: remaining)
    return Notice(observer: crossing.observer, content: .crossing(report))
  }
}
