/// A player that can be served as an MPRIS player: one view of its state, one function for commands, one event stream.
///
/// The service applies the rules of the specification. It never sends a command that the snapshot excludes, and never a
/// value outside the bounds in the snapshot.
/// <https://specifications.freedesktop.org/mpris-spec/latest/>
public protocol MPRISPlayer: Sendable {
  /// Returns one consistent view of the player, with the current position.
  ///
  /// Called on the message bus's thread for each read of a property, so it must be cheap and must never block.
  func snapshot() -> MPRISSnapshot

  /// Returns the part of ``snapshot()`` that a seek needs.
  ///
  /// The default takes it from a snapshot. A player whose snapshot is expensive returns it directly, because users hold
  /// the seek key down.
  func timeline() -> MPRISTimeline

  /// Accepts a command: when this returns, ``snapshot()`` shows the requested state, and playback follows.
  ///
  /// Called on the message bus's thread, in the order of the calls; it must never block.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: MPRISCommand) throws(MPRISCommandError)

  /// Returns the events from this call on; each is sent after the snapshot shows its change.
  func events() -> AsyncStream<MPRISPlayerEvent>
}

extension MPRISPlayer {
  /// Returns the timeline of ``snapshot()``.
  public func timeline() -> MPRISTimeline { snapshot().timeline }
}

/// An event after which clients need a new snapshot.
public enum MPRISPlayerEvent: Hashable, Sendable {
  /// The state has changed, apart from the running position.
  case changed
  /// The position jumped, to this distance from the start of the track.
  ///
  /// Sent after a seek, the start of a track at a position other than 0, the end of a stall, and a suspension of the
  /// machine. Not sent for a change of rate, which keeps the position, and not for the start of a track at 0. That
  /// includes a repetition, which has its own track ID.
  case seeked(to: Duration)
  /// A track of the list has more metadata than ``MPRISTrackListPlayer/metadata(of:)`` last returned.
  case trackMetadataChanged(MPRISTrackID)
}
