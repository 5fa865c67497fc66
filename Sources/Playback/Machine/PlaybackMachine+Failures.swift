/// What fails: the current item, its successor, its source, or the output.
extension PlaybackMachine {
  mutating func failed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    if error.code == .output, !error.isUnusableOutput {
      outputFailed(error, now: now)
    } else if isHandedOver(stream) {
      nextFailed(stream, error, now: now)
    } else if stream == token, case .loading(let deadline) = load, error.isFromSource, error.code == .networkCut {
      // The received data may be enough to play. If it is not, another failure or the deadline follows: no more data
      // arrives, so that the deadline is near.
      sourceFailure = sourceFailure ?? error
      load = .loading(deadline: min(deadline, now + configuration.patience))
    } else if stream == token, load == .ready, error.isFromSource {
      cutOff(error, now: now)
    } else if stream == token, load != .none, load != .parked {
      fail(sourceFailure ?? error, now: now)
    }
  }

  /// The source has ended early: what has arrived plays out, then the item fails.
  mutating func cutOff(_ error: PlayerError, now: MonotonicTime) {
    guard sourceFailure == nil else { return }
    let cut = PlayerError(.networkCut, "the connection ended before the media did", detail: error.detail)
    sourceFailure = error.code == .httpError ? error : cut
    if handOver != .none { handOver = .none }
    buffer.percent = 100
    buffer.queued = 100
    buffer.isStarved = false
    nextSample = now + .seconds(1)
    reconcile(now: now)
    emit(.changed)
  }

  /// The gapless successor failed early: the current item plays out; its turn, and its failure, come after.
  mutating func nextFailed(_ stream: StreamToken, _ error: PlayerError, now: MonotonicTime) {
    guard let index = handOver.index(of: stream) else { return }
    let successor = handOver.successors[index]
    switch successor.phase {
    case .offered:
      unfitToFollow.insert(successor.item.id)
      handOver.withdraw(stream)
      perform(.withdraw(stream))
    case .started: handOver.update(stream) { $0.failure = error }
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
    itemStatus = .failed
    // What has played for a while was no failed attempt: the pass starts anew.
    if position(at: now) > .seconds(1) { failed.removeAll() }
    failed.insert(item.id)
    emit(.itemFailed(item, error))
    if error.isUnusableOutput { return endQueue() }
    let onward = queue.neighbour(direction, excluding: failed)
    guard let next = onward ?? (direction < 0 ? queue.neighbour(1, excluding: failed) : nil) else { return endQueue() }
    move(to: next, now: now)
  }

  /// The pauses between attempts to open the output, each twice as long as the one before.
  static let firstOutputPause = Duration.milliseconds(500)
  static let longestOutputPause = Duration.seconds(10)

  mutating func outputFailed(_ error: PlayerError, now: MonotonicTime) {
    switch load {
    case .none, .parked, .outputLost, .sourceLost: return
    case .loading, .ready: break
    }
    let held = position(at: now)
    let backOff = outputBackOff.map { min($0 * 2, Self.longestOutputPause) } ?? Self.firstOutputPause
    unload()
    anchor = PositionAnchor(at: held)
    beginStretch(at: held)
    outputBackOff = backOff
    load = .outputLost(retry: now + backOff, backOff: backOff)
    isStalled = intent == .playing
    if lastError != error { emit(.outputFailed(error)) }
    lastError = error
    emit(.changed)
  }
}
