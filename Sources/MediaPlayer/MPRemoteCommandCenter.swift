public import AVFoundation

/// The commands that clients of MPRIS can send: media keys, `playerctl`, the widgets of a desktop.
///
/// The first handler of a command makes the program an MPRIS player on the session bus.
/// <https://developer.apple.com/documentation/mediaplayer/mpremotecommandcenter>
public final class MPRemoteCommandCenter: NSObject, Sendable {
  /// Pauses: `Pause` of MPRIS, and `PlayPause` of a playing program without a handler of ``togglePlayPauseCommand``.
  public let pauseCommand: MPRemoteCommand
  /// Plays: `Play` of MPRIS, and `PlayPause` of a paused program without a handler of ``togglePlayPauseCommand``.
  public let playCommand: MPRemoteCommand
  /// Stops: `Stop` of MPRIS; without a handler, `Stop` pauses.
  public let stopCommand: MPRemoteCommand
  /// Pauses or plays: `PlayPause` of MPRIS, and `Play` and `Pause` if they lack a handler.
  public let togglePlayPauseCommand: MPRemoteCommand
  /// Enables a language option; clients of MPRIS cannot send it.
  public let enableLanguageOptionCommand: MPRemoteCommand
  /// Disables a language option; clients of MPRIS cannot send it.
  public let disableLanguageOptionCommand: MPRemoteCommand
  /// Changes the rate: `Rate` of MPRIS.
  public let changePlaybackRateCommand: MPChangePlaybackRateCommand
  /// Changes the repetition: `LoopStatus` of MPRIS, which exists only while the command is offered.
  public let changeRepeatModeCommand: MPChangeRepeatModeCommand
  /// Changes the random order: `Shuffle` of MPRIS, which exists only while the command is offered.
  public let changeShuffleModeCommand: MPChangeShuffleModeCommand
  /// Selects the next item: `Next` of MPRIS.
  public let nextTrackCommand: MPRemoteCommand
  /// Selects the previous item: `Previous` of MPRIS.
  public let previousTrackCommand: MPRemoteCommand
  /// Skips forward: `Seek` of MPRIS, unless ``changePlaybackPositionCommand`` is offered.
  public let skipForwardCommand: MPSkipIntervalCommand
  /// Skips backward: `Seek` of MPRIS, unless ``changePlaybackPositionCommand`` is offered.
  public let skipBackwardCommand: MPSkipIntervalCommand
  /// Seeks forward while a key is held; clients of MPRIS cannot send it.
  public let seekForwardCommand: MPRemoteCommand
  /// Seeks backward while a key is held; clients of MPRIS cannot send it.
  public let seekBackwardCommand: MPRemoteCommand
  /// Changes the elapsed time: `SetPosition` and `Seek` of MPRIS.
  public let changePlaybackPositionCommand: MPChangePlaybackPositionCommand
  /// Rates the item; clients of MPRIS cannot send it.
  public let ratingCommand: MPRatingCommand
  /// Likes the item; clients of MPRIS cannot send it.
  public let likeCommand: MPFeedbackCommand
  /// Dislikes the item; clients of MPRIS cannot send it.
  public let dislikeCommand: MPFeedbackCommand
  /// Bookmarks the item; clients of MPRIS cannot send it.
  public let bookmarkCommand: MPFeedbackCommand

  /// Creates the commands; each change of them is reported on any thread.
  init(_ changed: @escaping @Sendable () -> Void) {
    pauseCommand = MPRemoteCommand(changed)
    playCommand = MPRemoteCommand(changed)
    stopCommand = MPRemoteCommand(changed)
    togglePlayPauseCommand = MPRemoteCommand(changed)
    enableLanguageOptionCommand = MPRemoteCommand(changed)
    disableLanguageOptionCommand = MPRemoteCommand(changed)
    changePlaybackRateCommand = MPChangePlaybackRateCommand(changed)
    changeRepeatModeCommand = MPChangeRepeatModeCommand(changed)
    changeShuffleModeCommand = MPChangeShuffleModeCommand(changed)
    nextTrackCommand = MPRemoteCommand(changed)
    previousTrackCommand = MPRemoteCommand(changed)
    skipForwardCommand = MPSkipIntervalCommand(changed)
    skipBackwardCommand = MPSkipIntervalCommand(changed)
    seekForwardCommand = MPRemoteCommand(changed)
    seekBackwardCommand = MPRemoteCommand(changed)
    changePlaybackPositionCommand = MPChangePlaybackPositionCommand(changed)
    ratingCommand = MPRatingCommand(changed)
    likeCommand = MPFeedbackCommand(changed)
    dislikeCommand = MPFeedbackCommand(changed)
    bookmarkCommand = MPFeedbackCommand(changed)
  }

  /// Returns the commands of the program.
  public class func shared() -> MPRemoteCommandCenter { NowPlayingService.shared.centers.commands }
}
