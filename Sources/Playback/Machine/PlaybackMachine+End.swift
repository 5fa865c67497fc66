/// Handles the end of an item, and takes the action that follows.
extension PlaybackMachine {
  /// Whether playback advances at the end of an item; a looped item repeats regardless of the action at the end, unless
  /// that is to stop.
  var advancesByItself: Bool {
    settings.actionAtItemEnd == .advance || queue.loop == .track && settings.actionAtItemEnd != .stop
  }

  /// Handles that the last sample of a stream's part was played, at a time of its media; nil if it is unknown.
  mutating func ended(_ stream: StreamToken, at end: Duration?, now: MonotonicTime) {
    if stream == outgoing?.token { return outgoingEnded() }
    if stream == skipped?.token { return skipped = nil }
    // Items without a sample end without being audible.
    if loaded.ended != nil, loaded.successors[stream] != nil { audible(stream, at: nil, now: now) }
    guard mayEnd(stream) else {
      // The end applies if the seek is refused.
      if stream == token, loaded.isSeeking { loaded.foundEnd = end }
      return
    }
    noteEnd(at: end)
    passUnnoticedEnds(now: now)
    if let failure = loaded.sourceFailure, !isRefusedAtEnd(failure, now: now) {
      fail(failure, now: now)
    } else if isStation {
      fail(PlayerError(code: .networkCut, message: "the station closed the connection"), now: now)
    } else if isClipBeyondMedia, let item = queue.current {
      // Repeated, such a clip would end many times in a second.
      let message = "start position \(item.start) is beyond the end of the media"
      fail(PlayerError(code: .corrupt, message: message), now: now)
    } else if loaded.successors.isEmpty {
      playedToEnd(now: now)
    } else {
      // The next item is current when it is audible.
      (loaded.isRead, loaded.ended) = (true, now)
      // The position waits for it at the duration, or if that is unknown or wrong, here. Silence is skipped without a wait.
      let reached = endPosition(at: now)
      guard reached != current.details.duration, !endsAtSilence(reached) else { return }
      freeze(at: now)
    }
  }

  /// Whether a stream belongs to the current item and may end: an end from before a seek is ignored.
  func mayEnd(_ stream: StreamToken) -> Bool {
    stream == token && phase.isReady && !loaded.isSeeking && loaded.run != .ended
  }

  /// Whether the current item is a clip that was played from its start, where no media was found.
  private var isClipBeyondMedia: Bool {
    guard let start = queue.current?.start, start > .zero, let end = loaded.foundEnd, end <= start else { return false }
    return loaded.offset == .zero && timebase.playbackRun.start == .zero
  }

  /// Whether a server has refused the range after the last byte, which a seek to the very end requests.
  private func isRefusedAtEnd(_ failure: PlayerError, now: MonotonicTime) -> Bool {
    failure.code == .httpError && current.details.duration.map { position(at: now) >= $0 } ?? false
  }

  /// Updates the duration of the current item if its media ended unexpectedly.
  ///
  /// The duration was unknown, or wrong: a truncated file is shorter than its header claims, and joined files are longer
  /// than the header of the first one claims.
  mutating func noteEnd(at mediaEnd: Duration?) {
    // If no position of the stream was measured before, its end is unknown.
    guard let mediaEnd, mediaEnd > .zero, !loaded.isLive, !isStation, let item = queue.current else { return }
    loaded.foundEnd = mediaEnd
    let end = itemTime(mediaEnd)
    // An estimated position does not show that the duration is wrong.
    if endsAtSilence(end) || endsWherePlaybackBegan || item.end != nil || loaded.isEstimated { return }
    if current.details.duration.map({ (end - $0).magnitude > Self.endTolerance }) ?? true {
      current.correctDuration(to: end)
    }
  }

  /// Whether an end is the one of the part before skipped silence.
  private func endsAtSilence(_ end: Duration) -> Bool {
    current.silence.map { (end - $0).magnitude <= Self.endTolerance } ?? false
  }

  /// Whether media of unknown duration has ended without a sample after a seek: its end is at the target or before it.
  private var endsWherePlaybackBegan: Bool {
    guard current.details.duration == nil, let end = itemTime(loaded.foundEnd, of: token), end > .zero else {
      return false
    }
    return end <= timebase.playbackRun.start + .milliseconds(1)
  }

  mutating func playedToEnd(now: MonotonicTime) {
    // If playback was paused shortly before the end, the action at the end follows when playback resumes.
    if fade.pauseDue != nil {
      finishFadeOut(now: now)
      loaded.ended = nil
      return
    }
    guard let ended = queue.current else { return endQueue() }
    // An item without a sample ends at the instant of its start.
    scheduledStart = nil
    let end = endPosition(at: now)
    // A truncated file is shorter than its header claims; the duration of a stream becomes known at its end.
    // If nothing was played, the end is unknown, for example the end of a clip beyond the end of its media.
    if timebase.isRunning, !loaded.isLive, !loaded.isEstimated, end > .zero, !endsWherePlaybackBegan,
      !endsAtSilence(end)
    {
      current.correctDuration(to: end)
    }
    emit(.itemDidPlayToEnd(ended))
    skip.failed = []
    finish(ended, at: end, now: now)
  }

  /// Performs the action at the end of an item according to the settings and the loop mode.
  private mutating func finish(_ ended: Player.Item, at end: Duration, now: MonotonicTime) {
    if settings.actionAtItemEnd == .stop { return stopAfter(ended, now: now) }
    guard advancesByItself else { return hold(at: end, now: now) }
    guard let next = queue.following() else { return endQueue() }
    skip = SkipPass()
    guard next.id == ended.id else { return move(to: next, now: now) }
    playAgain(from: .zero, isSilent: true, now: now)
    entered(next, after: ended)
  }

  /// Stops playback; a later Play begins with the item that would have followed.
  private mutating func stopAfter(_ ended: Player.Item, now: MonotonicTime) {
    guard let next = queue.following() else { return endQueue() }
    intent = .stopped
    if next.id == ended.id {
      unload()
    } else {
      move(to: next, now: now)
    }
  }

  /// Holds the position at the end of the item, which stays current.
  private mutating func hold(at end: Duration, now: MonotonicTime) {
    timebase.stand(at: end)
    if settings.actionAtItemEnd == .pause { intent = .paused }
    if phase.isReady {
      loaded.pausedSince = now
      setWanted(.ended, now: now)
    }
  }

  /// Plays an item that has ended from its start; reports a jump from `origin` unless it is silent.
  mutating func playAgain(from origin: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if phase.isReady, current.isSeekable, loaded.sourceFailure == nil {
      beginSeek(SeekState(target: SeekTarget(position: .zero), isSilent: isSilent, origin: origin), now: now)
    } else {
      loadCurrent(now: now)
      emitTimeJump(from: origin, to: .zero)
    }
  }

  /// Sets the action at the end of an item.
  mutating func setActionAtItemEnd(_ action: Player.ActionAtItemEnd, now: MonotonicTime) {
    guard action != settings.actionAtItemEnd else { return }
    settings.actionAtItemEnd = action
    finishHeldItem(now: now)
  }

  /// Sets the loop mode.
  mutating func setLoop(_ loop: Player.LoopMode, now: MonotonicTime) {
    guard loop != queue.loop else { return }
    editQueue(now: now) { $0.loop = loop }
    finishHeldItem(now: now)
  }

  /// Performs the new action at an item that was held at its end.
  private mutating func finishHeldItem(now: MonotonicTime) {
    guard phase.isAtEnd, intent == .playing, let ended = queue.current else { return }
    guard settings.actionAtItemEnd != .none || advancesByItself else { return }
    finish(ended, at: position(at: now), now: now)
  }
}
