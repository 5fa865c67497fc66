/// Reconnects to broadcasts that are lost during playback, with growing delays between the attempts.
///
/// A broadcast is without a duration and not seekable, so opening it again continues it. The position continues as
/// well, from the point of the loss.
extension PlaybackMachine {
  /// Whether the item is a broadcast: not seekable, and without a duration or a size in bytes.
  var isBroadcast: Bool {
    current.details.duration == nil && current.status == .readyToPlay && !current.isSeekable
      && loaded.buffer.progress.size == nil && queue.current?.isLocal == false
  }

  /// Whether the item is a broadcast that names its station: its end is treated as a lost connection.
  var isStation: Bool { isBroadcast && current.details.metadata.organization != nil }

  /// Reconnects to the current item if it is a broadcast and `error` may be temporary; returns whether it does.
  mutating func reconnects(after error: PlayerError, now: MonotonicTime) -> Bool {
    // A part of a broadcast that does not begin with it can never be played.
    guard intent != .stopped, isBroadcast, startPositionError == nil, error.mayPass, let item = queue.current else {
      return false
    }
    guard phase.isReady || phase.isLoading && current.reconnection != nil else { return false }
    let attempt = current.reconnection?.next(at: now) ?? Reconnection(at: now)
    let retry = now + attempt.backOff
    guard retry - attempt.since <= configuration.reconnectTimeout else { return false }
    log(error, .reconnecting, now: now)
    if attempt.since == now { emit(.warning("\(error.message); reconnecting", of: item)) }
    if !current.isStalled, intent == .playing {
      current.isStalled = true
      emit(.playbackStalled(item))
    }
    unload(to: .sourceLost(retry: retry), at: position(at: now))
    current.reconnection = attempt
    return true
  }

  /// Returns the error to report; for a broadcast that could not be reconnected, the loss of the connection.
  func reportedError(_ error: PlayerError) -> PlayerError {
    guard let reconnection = current.reconnection, reconnection.found == nil, error.mayPass else { return error }
    return PlayerError(
      code: .networkCut, message: "connection lost, and reconnecting failed: \(error.message)", detail: error.detail)
  }

  /// Opens the broadcast again.
  mutating func reconnect(now: MonotonicTime) {
    let held = position(at: now)
    loadCurrent(now: now)
    loaded.offset = held
    timebase.jump(to: held)
  }
}

extension PlayerError {
  /// Whether another attempt may succeed.
  fileprivate var mayPass: Bool {
    switch code {
    case .networkCut, .networkTimeout, .networkRefused, .networkUnresolved, .httpError, .loadTimeout, .empty,
      .readError, .unknown:
      true
    default: false
    }
  }
}
