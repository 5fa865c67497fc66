/// The rules of the fade before a pause or a stop; see ``Fade``.
extension PlaybackMachine {
  /// The maximum time that the pipeline may take to report the end of the fade-out.
  private static let fadePatience = Duration.seconds(1)
  /// The margin added to that instant, because a small clock error would cut off audible sound.
  private static let fadeMargin = Duration.milliseconds(20)

  /// The instant at which a pause has faded out; nil unless the silent data after it is read again.
  ///
  /// The output consumes this data before the pipeline pauses. Only a file can be read again.
  var silenceBegin: MonotonicTime? {
    guard let end = fade.pauseDue, current.isSeekable, !loaded.isLive, queue.current?.isLocal == true,
      outgoing == nil, loaded.sourceFailure == nil
    else { return nil }
    return end + (.zero - Self.fadeMargin)
  }

  /// Whether there is audible playback that can be faded out.
  var canFade: Bool { configuration.fade > .zero && isAudible }

  /// Whether playback is audible.
  var isAudible: Bool {
    phase.isReady && isRunning && timebase.isRunning && !loaded.isSeeking && hasEnough && !settings.isMuted
      && settings.volume > 0
  }

  /// Begins to fade out; returns the latest instant at which the fade-out has ended.
  mutating func fadeOut(now: MonotonicTime) -> MonotonicTime {
    fade.isFadedOut = true
    perform(.fade(.out))
    return now + configuration.fade + Self.fadePatience
  }

  /// Undoes a fade-out: by a fade-in before playback resumes; without one when another item is opened, or this one from
  /// its start.
  mutating func resetFade(_ direction: FadeDirection) {
    fade.pauseDue = nil
    guard fade.isFadedOut else { return }
    fade.isFadedOut = false
    perform(.fade(direction))
  }

  /// Sets the end of the fade-out that the pipeline has begun and reported.
  mutating func fadeOutEnds(in delay: Duration, now: MonotonicTime) {
    fade.ends(at: now + min(delay + Self.fadeMargin, configuration.fade + .seconds(10)))
  }

  /// Pauses the pipeline now, before the fade-out has ended; does nothing unless a pause is fading.
  mutating func finishFadeOut(now: MonotonicTime) { if fade.pauseDue != nil { pausePipeline(now: now) } }

  /// Pauses the pipeline at the present position.
  mutating func pausePipeline(now: MonotonicTime) {
    freeze(at: now)
    skipped = nil
    fade.pauseDue = nil
    if phase.isLoaded { loaded.buffer.isEnoughUnlessEmpty = false }
    if phase.isReady { loaded.pausedSince = now }
    reconcile(now: now)
  }

  /// Performs the parts of a fade that are due.
  mutating func passFade(now: MonotonicTime) {
    if let end = fade.pauseDue, end <= now {
      let readsAgain = silenceBegin != nil
      finishFadeOut(now: now)
      if readsAgain {
        let target = SeekTarget(position: position(at: now))
        beginSeek(SeekState(target: target, isSilent: true, origin: target.position), continuesRun: true, now: now)
      }
    }
    if let due = fade.unloadDue, due <= now { dropFading() }
  }

  /// Unloads media that is kept only for its fade-out.
  mutating func dropFading() {
    fade.unloadDue = nil
  }
}
