import AVFoundation
import MPRISService

/// Maps the commands to MPRIS.
extension MPRemoteCommandCenter {
  private var all: [MPRemoteCommand] {
    [
      pauseCommand, playCommand, stopCommand, togglePlayPauseCommand, enableLanguageOptionCommand,
      disableLanguageOptionCommand, changePlaybackRateCommand, changeRepeatModeCommand, changeShuffleModeCommand,
      nextTrackCommand, previousTrackCommand, skipForwardCommand, skipBackwardCommand, seekForwardCommand,
      seekBackwardCommand, changePlaybackPositionCommand, ratingCommand, likeCommand, dislikeCommand, bookmarkCommand,
    ]
  }

  var offered: OfferedCommands {
    let canToggle = togglePlayPauseCommand.isOffered
    let seeks = [changePlaybackPositionCommand, skipForwardCommand, skipBackwardCommand]
    return OfferedCommands(
      canPlay: canToggle || playCommand.isOffered, canPause: canToggle || pauseCommand.isOffered,
      canGoNext: nextTrackCommand.isOffered, canGoPrevious: previousTrackCommand.isOffered,
      canSeek: seeks.contains { $0.isOffered },
      rates: changePlaybackRateCommand.isOffered ? changePlaybackRateCommand.acceptedRates : [],
      loop: changeRepeatModeCommand.isOffered ? changeRepeatModeCommand.currentRepeatType.loop : nil,
      shuffle: changeShuffleModeCommand.isOffered ? changeShuffleModeCommand.currentShuffleType != .off : nil,
      isAny: all.contains { $0.isOffered })
  }

  /// Returns the event for a command of MPRIS; nil if no command for it is offered.
  func event(for command: MPRISCommand, in snapshot: MPRISSnapshot) -> MPRemoteCommandEvent? {
    switch command {
    case .play: first(playCommand, togglePlayPauseCommand)
    case .pause: first(pauseCommand, togglePlayPauseCommand)
    case .playPause: first(togglePlayPauseCommand, snapshot.status == .playing ? pauseCommand : playCommand)
    case .stop: first(stopCommand, pauseCommand, togglePlayPauseCommand)
    case .next: first(nextTrackCommand)
    case .previous: first(previousTrackCommand)
    case .setPosition(_, let position): seek(to: position.seconds, from: snapshot.position.seconds)
    case .setRate(let rate): changeRate(to: rate)
    case .setLoop(let loop): changeRepetition(to: MPRepeatType(loop))
    case .setShuffle(let shuffle): changeOrder(to: shuffle ? .items : .off)
    case .open, .setVolume, .quit: nil
    }
  }

  /// Returns an event of the first command that is offered.
  private func first(_ commands: MPRemoteCommand...) -> MPRemoteCommandEvent? {
    commands.first { $0.isOffered }.map { MPRemoteCommandEvent($0) }
  }

  private func seek(to target: Double, from position: Double) -> MPRemoteCommandEvent? {
    if changePlaybackPositionCommand.isOffered {
      return MPChangePlaybackPositionCommandEvent(changePlaybackPositionCommand, positionTime: target)
    }
    let skip = target < position ? skipBackwardCommand : skipForwardCommand
    return skip.isOffered ? MPSkipIntervalCommandEvent(skip, interval: abs(target - position)) : nil
  }

  private func changeRate(to rate: Double) -> MPRemoteCommandEvent? {
    guard changePlaybackRateCommand.isOffered else { return nil }
    return MPChangePlaybackRateCommandEvent(
      changePlaybackRateCommand, playbackRate: Float(changePlaybackRateCommand.nearest(to: rate)))
  }

  private func changeRepetition(to type: MPRepeatType) -> MPRemoteCommandEvent? {
    guard changeRepeatModeCommand.isOffered else { return nil }
    return MPChangeRepeatModeCommandEvent(changeRepeatModeCommand, repeatType: type)
  }

  private func changeOrder(to type: MPShuffleType) -> MPRemoteCommandEvent? {
    guard changeShuffleModeCommand.isOffered else { return nil }
    return MPChangeShuffleModeCommandEvent(changeShuffleModeCommand, shuffleType: type)
  }
}

extension MPRepeatType {
  fileprivate var loop: MPRISLoopStatus {
    switch self {
    case .off: .none
    case .one: .track
    case .all: .playlist
    }
  }

  fileprivate init(_ loop: MPRISLoopStatus) {
    switch loop {
    case .none: self = .off
    case .track: self = .one
    case .playlist: self = .all
    }
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
