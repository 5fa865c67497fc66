import Playback

/// The record of the position.
struct PositionRecord {
  /// Whether a jump, another item or a stop was reported since the last check.
  var hasJumped = false
  /// The largest position since the last jump.
  var highest = Duration.zero
  var lastPosition = Duration.zero
  var lastInstant: Int64 = VirtualClock.start
  /// The instant of the check before the last one.
  var checked: Int64 = VirtualClock.start
  var lastRate = 0.0
  /// The greatest rate since the output last reported what is audible.
  var unmeasuredRate = 0.0
  /// Whether it has reported that since the last check.
  var isMeasured = false
}

extension Checker {
  func jumped(_ from: Duration, _ to: Duration) {
    require(.jumpMoves, from != to, "a jump from \(from) to the same position")
    position.hasJumped = true
  }

  func checkPosition(_ after: PlayerInternals) {
    let seen = after.snapshot
    let shown = seen.position
    // A correction continues only while the position advances.
    if let before, !before.isAdvancing, let measured = progress.measured, measured <= position.lastInstant,
      position.lastInstant - measured < Checker.longestCorrection
    {
      progress.measured = measured + now - position.lastInstant
    }
    require(
      .positionWithinItem, shown >= .zero && seen.duration.map { shown <= $0 } ?? true,
      "\(shown) of \(seen.duration.map(String.init(describing:)) ?? "unknown")")
    require(.stoppedAtZero, seen.transport != .stopped || shown == .zero, "stopped at \(shown)")
    checkJumpTarget(shown)
    let hasMoved =
      position.hasJumped || events.contains(where: \.movesPosition)
      || before?.snapshot.duration != seen.duration || before?.snapshot.currentItem?.id != seen.currentItem?.id
      || seen.transport == .stopped || before?.snapshot.transport == .stopped
      || before?.playbackRun != after.playbackRun || after.isSeeking || before?.isSeeking == true
    checkUnreportedJump(after)
    if !hasMoved, let before, !world.scenario.behaviour.slowObservers {
      // A resumption is reported with its position.
      let slack = events.contains(where: \.isResumption) ? Duration.seconds(2) : .microseconds(1)
      require(
        .positionNeverBackwards, shown >= position.lastPosition - slack,
        "from \(position.lastPosition) back to \(shown)")
      checkAdvance(shown, before, after)
    }
    checkAgainstOutput(after)
    checkAnchor(after)
    position.hasJumped = false
    position.lastPosition = shown
    position.checked = position.lastInstant
    position.lastInstant = now
    // An item that refuses another rate plays at its own.
    if position.isMeasured { position.unmeasuredRate = 0 }
    position.isMeasured = false
    position.unmeasuredRate = max(position.unmeasuredRate, seen.anchor.rate)
    position.lastRate = after.isAdvancing ? seen.anchor.rate : 0
  }

  /// The difference between the shown position and the output's, as long as a pause takes to reach the output.
  private var startTolerance: Duration {
    let behaviour = world.scenario.behaviour
    return .milliseconds(150 + 2 * behaviour.messageDelay + 4 * behaviour.callDuration + behaviour.startDelay)
      + .nanoseconds(world.model.longestHang) + waitForEnd
  }

  /// The time by which the report of an end may be late, and those after it.
  var waitForEnd: Duration { .milliseconds(world.scenario.behaviour.lateEnds ? 300 : 0) }

  /// Checks that a run of playback that begins elsewhere is a seek, or is reported.
  private func checkUnreportedJump(_ after: PlayerInternals) {
    guard let before, before.playbackRun != after.playbackRun, !after.isSeeking, !before.isSeeking, !isCommand,
      !position.hasJumped, !events.contains(where: \.movesPosition), after.snapshot.transport != .stopped,
      before.snapshot.duration == after.snapshot.duration, !world.scenario.behaviour.slowObservers
    else { return }
    let distance = after.snapshot.position - position.lastPosition
    let played = before.isAdvancing ? Duration.nanoseconds(now - position.lastInstant) * position.lastRate : .zero
    require(
      .positionNeverBackwards, distance > .milliseconds(-1) && distance < played + .milliseconds(1_100),
      "from \(position.lastPosition) to \(after.snapshot.position) without a report")
  }

  private func checkJumpTarget(_ shown: Duration) {
    guard !events.isEmpty else { return }
    let targets = events.compactMap { if case .timeJumped(_, let to) = $0 { to } else { Duration?.none } }
    guard let last = targets.last, !world.scenario.behaviour.slowObservers, !events.contains(where: \.changesItem),
      !events.contains(.queueEnded)
    else { return }
    let distance = last < shown ? shown - last : last - shown
    let isClamped = world.player.internals.snapshot.duration.map { last >= $0 && shown == $0 } ?? false
    require(.jumpMoves, distance < .milliseconds(20) || isClamped, "the jump to \(last) leads to \(shown)")
  }

  /// Returns the possible deviation of the position between two measurements, by the drift of the output's clock.
  private func drift(at position: Duration) -> Duration {
    position.scaled(by: Double(abs(world.scenario.behaviour.drift)) / 500_000)
  }

  /// Returns the way that the output has gained on a player that has set a lower rate, while the call of that rate hung.
  private func wayDuringHang(at rate: Double) -> Duration {
    guard now - progress.disturbed < 2_000_000_000 else { return .zero }
    return .nanoseconds(world.model.longestHang).scaled(by: max(0, position.unmeasuredRate - rate))
  }

  private func checkAdvance(_ shown: Duration, _ before: PlayerInternals, _ after: PlayerInternals) {
    let advance = shown - position.lastPosition
    if before.isAdvancing || after.isAdvancing {
      let elapsed = Duration.nanoseconds(now - position.lastInstant)
      let rate = max(before.snapshot.anchor.rate, after.snapshot.anchor.rate)
      let measured = max(1, rate, position.unmeasuredRate)
      // The output plays at the rate before the player reads the message on it.
      let slack: Duration
      if before.isAdvancing {
        slack =
          .milliseconds(251) + .milliseconds(world.scenario.behaviour.messageDelay).scaled(by: measured)
          + (position.isMeasured
            ? drift(at: shown) + wayDuringHang(at: rate) + waitForEnd.scaled(by: measured) : .zero)
      } else {
        let isStream = after.snapshot.currentItem.flatMap(world.player.media(of:))?.isLocal == false
        slack = isStream ? .seconds(2) : min(.seconds(2), startTolerance + drift(at: shown)).scaled(by: measured)
      }
      // An output that has played on while the process was suspended is ahead by that time.
      let isAwake = now - world.resumed >= 1_000_000_000
      let suspension = isAwake ? .zero : Duration.nanoseconds(world.suspension).scaled(by: max(1, rate))
      let hasResumed = events.contains(where: \.isResumption)
      require(
        .positionNeverAhead, advance <= elapsed.scaled(by: rate + 0.011) + slack + suspension || hasResumed,
        "\(advance) in \(elapsed) at rate \(rate)")
    } else {
      let isSame = advance == .zero
      require(
        .positionStands, isSame || after.isFading || before.isFading,
        "from \(position.lastPosition) to \(shown) without playing")
    }
  }

  /// The time that a correction of two seconds takes; a larger one is a jump.
  static let longestCorrection: Int64 = 200_000_000_000

  private func checkAgainstOutput(_ after: PlayerInternals) {
    let output = world.model.output
    guard after.isAdvancing, let measured = progress.measured, now - measured >= Checker.longestCorrection,
      world.model.isCalm, output.isRunning, let deck = output.current?.deck, deck.token == after.stream,
      let item = after.snapshot.currentItem, now - progress.disturbed > 2_000_000_000, deck.media.source == .file
    else { return }
    let heard = Duration.nanoseconds(deck.position)
    let shown = after.snapshot.position + item.start
    let behaviour = world.scenario.behaviour
    // A late first sample is corrected at once, except at the stated end, where the position waits for the end.
    let isLonger = deck.media.stated.map { $0 < deck.media.length } ?? false
    let late = isLonger ? Duration.milliseconds(behaviour.startDelay) * max(1, after.snapshot.rate) : .zero
    let limit = Duration.milliseconds(150 + 8 * behaviour.messageDelay) + drift(at: heard) + late
    let distance = heard < shown ? shown - heard : heard - shown
    let isAtEnd = after.snapshot.duration.map { shown - item.start >= $0 || heard - item.start >= $0 } ?? false
    // The position waits at the duration for the end; if none follows, the duration was too short.
    let wait = Duration.seconds(2) * max(1, after.snapshot.rate)
    require(
      .positionMatchesOutput, distance <= limit || isAtEnd && distance <= wait,
      "shows \(shown), the output plays \(heard)")
  }

  private func checkAnchor(_ after: PlayerInternals) {
    let anchor = after.snapshot.anchor
    let computed = anchor.position(atMonotonicNanoseconds: now)
    let shown = after.snapshot.position
    let bounded = after.snapshot.duration.map { min($0, computed) } ?? computed
    let distance = bounded < shown ? shown - bounded : bounded - shown
    // A correction may hold the position until a measurement reaches it.
    require(
      .anchorMatchesPosition, distance <= .milliseconds(290) * max(1, after.snapshot.rate),
      "the anchor leads to \(computed), the position is \(shown)")
    require(.anchorMatchesPosition, (anchor.rate != 0) == after.isAdvancing || after.isSeeking, "rate \(anchor.rate)")
  }
}

extension Player.Event {
  /// Whether the position may be another one after the event.
  var movesPosition: Bool {
    switch self {
    case .timeJumped, .currentItemChanged, .itemRepeated, .itemDidPlayToEnd, .itemFailed, .queueEnded: true
    default: false
    }
  }

  /// Whether another run of playback begins; an item that fades out ends beside the run of the next one.
  var beginsRun: Bool { if case .itemDidPlayToEnd = self { false } else { movesPosition } }

  /// Whether playback resumes after a stall.
  var isResumption: Bool { if case .playbackResumed = self { true } else { false } }

  var changesItem: Bool {
    switch self {
    case .currentItemChanged, .itemRepeated: true
    default: false
    }
  }
}
