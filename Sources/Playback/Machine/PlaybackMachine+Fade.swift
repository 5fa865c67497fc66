/// The fade of pauses and stops: they are told at once, and the pipeline follows when the sound is down.
extension PlaybackMachine {
  /// What a fade leaves to be done.
  struct Fade: Equatable, Sendable {
    /// Paused, and the pipeline runs until the sound is down.
    var end: MonotonicTime?
    /// Stopped, and the media is let go when the sound is down.
    var unloading: MonotonicTime?
    /// The sound was taken down, and comes up when play goes on.
    var isHushed = false
  }

  /// How long the pipeline may take to tell when the sound will be down.
  private static let fadePatience = Duration.seconds(1)
  /// What is added to that instant: a clock that is off by a little would cut into the sound.
  private static let fadeMargin = Duration.milliseconds(20)

  /// Whether there is a sound that can be taken down.
  var canFade: Bool {
    configuration.fade > .zero && load == .ready && isRunning && anchor.isRunning && seek == nil && !isAtEnd
      && hasEnough && !isMuted && volume > 0
  }

  /// Begins to take the sound down; when that has ended at the latest.
  mutating func takeDown(now: MonotonicTime) -> MonotonicTime {
    fade.isHushed = true
    perform(.fade(.out))
    return now + configuration.fade + Self.fadePatience
  }

  /// Brings up a sound that was taken down; to be called before it goes on.
  mutating func comeUp() {
    fade.end = nil
    guard fade.isHushed else { return }
    fade.isHushed = false
    perform(.fade(.in))
  }

  /// The pipeline has begun to take the sound down, and tells when it will be silent.
  mutating func fallEnds(in delay: Duration, now: MonotonicTime) {
    let end = now + min(delay + Self.fadeMargin, configuration.fade + .seconds(10))
    if fade.end != nil {
      fade.end = end
    } else if fade.unloading != nil {
      fade.unloading = end
    }
  }

  /// Another item is opened, or this one from its start: that is no coming back.
  mutating func forgetFade() {
    fade.end = nil
    guard fade.isHushed else { return }
    fade.isHushed = false
    perform(.fade(.none))
  }

  /// The pipeline pauses now, wherever the sound is; nothing unless it is being taken down for a pause.
  mutating func endFall(now: MonotonicTime) {
    guard fade.end != nil else { return }
    freeze(at: now)
    fade.end = nil
    buffer.isEnoughUnlessEmpty = false
    pausedSince = now
    reconcile(now: now)
  }

  /// What of a fade is due.
  mutating func passFade(now: MonotonicTime) {
    if let end = fade.end, end <= now {
      // What the output took after the last sound is silent: of a file it is read again.
      let silence = position(at: end + (.zero - Self.fadeMargin))
      endFall(now: now)
      if isSeekable, !isLive, queue.current?.isLocal == true, handOver == .none, sourceFailure == nil {
        beginSeek(SeekState(target: silence, isSilent: true, origin: silence))
      }
      emit(.changed)
    }
    if let due = fade.unloading, due <= now { dropFading() }
  }

  /// Lets go of what is only there to be taken down.
  mutating func dropFading() {
    guard fade.unloading != nil else { return }
    fade.unloading = nil
    perform(.unload)
  }
}
