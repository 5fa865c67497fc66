/// A command to a player, after the rules of the specification have been applied.
public enum MPRISCommand: Hashable, Sendable {
  /// Starts or resumes playback; after a stop, the current track starts from 0.
  case play
  /// Pauses and keeps the position.
  case pause
  /// Pauses if the player plays; plays otherwise.
  case playPause
  /// Ends playback; the current track stays current, at its start.
  case stop
  /// Selects the next track; it plays only if the player was playing.
  case next
  /// Selects the previous track; it plays only if the player was playing.
  case previous
  /// Seeks to a position of the current track, from 0 to its length if that is known.
  case setPosition(of: MPRISTrackID, to: Duration)
  /// Opens and plays a URI of any scheme, or an absolute path.
  case open(String)
  /// Sets the loop status.
  case setLoop(MPRISLoopStatus)
  /// Turns random order on or off.
  case setShuffle(Bool)
  /// Sets the rate, within the snapshot's bounds and never 0.
  case setRate(Double)
  /// Sets the volume, from 0 to the snapshot's maximum; 1 is the unamplified volume.
  case setVolume(Double)
  /// Quits the program.
  case quit
}

/// The reason why a player refuses a command; the text is sent to the caller.
public enum MPRISCommandError: Error, Hashable {
  /// The player does not support the command, for example a URI scheme.
  case notSupported(String)
  /// The player's policy denies it.
  case accessDenied(String)
  /// The value is not acceptable.
  case invalid(String)
  /// Too many commands are still being carried out.
  case limitExceeded(String)
}
