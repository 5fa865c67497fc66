/// A player with a track list that clients can read and edit; `HasTrackList` is true for it.
///
/// The specification expects a short list around the current track. A player with a long queue shows a window of it,
/// which rarely moves; tracks outside this window are not published.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Track_List_Interface.html>
public protocol MPRISTrackListPlayer: MPRISPlayer {
  /// The prefix of all track paths; constant for the lifetime of the player.
  ///
  /// A path with another prefix in a client's request matches no track.
  var trackPathPrefix: MPRISTrackPathPrefix { get }

  /// Returns the tracks for clients, in order and including the current one; each occurs once.
  ///
  /// Called on the message bus's thread after each change, so it must be cheap and must never block.
  func tracks() -> [MPRISTrackID]

  /// Returns the metadata of tracks in the requested order; tracks that are not in the list are omitted.
  ///
  /// Called on the message bus's thread; it must never block. Metadata that becomes known later is reported by
  /// ``MPRISPlayerEvent/trackMetadataChanged(_:)``.
  func metadata(of tracks: [MPRISTrackID]) -> [MPRISMetadata]

  /// Accepts an edit; ``tracks()`` may show its result later, together with the event `changed`.
  ///
  /// An edit of a track that is not in the list does nothing.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: MPRISTrackListCommand) throws(MPRISCommandError)
}

extension MPRISTrackListPlayer {
  /// The prefix of tracks that are created without one.
  public var trackPathPrefix: MPRISTrackPathPrefix { .program }
}

/// A command to a track list, after the rules of the specification have been applied.
public enum MPRISTrackListCommand: Hashable, Sendable {
  /// Adds the items of a URI of any scheme, or of an absolute path; on request the first becomes current and plays.
  case add(String, at: MPRISTrackPosition, makesCurrent: Bool)
  /// Removes a track, including the current one.
  case remove(MPRISTrackID)
  /// Makes a track current and plays it.
  case goTo(MPRISTrackID)
}

/// The position at which a track is added.
public enum MPRISTrackPosition: Hashable, Sendable {
  /// Before all other tracks.
  case start
  /// After the last track; also if the client's track path is invalid.
  case end
  /// After this track; if it has been removed, at the end.
  case after(MPRISTrackID)
}
