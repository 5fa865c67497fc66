/// A player with a window, which clients can raise and show on the whole screen.
///
/// `Fullscreen` and `CanSetFullscreen` exist only for such a player.
/// <https://specifications.freedesktop.org/mpris-spec/latest/Media_Player.html>
public protocol MPRISWindowPlayer: MPRISPlayer {
  /// Accepts a command to the window.
  ///
  /// Called on the message bus's thread; it must never block. ``MPRISSnapshot/canRaise`` and
  /// ``MPRISSnapshot/canSetFullscreen`` select the commands that are sent.
  ///
  /// - Throws: ``MPRISCommandError`` if the command is refused; the state is then unchanged.
  func perform(_ command: MPRISWindowCommand) throws(MPRISCommandError)
}

/// A command to the window of a player.
public enum MPRISWindowCommand: Hashable, Sendable {
  /// Brings the window to the front.
  case raise
  /// Shows the window on the whole screen, or in its normal size.
  case setFullscreen(Bool)
}
