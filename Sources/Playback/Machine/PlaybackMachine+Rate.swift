/// The playback rate.
extension PlaybackMachine {
  /// Sets the rate; 1 is normal.
  ///
  /// The caller has checked the range.
  mutating func setRate(_ newRate: Double, now: MonotonicTime) {
    guard newRate != settings.rate else { return }
    settings.rate = newRate
    // At its end, all data of an item has been played.
    if phase.isReady, current.isSeekable, newRate != loaded.segment.rate, loaded.run != .ended {
      finishFadeOut(now: now)
      seekAgain(to: position(at: now), now: now)
    }
    emit(.changed)
  }

  /// Continues playback at a position, usually the current one, and replaces the data on its way to the output.
  mutating func seekAgain(to position: Duration, isSilent: Bool = false, now: MonotonicTime) {
    if !loaded.gaplessQueue.isEmpty || loaded.sourceFailure != nil {
      // A seek would affect the next item, or lack a source to read from.
      loadAgain(at: position, now: now)
    } else if let seek = loaded.seek {
      // Seeks to the same position again after the current seek.
      if seek.next == nil {
        loaded.seek?.next = SeekTarget(position: seek.target.position, ticket: seek.target.ticket)
        loaded.seek?.target.ticket = nil
      }
    } else {
      beginSeek(SeekState(target: SeekTarget(position: position), isSilent: isSilent, origin: position), now: now)
    }
  }
}
