/// Handles the failures of the current item, its successor, its source, or the output.
///
/// GStreamer posts two to four errors for one failure; the first counts. A connection that is cut is an error at once,
/// and an ordinary end seconds later.
extension PlaybackMachine {
  mutating func failed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    if stream == outgoing?.token {
      outgoingEnded()
    } else if stream == skipped?.token {
      skipped = nil
    } else if loaded.successors[stream] != nil {
      // The current item plays to its end. Then the next one is opened again, and fails.
      rejectSuccessor(stream)
    } else if stream == token, phase.isLoading, error.isFromSource, error.code == .networkCut {
      // The received data may be enough to play. If it is not, another failure or the deadline follows. Since no more
      // data arrives, the deadline is brought forward: `oggdemux`, which seeks to the end of the media for the duration,
      // then drops its EOS and the received data without an error.
      loaded.sourceFailure = loaded.sourceFailure ?? error
      loaded.deadline = min(loaded.deadline, now + configuration.pipelineTimeout)
    } else if stream == token, phase.isReady, error.isFromSource {
      cutOff(error, now: now)
    } else if stream == token, phase.isLoaded {
      fail(loaded.sourceFailure ?? error, now: now)
    }
  }

  /// Handles an early end of the source: the received data is played, and then the item fails.
  mutating func cutOff(_ error: PlayerError, now: MonotonicTime) {
    guard loaded.sourceFailure == nil else { return }
    let cut = PlayerError(
      code: .networkCut, message: "the connection was closed before the end of the media", detail: error.detail)
    loaded.sourceFailure = error.code == .httpError ? error : cut
    loaded.successors = []
    loaded.buffer.close()
    timebase.nextSample = now + Timebase.sampleInterval
    reconcile(now: now)
  }

  /// Fails the current item: reports the failure once, and skips the item.
  ///
  /// If every item of a pass fails, playback stops, whatever the loop mode.
  mutating func fail(_ error: PlayerError, now: MonotonicTime) {
    guard let item = queue.current else { return endQueue() }
    if reconnects(after: error, now: now) { return }
    let error = reportedError(error)
    lastError = error
    log(error, .itemFailed, now: now)
    current.status = .failed
    // An item that has played for more than a second was not a failed attempt, so a new pass begins.
    if position(at: now) > .seconds(1) { skip.failed = [] }
    skip.failed.insert(item.id)
    emit(.itemFailed(item, error: error))
    if error.isUnusableOutput { return endQueue() }
    guard let next = skip.next(in: queue) else { return endQueue() }
    move(to: next, now: now)
  }

  mutating func outputFailed(_ error: PlayerError, now: MonotonicTime) {
    guard phase.isLoaded else { return }
    if error.isUnusableOutput { return fail(error, now: now) }
    log(error, .reopeningOutput, now: now)
    reportAbandonedSeek(now: now)
    unload(to: .outputLost(retry: now + output.fail()), at: position(at: now))
    current.isStalled = current.isStalled || intent == .playing
    if lastError != error { emit(.outputFailed(error)) }
    lastError = error
  }
}
