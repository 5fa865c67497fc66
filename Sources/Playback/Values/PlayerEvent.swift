/// What happened in a player, in order.
///
/// State is read from ``Player/snapshot``; events tell when and what was passed through.
public enum PlayerEvent: Hashable, Sendable {
  /// Something in the snapshot other than the running of the position is different.
  case changed
  /// Another item is current; nil for none.
  case currentItemChanged(from: PlayerItem?, to: PlayerItem?)
  /// The current item follows itself and starts again: by a loop, or by a command that selects the current item.
  ///
  /// `loopCount` is that of the snapshot after the event, see ``Player/Snapshot/loopCount``.
  case itemRepeated(PlayerItem, loopCount: Int)
  /// The position of the current item has jumped: a seek, or an output that fell behind.
  ///
  /// The two positions differ. A change of rate and of the audio track keep the position, and are no jump.
  case timeJumped(from: Duration, to: Duration)
  /// The item has played to its end; the counterpart of `AVPlayerItem.didPlayToEndTimeNotification`.
  case itemDidPlayToEnd(PlayerItem)
  /// Play is in another chapter, by itself or by a jump; nil for none.
  ///
  /// It is told at the start of an item with chapters as well, or as soon as these are known.
  case chapterChanged(PlayerItem, index: Int?, Chapter?)
  /// The item failed, at its start or on its way, and is skipped; told once for each passage.
  case itemFailed(PlayerItem, PlayerError)
  /// The media did not arrive in time; play goes on by itself when it does.
  case playbackStalled(PlayerItem)
  /// Play goes on after a stall, or after the output was away.
  case playbackResumed(PlayerItem, at: Duration)
  /// The audio output failed; it is tried again by itself.
  case outputFailed(PlayerError)
  /// Nothing follows: the last item has ended, or every item has failed.
  case queueEnded
  /// Something worth a line in a log that changes nothing.
  case warning(String)
}
