/// A player that shows its track list, and lets clients edit it: `HasTrackList` is true for it.
///
/// The specification means a short list around what plays; a player with a long queue shows a part of it, which moves
/// seldom. What is outside of that part is not told of.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html>
public protocol TrackListPlayer: MediaPlayer {
  /// The prefix of the paths of all tracks, the same for as long as the player lives.
  ///
  /// A path below another prefix that a client names is that of no track.
  var trackPathPrefix: TrackPathPrefix { get }

  /// Returns the tracks that clients see, in order, the current one among them; each occurs once.
  ///
  /// Called on the message bus's thread after each change, so it must be cheap and must never block.
  func tracks() -> [TrackID]

  /// Returns what is known of tracks, in the order asked for; those that are not in the list are left out.
  ///
  /// Called on the message bus's thread; it must never block. What is learned later is told by
  /// ``MediaPlayerEvent/trackMetadataChanged(_:)``.
  func metadata(of tracks: [TrackID]) -> [Metadata]

  /// Accepts an edit; what it changes may show in ``tracks()`` at any time after, with the event `changed`.
  ///
  /// An edit of a track that is not in the list does nothing.
  ///
  /// - Throws: ``CommandError`` when the command is refused; nothing has changed then.
  func perform(_ command: TrackListCommand) throws(CommandError)
}

/// What a client asks of a track list, after the rules of the specification have been applied.
public enum TrackListCommand: Hashable, Sendable {
  /// Add what is behind a URI, of any scheme, or an absolute path; it becomes the current track and plays if asked for.
  case add(String, at: TrackPlace, makesCurrent: Bool)
  /// Remove a track, the current one too.
  case remove(TrackID)
  /// Make a track the current one and play it.
  case goTo(TrackID)
}

/// Where a track is added.
public enum TrackPlace: Hashable, Sendable {
  /// Before all others.
  case start
  /// After all others; also where the client named a track that there cannot be.
  case end
  /// After this track, or after all others when it is gone.
  case after(TrackID)
}
