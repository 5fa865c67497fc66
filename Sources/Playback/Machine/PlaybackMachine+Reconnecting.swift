/// Broadcasts that are lost while they play: they are looked for again, with growing pauses, before they fail.
///
/// A broadcast has neither a length nor places to go to, so that to open it again is to go on with it. The position goes
/// on, too, from where it was lost.
extension PlaybackMachine {
  /// Without a length, in time or bytes, and without places to go to.
  var isBroadcast: Bool {
    queue.current?.isLocal == false && current.status == .readyToPlay && current.details.duration == nil
      && !current.isSeekable
      && loaded.buffer.progress.size == nil
  }

  /// A broadcast that says who it is: its end is no end, but a lost connection.
  var isStation: Bool { isBroadcast && current.details.metadata.organization != nil }

  /// Looks for the current item again when it is a broadcast and `error` may pass; whether it does.
  mutating func reconnects(after error: PlayerError, now: MonotonicTime) -> Bool {
    guard intent != .stopped, isBroadcast, error.mayPass, let item = queue.current else { return false }
    guard phase.isReady || phase.isLoading && current.reconnection != nil else { return false }
    let attempt = current.reconnection?.next(at: now) ?? Reconnection(at: now)
    let retry = now + attempt.backOff
    guard retry - attempt.since <= configuration.reconnectTimeout else { return false }
    if attempt.since == now { emit(.warning("\(item.uri): \(error.message); it is looked for again")) }
    if !current.isStalled, intent == .playing {
      current.isStalled = true
      emit(.playbackStalled(item))
    }
    unload(to: .sourceLost(retry: retry), at: position(at: now))
    current.reconnection = attempt
    emit(.changed)
    return true
  }

  /// What is told of a failure: of a broadcast that was not found again, that it was lost.
  func told(_ error: PlayerError) -> PlayerError {
    guard let reconnection = current.reconnection, reconnection.found == nil, error.mayPass else { return error }
    return PlayerError(.networkCut, "lost, and not found again: \(error.message)", detail: error.detail)
  }

  /// Opens the broadcast again.
  mutating func reconnect(now: MonotonicTime) {
    let held = position(at: now)
    loadCurrent(now: now)
    loaded.offset = held
    timebase.jump(to: held)
    emit(.changed)
  }
}

extension PlayerError {
  /// Whether another attempt may have more luck.
  fileprivate var mayPass: Bool {
    switch code {
    case .networkCut, .networkTimeout, .networkRefused, .networkUnresolved, .httpError, .loadTimeout, .empty,
      .readError, .unknown:
      true
    default: false
    }
  }
}
