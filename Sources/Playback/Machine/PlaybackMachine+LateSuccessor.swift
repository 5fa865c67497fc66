/// The time limit for a gapless successor that hangs while it is loaded.
extension PlaybackMachine {
  /// The next successor, as long as it has not reached the output.
  var awaitedSuccessor: GaplessSuccessor? {
    loaded.gaplessQueue.awaitsFirst ? loaded.gaplessQueue.first : nil
  }

  /// The instant at which the awaited successor is late; nil if there is none, or if the pipeline is not to run.
  ///
  /// The load time-out begins at the end of the current item, if the duration is known. Data that arrives defers it, at most
  /// to twice the time.
  var successorDeadline: MonotonicTime? {
    guard phase.isReady, loaded.isWanted, !loaded.isSeeking, loaded.gaplessQueue.awaitsFirst else { return nil }
    var start = loaded.successorExpectedSince
    if let duration = current.details.duration,
      let end = timebase.anchor.instant(reaching: duration, from: timebase.anchor.instant)
    {
      start = max(start, end)
    }
    let arrival = min(loaded.successorArrival, start + configuration.loadTimeout)
    return max(start, arrival) + configuration.loadTimeout
  }

  /// Gives up the awaited successor; returns whether there was one.
  ///
  /// The successor is not reported as failed: it is loaded again when it becomes current, with its own time-out.
  mutating func giveUpSuccessor(now: MonotonicTime) -> Bool {
    guard let next = awaitedSuccessor else { return false }
    current.rejectedSuccessors.insert(next.item.id)
    if isRunning {
      // The current item ends with its last sample.
      withdraw(next.token, now: now)
    } else {
      // The pipeline waits for the successor before it prerolls or runs.
      loadAgain(at: position(at: now), now: now)
      emit(.changed)
    }
    return true
  }
}
