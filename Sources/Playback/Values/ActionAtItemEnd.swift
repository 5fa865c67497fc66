extension Player {
  /// What is done when an item has played to its end; the counterpart of `AVPlayer.ActionAtItemEnd`.
  public enum ActionAtItemEnd: Hashable, Sendable, CaseIterable {
    /// The next item plays; after the last one the player stops.
    case advance
    /// The player is paused, at the end of the item.
    case pause
    /// The item stays current at its end, and what was asked stays "play": a seek goes on playing by itself.
    case none
    /// The player stops, whatever the loop mode; the next item, if there is one, becomes current.
    ///
    /// `AVPlayer` has no counterpart.
    case stop
  }

  /// Sets what is done when an item has played to its end; ``ActionAtItemEnd/advance`` at first.
  ///
  /// An item that has ended and stays has its duration for a position and is not shown to play. ``play()`` starts it
  /// again, as desktop players do, where AVPlayer would stay at the end. An item that is looped repeats all the same,
  /// unless the player is to stop, and ``next()`` goes on whatever is set.
  ///
  /// When the current item was left at its end by ``ActionAtItemEnd/none``, another action is carried out at once.
  public func setActionAtItemEnd(_ action: ActionAtItemEnd) {
    core.apply { $0.setActionAtItemEnd(action, now: $1) }
  }
}
