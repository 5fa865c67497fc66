/// How fast play goes.
extension PlaybackMachine {
  /// Sets the speed; 1 is normal.
  ///
  /// The caller has checked the range.
  mutating func setRate(_ newRate: Double, now: MonotonicTime) {
    guard newRate != rate else { return }
    rate = newRate
    applyRate(now: now)
    emit(.changed)
  }

  /// Sets the speed that play resumes at; nil for the one it had.
  mutating func setDefaultRate(_ newRate: Double?) {
    guard newRate != defaultRate else { return }
    defaultRate = newRate
    emit(.changed)
  }

  /// A command to play resumes at the default rate, where there is one.
  mutating func takeDefaultRate(now: MonotonicTime) {
    if let defaultRate { setRate(defaultRate, now: now) }
  }

  private mutating func applyRate(now: MonotonicTime) {
    // At its end an item has nothing left to play at another speed.
    guard load == .ready, isSeekable, rate != segmentRate, !isAtEnd else { return }
    endFall(now: now)
    seekAgain(to: position(at: now), now: now)
  }

  /// Plays on from a place, most often the present one, with what is on its way to the output made anew.
  mutating func seekAgain(to position: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if handOver != .none {
      loadCurrent(at: position, now: now)
    } else if var pending = seek {
      // The same place once more when the seek under way is done.
      if pending.next == nil {
        pending.next = SeekState.Target(position: pending.target, ticket: pending.ticket)
        pending.ticket = nil
      }
      seek = pending
    } else {
      beginSeek(SeekState(target: position, isSilent: isSilent, origin: position))
    }
  }
}
