/// The fade of pauses and stops: they are told at once, and the pipeline follows when the sound is down.
extension PlaybackMachine {
  /// How long the pipeline may take to tell when the sound will be down.
  private static let fadePatience = Duration.seconds(1)
  /// What is added to that instant: a clock that is off by a little would cut into the sound.
  private static let fadeMargin = Duration.milliseconds(20)

  /// Whether there is a sound that can be taken down.
  var canFade: Bool {
    configuration.fade > .zero && phase.isReady && isRunning && timebase.isRunning && loaded.seek == nil
      && hasEnough && !settings.isMuted && settings.volume > 0
  }

  /// Begins to take the sound down; when that has ended at the latest.
  mutating func fadeOut(now: MonotonicTime) -> MonotonicTime {
    fade.isHushed = true
    perform(.fade(.out))
    return now + configuration.fade + Self.fadePatience
  }

  /// Brings up a sound that was taken down; to be called before it goes on.
  mutating func fadeIn() {
    dropFadingPause()
    guard fade.isHushed else { return }
    fade.isHushed = false
    perform(.fade(.in))
  }

  /// The pipeline has begun to take the sound down, and tells when it will be silent.
  mutating func fallEnds(in delay: Duration, now: MonotonicTime) {
    fade.ends(at: now + min(delay + Self.fadeMargin, configuration.fade + .seconds(10)))
  }

  /// Another item is opened, or this one from its start: that is no coming back.
  mutating func forgetFade() {
    dropFadingPause()
    guard fade.isHushed else { return }
    fade.isHushed = false
    perform(.fade(.none))
  }

  /// The pipeline pauses now, wherever the sound is; nothing unless it is being taken down for a pause.
  mutating func endFall(now: MonotonicTime) {
    guard fade.pauseDue != nil else { return }
    freeze(at: now)
    fade.outcome = nil
    loaded.buffer.isEnoughUnlessEmpty = false
    loaded.pausedSince = now
    reconcile(now: now)
  }

  /// What of a fade is due.
  mutating func passFade(now: MonotonicTime) {
    if let end = fade.pauseDue, end <= now {
      // What the output took after the last sound is silent: of a file it is read again.
      let silence = position(at: end + (.zero - Self.fadeMargin))
      endFall(now: now)
      if current.isSeekable, !loaded.isLive, queue.current?.isLocal == true, loaded.handOver.isEmpty,
        loaded.sourceFailure == nil
      {
        beginSeek(SeekState(target: SeekTarget(position: silence), isSilent: true, origin: silence))
      }
      emit(.changed)
    }
    if let due = fade.unloadDue, due <= now { dropFading() }
  }

  /// Lets go of what is only there to be taken down.
  mutating func dropFading() {
    guard fade.unloadDue != nil else { return }
    fade.outcome = nil
    perform(.unload)
  }

  /// The pipeline does not pause at the end of the fade.
  mutating func dropFadingPause() {
    if fade.pauseDue != nil { fade.outcome = nil }
  }
}
