/// What a client asks of a player, after the rules of the specification have been applied.
public enum PlayerCommand: Hashable, Sendable {
  /// Start or resume; from a stop, the current track from its start.
  case play
  /// Hold the position.
  case pause
  /// Pause when playing, play otherwise.
  case playPause
  /// End playback; the current track stays, at its start.
  case stop
  /// Go to the next track, playing only if the player was.
  case next
  /// Go to the previous track, playing only if the player was.
  case previous
  /// Move to this position of the current track, 0 up to its length as far as that is known.
  case setPosition(TrackID, Duration)
  /// Open a URI, of any scheme, or an absolute path, and play it.
  case open(String)
  /// Choose what follows the end of a track.
  case setLoop(LoopStatus)
  /// Play in random order or not.
  case setShuffle(Bool)
  /// Play at this speed, within the snapshot's bounds and never 0.
  case setRate(Double)
  /// Play this loud: 0 up to the snapshot's maximum; 1 is the natural volume.
  case setVolume(Double)
  /// Bring the player's window to the front.
  case raise
  /// End the program.
  case quit
}

/// Why a player refuses a command; the texts are shown to the caller.
public enum CommandError: Error, Hashable {
  /// The player cannot do it: a scheme it does not know, say.
  case notSupported(String)
  /// The player's policy forbids it.
  case accessDenied(String)
  /// The value is not acceptable.
  case invalid(String)
}
