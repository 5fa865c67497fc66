/// How fast play goes.
extension PlaybackMachine {
  /// Sets the speed; 1 is normal.
  ///
  /// The caller has checked the range.
  mutating func setRate(_ newRate: Double, now: MonotonicTime) {
    guard newRate != settings.rate else { return }
    settings.rate = newRate
    applyRate(now: now)
    emit(.changed)
  }

  /// Sets the speed that play resumes at; nil for the one it had.
  mutating func setDefaultRate(_ newRate: Double?) {
    change { $0.defaultRate = newRate }
  }

  /// A command to play resumes at the default rate, where there is one.
  mutating func takeDefaultRate(now: MonotonicTime) {
    if let rate = settings.defaultRate { setRate(rate, now: now) }
  }

  private mutating func applyRate(now: MonotonicTime) {
    // At its end an item has nothing left to play at another speed.
    guard phase.isReady, current.isSeekable, settings.rate != loaded.segment.rate, loaded.run != .ended else { return }
    endFall(now: now)
    seekAgain(to: position(at: now), now: now)
  }

  /// Plays on from a place, most often the present one, with what is on its way to the output made anew.
  mutating func seekAgain(to position: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if !loaded.handOver.isEmpty {
      loadCurrent(at: position, now: now)
    } else if let seek = loaded.seek {
      // The same place once more when the seek under way is done.
      if seek.next == nil {
        loaded.seek?.next = SeekTarget(position: seek.target.position, ticket: seek.target.ticket)
        loaded.seek?.target.ticket = nil
      }
    } else {
      beginSeek(SeekState(target: SeekTarget(position: position), isSilent: isSilent, origin: position))
    }
  }
}
