extension Player {
  /// An event of a player; events are reported in order.
  ///
  /// Observers receive each event with the snapshot of the decision that caused it, so events report every state,
  /// including intermediate ones. Shown and recorded values follow this snapshot. A command applies to the present
  /// state, which ``Player/snapshot`` returns.
  public enum Event: Hashable, Sendable {
    /// The snapshot has changed, other than by the advance of the position.
    case changed
    /// Another item is current; nil for none.
    case currentItemChanged(from: Player.Item?, to: Player.Item?)
    /// The current item follows itself and starts again: by a loop, or by a command that selects the current item.
    ///
    /// `loopCount` is the value in the snapshot after the event, see ``Player/Snapshot/loopCount``.
    case itemRepeated(Player.Item, loopCount: Int)
    /// The position of the current item has jumped because of a seek or an output that fell behind.
    ///
    /// The two positions differ. Changes of the rate or the audio track keep the position, and are not jumps.
    case timeJumped(from: Duration, to: Duration)
    /// The item has played to its end; the counterpart of `AVPlayerItem.didPlayToEndTimeNotification`.
    case itemDidPlayToEnd(Player.Item)
    /// Playback has entered another chapter, or none (nil), by playing or by a jump.
    ///
    /// It is also reported at the start of an item with chapters, or as soon as they are known.
    case chapterChanged(Player.Item, index: Int?, chapter: Chapter?)
    /// The item failed, at its start or later, and is skipped; reported once for each time that it plays.
    case itemFailed(Player.Item, error: PlayerError)
    /// The media did not arrive in time; playback resumes automatically when it does.
    case playbackStalled(Player.Item)
    /// Playback has resumed after a stall or a lost output.
    case playbackResumed(Player.Item, at: Duration)
    /// The audio output failed; it is retried automatically.
    case outputFailed(PlayerError)
    /// The queue has ended: the last item has ended, or every item has failed.
    case queueEnded
    /// A condition that changes nothing, but is worth a line in the log; `of` is the item that it concerns.
    case warning(String, of: Item? = nil)
  }
}
