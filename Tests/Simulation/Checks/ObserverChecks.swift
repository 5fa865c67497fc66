import Playback

/// The record of one observer of the script.
struct ObserverRecord {
  let number: Int
  let action: Action
  /// The run of playback of the last call, and the last boundary in it.
  var run: UInt64 = .max
  var lastBoundary = Duration.zero
  var boundaries: [Duration] = []
  /// The passage in which a remaining time was reported.
  var passage = -1
  /// The furthest tick in the last run of playback with one.
  var lastTick: Duration?
  var tickRun: UInt64 = 0
  /// The position and the run in which the observer was registered.
  var since = Duration.zero
  var sinceRun: UInt64 = 0
}

extension Checker {
  func registered(_ number: Int, _ action: Action) {
    var record = ObserverRecord(number: number, action: action)
    record.since = world.player.internals.snapshot.position
    record.sinceRun = progress.run
    observers.append(record)
    require(.wrongObserverRejected, !action.isWrongObserver, "\(action) is accepted")
  }

  func rejected(_ action: Action) { require(.wrongObserverRejected, action.isWrongObserver, "\(action) is rejected") }

  func cancelled(_ number: Int) {
    observers.removeAll { $0.number == number }
  }

  // MARK: Calls

  func ticked(_ shown: Duration, by number: Int) {
    world.note("    tick \(number) at \(shown)")
    mix(shown.wholeNanoseconds)
    guard let index = observers.firstIndex(where: { $0.number == number }) else {
      return broke(.cancelledIsSilent, "observer \(number) is called")
    }
    progress.calls += 1
    let isSameRun = observers[index].tickRun == progress.run
    observers[index].lastTick = isSameRun ? max(shown, observers[index].lastTick ?? shown) : shown
    observers[index].tickRun = progress.run
    guard !world.scenario.behaviour.slowObservers else { return }
    let seen = world.player.internals.snapshot
    let distance = seen.position < shown ? shown - seen.position : seen.position - shown
    let isOther = before?.snapshot.currentItem?.id != seen.currentItem?.id
    // The end of the queue has stopped playback.
    let isStopped = seen.transport == .stopped && before?.snapshot.transport == .playing
    let isEnd = events.contains(where: \.movesPosition) || isOther || isStopped
    let was = position.lastPosition
    require(
      .tickIsPosition,
      distance <= .milliseconds(30) || isEnd
        // The position has passed an end that is reported late.
        || shown >= was - .milliseconds(30) - waitForEnd.scaled(by: max(1, seen.rate))
        || now - progress.disturbed < 2_000_000_000,
      "\(shown), the position is \(seen.position)")
  }

  func crossed(_ crossing: Player.BoundaryCrossing, by number: Int) {
    world.note("    boundary \(number): \(crossing.boundary) at \(crossing.position)")
    mix(crossing.boundary.wholeNanoseconds)
    guard let index = observers.firstIndex(where: { $0.number == number }) else {
      return broke(.cancelledIsSilent, "observer \(number) is called")
    }
    progress.calls += 1
    guard !world.scenario.behaviour.slowObservers else { return }
    require(
      .boundaryTraversed, crossing.position >= crossing.boundary - .milliseconds(1),
      "\(crossing.boundary) is reported at \(crossing.position)")
    require(.boundaryTraversed, crossing.monotonicNanoseconds <= now, "the crossing is in the future")
    if crossedInFade(crossing, by: number) { return }
    let after = world.player.internals
    let isKnown =
      crossing.item.id == items.current?.id || crossing.item.id == before?.snapshot.currentItem?.id
      || crossing.item.id == after.snapshot.currentItem?.id
    require(.boundaryOfItem, isKnown, "\(crossing.item.uri) is not current")
    var record = observers[index]
    if case .observeRemaining = record.action {
      // A jump of this decision is counted after it.
      let jumps = progress.jumps + (events.contains(where: \.movesPosition) ? 1 : 0)
      require(
        .remainingOncePerPassage,
        record.passage != items.passage || jumps != record.run
          || world.player.media(of: crossing.item)?.fault == .refusedSeeks,
        "twice in passage \(items.passage)")
      record.passage = items.passage
      record.run = jumps
    } else if case .observeTimes = record.action {
      // Each jump of this decision has begun another run already.
      let run = progress.run + UInt64(events.count(where: \.beginsRun))
      if record.run != run {
        record.run = run
        record.boundaries = []
      }
      if let before, before.playbackRun == after.playbackRun, !events.contains(where: \.movesPosition) {
        require(
          .boundaryTraversed, crossing.boundary >= after.runStart,
          "\(crossing.boundary) lies before \(after.runStart), where this run of playback has begun")
      }
      require(
        .boundaryOncePerRun, !record.boundaries.contains(crossing.boundary), "\(crossing.boundary) again in one run")
      require(
        .boundaryInOrder, record.boundaries.last.map { $0 < crossing.boundary } ?? true,
        "\(crossing.boundary) after \(record.boundaries.last ?? .zero)")
      record.boundaries.append(crossing.boundary)
    }
    observers[index] = record
  }

  func chapterChanged(_ item: Player.Item, _ index: Int?, _ chapter: Chapter?) {
    require(.chapterChanges, (index == nil) == (chapter == nil), "index \(index ?? -1)")
    if index != nil {
      require(
        .chapterChanges,
        item.id == world.player.internals.snapshot.currentItem?.id || world.scenario.behaviour.slowObservers,
        "of another item")
    }
  }

  // MARK: After each event

  func checkObservers(_ after: PlayerInternals) {
    progress.run += max(UInt64(events.count(where: \.beginsRun)), before?.playbackRun == after.playbackRun ? 0 : 1)
    if events.contains(where: \.movesPosition) || before?.snapshot.transport == .stopped { progress.jumps += 1 }
    checkMissed(after)
    if let before, !isCommand, before.snapshot.transport == .paused, after.snapshot.transport == .paused,
      !after.isFading,
      !before.isFading, !world.scenario.behaviour.slowObservers, !events.contains(where: \.movesPosition)
    {
      require(.quietWhilePaused, progress.calls == 0, "\(progress.calls) calls")
    }
    progress.calls = 0
  }

  /// Checks that every boundary between the last position and this one was reported.
  private func checkMissed(_ after: PlayerInternals) {
    guard let before, !world.scenario.behaviour.slowObservers, before.isAdvancing, after.isAdvancing,
      before.playbackRun == after.playbackRun, !events.contains(where: \.movesPosition),
      before.snapshot.currentItem?.id == after.snapshot.currentItem?.id, now - progress.disturbed > 1_500_000_000
    else {
      progress.passed = []
      return
    }
    // An observer is called within a millisecond.
    let due = progress.passed.filter { $0.instant < now - 1_000_000 }
    progress.passed.removeAll { $0.instant < now - 1_000_000 }
    for passed in due {
      guard let record = observers.first(where: { $0.number == passed.observer }),
        record.since < passed.time || record.sinceRun != progress.run
      else { continue }
      if passed.isTick {
        require(
          .ticksNotMissed, record.lastTick.map { $0 >= passed.time - .milliseconds(1) } ?? false,
          "multiple at \(passed.time), last tick at \(record.lastTick ?? .zero), observer \(record.number)")
      } else {
        require(
          .boundaryNotMissed, record.boundaries.contains(passed.time), "\(passed.time), observer \(record.number)")
      }
    }
    let from = before.snapshot.position
    let to = after.snapshot.position
    for record in observers {
      switch record.action {
      case .observeTimes(let times):
        for time in times where Duration.milliseconds(time) > from && Duration.milliseconds(time) <= to {
          progress.passed.append(
            ProgressRecord.Passed(observer: record.number, time: .milliseconds(time), isTick: false, instant: now))
        }
      case .observePeriodically(let interval):
        let step = Int64(max(1, interval)) * 1_000_000
        let multiple = to.wholeNanoseconds / step * step
        if multiple > from.wholeNanoseconds {
          progress.passed.append(
            ProgressRecord.Passed(observer: record.number, time: .nanoseconds(multiple), isTick: true, instant: now))
        }
      default: break
      }
    }
  }
}

extension Action {
  /// Whether the step registers an observer that must be rejected.
  fileprivate var isWrongObserver: Bool {
    switch self {
    case .observePeriodically(let interval): interval < 1
    case .observeTimes(let times): times.isEmpty || times.contains { $0 < 0 }
    case .observeFractions(let fractions): fractions.isEmpty || fractions.contains { !(0...1000).contains($0) }
    case .observeRemaining(let time): time < 0
    default: false
    }
  }
}
