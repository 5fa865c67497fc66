/// Broadcasts that are lost while they play: they are looked for again, with growing pauses, before they fail.
///
/// A broadcast has neither a length nor places to go to, so that to open it again is to go on with it. The position goes
/// on, too, from where it was lost.
extension PlaybackMachine {
  /// The looking for a broadcast; kept while it plays again, in case that does not last.
  struct Reconnection: Equatable, Sendable {
    /// When the broadcast was lost first.
    var since: MonotonicTime
    /// How long the last pause was.
    var backOff: Duration
    /// When the broadcast was heard again.
    var found: MonotonicTime?

    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(30)
    /// What plays for so long has been found for good.
    static let recovery = Duration.seconds(20)
  }

  /// Without a length, in time or bytes, and without places to go to.
  var isBroadcast: Bool {
    queue.current?.isLocal == false && itemStatus == .readyToPlay && details.duration == nil && !isSeekable
      && buffer.progress.size == nil
  }

  /// A broadcast that says who it is: its end is no end, but a lost connection.
  var isStation: Bool { isBroadcast && details.metadata.organization != nil }

  /// Looks for the current item again when it is a broadcast and `error` may pass; whether it does.
  mutating func reconnects(after error: PlayerError, now: MonotonicTime) -> Bool {
    guard intent != .stopped, isBroadcast, error.mayPass, let item = queue.current else { return false }
    let isTrying = if case .loading = load { true } else { false }
    guard load == .ready || isTrying && reconnection != nil else { return false }
    var attempt = Reconnection(since: now, backOff: Reconnection.firstPause)
    if let last = reconnection, last.found.map({ now - $0 < Reconnection.recovery }) ?? true {
      attempt = Reconnection(since: last.since, backOff: min(last.backOff * 2, Reconnection.longestPause))
    }
    let retry = now + attempt.backOff
    guard retry - attempt.since <= configuration.reconnectTimeout else { return false }
    if attempt.since == now { emit(.warning("\(item.uri): \(error.message); it is looked for again")) }
    let held = position(at: now)
    if !isStalled, intent == .playing {
      isStalled = true
      emit(.playbackStalled(item))
    }
    unload()
    hold(at: held)
    buffer.percent = 0
    reconnection = attempt
    load = .sourceLost(retry: retry)
    emit(.changed)
    return true
  }

  /// What is told of a failure: of a broadcast that was not found again, that it was lost.
  func told(_ error: PlayerError) -> PlayerError {
    guard let reconnection, reconnection.found == nil, error.mayPass else { return error }
    return PlayerError(.networkCut, "lost, and not found again: \(error.message)", detail: error.detail)
  }

  /// Opens the broadcast again.
  mutating func reconnect(now: MonotonicTime) {
    let held = position(at: now)
    loadCurrent(now: now)
    bounds.offset = held
    hold(at: held)
    emit(.changed)
  }

  /// The position stands, and play goes on from there.
  private mutating func hold(at position: Duration) {
    anchor = PositionAnchor(at: position)
    beginStretch(at: position)
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
