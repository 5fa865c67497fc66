/// A gapless successor that hangs while it is
extension PlaybackMachine {
  /// The successor that is heard next, as long as it has not reached the output.
  var awaitedSuccessor: HandOver.Successor? {
    guard let next = loaded.handOver.first, next.phase == .offered, !next.isWithdrawn else { return nil }
    return next
  }

  /// The instant at which the awaited successor is late; nil while there is none, or while nothing is to run.
  ///
  /// The load time-out begins at the end of the current item, if the duration is known.
  var successorDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isWanted, loaded.seek == nil, awaitedSuccessor != nil else { return nil }
    var start = loaded.handOver.expectedSince
    if let duration = current.details.duration,
      let end = timebase.anchor.instant(reaching: duration, from: timebase.anchor.instant)
    {
      start = max(start, end)
    }
    return start + configuration.loadTimeout
  }

  /// Gives up the awaited successor; returns whether there was one.
  ///
  /// It is not reported as failed: it is loaded again in its turn, with a time-out of its own.
  mutating func giveUpSuccessor(now: MonotonicTime) -> Bool {
    guard let next = awaitedSuccessor else { return false }
    current.unfitSuccessors.insert(next.item.id)
    if isRunning {
      // The current item ends with its last sample.
      loaded.handOver.withdraw(next.token)
      perform(.withdraw(next.token))
    } else {
      // The pipeline waits for the successor before it prerolls or runs.
      loadCurrent(at: position(at: now), now: now)
    }
    return true
  }
}
