/// What fails: the current item, its successor, its source, or the output.
extension PlaybackMachine {
  mutating func failed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    if error.code == .output, !error.isUnusableOutput {
      outputFailed(error, now: now)
    } else if isHandedOver(stream) {
      nextFailed(stream, error, now: now)
    } else if stream == token, phase.isLoading, error.isFromSource, error.code == .networkCut {
      // The received data may be enough to play. If it is not, another failure or the deadline follows: no more data
      // arrives, so that the deadline is near.
      loaded.sourceFailure = loaded.sourceFailure ?? error
      phase.limitDeadline(to: now + configuration.patience)
    } else if stream == token, phase.isReady, error.isFromSource {
      cutOff(error, now: now)
    } else if stream == token, phase.isLoaded {
      fail(loaded.sourceFailure ?? error, now: now)
    }
  }

  /// The source has ended early: what has arrived plays out, then the item fails.
  mutating func cutOff(_ error: PlayerError, now: MonotonicTime) {
    guard loaded.sourceFailure == nil else { return }
    let cut = PlayerError(.networkCut, "the connection ended before the media did", detail: error.detail)
    loaded.sourceFailure = error.code == .httpError ? error : cut
    loaded.handOver = HandOver()
    loaded.buffer.close()
    timebase.sample(at: now + Timebase.sampleInterval)
    reconcile(now: now)
    emit(.changed)
  }

  /// The gapless successor failed early: the current item plays out; its turn, and its failure, come after.
  mutating func nextFailed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    guard let index = loaded.handOver.index(of: stream) else { return }
    let successor = loaded.handOver.successors[index]
    switch successor.phase {
    case .offered:
      current.unfitSuccessors.insert(successor.item.id)
      loaded.handOver.withdraw(stream)
      perform(.withdraw(stream))
    case .started: loaded.handOver.update(stream) { $0.failure = error }
    }
  }

  /// The current item failed: told once, then skipped.
  ///
  /// A whole pass of failures ends in Stopped, whatever the loop mode.
  mutating func fail(_ error: PlayerError, now: MonotonicTime) {
    guard let item = queue.current else { return endQueue() }
    if reconnects(after: error, now: now) { return }
    let error = told(error)
    lastError = error
    current.status = .failed
    // What has played for a while was no failed attempt: the pass starts anew.
    if position(at: now) > .seconds(1) { skip.succeed() }
    skip.fail(item.id)
    emit(.itemFailed(item, error))
    if error.isUnusableOutput { return endQueue() }
    guard let next = skip.next(in: queue) else { return endQueue() }
    move(to: next, now: now)
  }

  mutating func outputFailed(_ error: PlayerError, now: MonotonicTime) {
    guard phase.isLoaded else { return }
    unload(to: .outputLost(retry: now + output.fail()), at: position(at: now))
    current.isStalled = intent == .playing
    if lastError != error { emit(.outputFailed(error)) }
    lastError = error
    emit(.changed)
  }
}
