/// What a player offers to be served as an MPRIS player: one view of its state, one way to ask, one stream of news.
///
/// The rules of the specification are kept on this side: a player is never asked for what its own snapshot says it
/// cannot do, and never with a value outside the bounds that the snapshot names.
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public protocol MediaPlayer: Sendable {
  /// Returns one consistent view of the player, with the position of this very moment.
  ///
  /// Called on the message bus's thread for each read of a property, so it must be cheap and must never block.
  func snapshot() -> PlayerSnapshot

  /// Accepts a command: when this returns, ``snapshot()`` shows what was asked for, and the sound follows.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block.
  ///
  /// - Throws: ``CommandError`` when the command is refused; nothing has changed then.
  func perform(_ command: PlayerCommand) throws(CommandError)

  /// Returns the news from the moment of the call on, each to be told after the snapshot shows it.
  func events() -> AsyncStream<MediaPlayerEvent>
}

/// What tells that a snapshot is worth reading again.
public enum MediaPlayerEvent: Hashable, Sendable {
  /// Something other than the running of the position is different.
  case changed
  /// The position jumped, to this distance from the start of the track.
  ///
  /// Sent after a seek, the start of a track at a position other than 0, the end of a stall and a sleep of the machine.
  /// Not sent for a change of rate, which keeps the position, nor for the start of a track at 0; this includes a
  /// repetition, which has a track identity of its own.
  case seeked(to: Duration)
  /// More is known of a track of the list than ``TrackListPlayer/metadata(of:)`` last said.
  case trackMetadataChanged(TrackID)
}
