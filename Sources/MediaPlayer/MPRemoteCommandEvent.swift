public import AVFoundation

/// A command that a client has sent.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpremotecommandevent>
public class MPRemoteCommandEvent: NSObject, @unchecked Sendable {  // immutable
  /// The command.
  public let command: MPRemoteCommand
  /// The time of the event in seconds, on the clock of `ProcessInfo.systemUptime`.
  public let timestamp = ProcessInfo.processInfo.systemUptime

  init(_ command: MPRemoteCommand) { self.command = command }
}

/// A command to skip an interval.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpskipintervalcommandevent>
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The interval in seconds, above 0.
  public let interval: TimeInterval

  init(_ command: MPSkipIntervalCommand, interval: TimeInterval) {
    self.interval = interval
    super.init(command)
  }
}

/// The begin or the end of seeking.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpseekcommandeventtype>
public enum MPSeekCommandEventType: UInt, Sendable {
  /// The user has pressed the key.
  case beginSeeking = 0
  /// The user has released the key.
  case endSeeking = 1
}

/// A command to begin or end seeking; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpseekcommandevent>
public final class MPSeekCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// Whether seeking begins or ends.
  public let type: MPSeekCommandEventType

  init(_ command: MPRemoteCommand, type: MPSeekCommandEventType) {
    self.type = type
    super.init(command)
  }
}

/// A command to rate the item; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpratingcommandevent>
public final class MPRatingCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The rating, between the bounds of the command.
  public let rating: Float

  init(_ command: MPRatingCommand, rating: Float) {
    self.rating = rating
    super.init(command)
  }
}

/// A command to change the rate.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackratecommandevent>
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The rate.
  public let playbackRate: Float

  init(_ command: MPChangePlaybackRateCommand, playbackRate: Float) {
    self.playbackRate = playbackRate
    super.init(command)
  }
}

/// A command to like, dislike or bookmark the item; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpfeedbackcommandevent>
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// Whether the feedback is withdrawn.
  public let isNegative: Bool

  init(_ command: MPFeedbackCommand, isNegative: Bool) {
    self.isNegative = isNegative
    super.init(command)
  }
}

/// A command to select a language option; clients of MPRIS cannot send it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangelanguageoptioncommandevent>
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The option.
  public let languageOption: MPNowPlayingInfoLanguageOption
  /// How long the option applies.
  public let setting: MPChangeLanguageOptionSetting

  init(
    _ command: MPRemoteCommand, languageOption: MPNowPlayingInfoLanguageOption, setting: MPChangeLanguageOptionSetting
  ) {
    (self.languageOption, self.setting) = (languageOption, setting)
    super.init(command)
  }
}

/// A command to change the elapsed time.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackpositioncommandevent>
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The elapsed time in seconds, from 0 to the duration if that is known.
  public let positionTime: TimeInterval

  init(_ command: MPChangePlaybackPositionCommand, positionTime: TimeInterval) {
    self.positionTime = positionTime
    super.init(command)
  }
}

/// A command to change the random order.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangeshufflemodecommandevent>
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The mode; MPRIS does not distinguish items and collections, so it is never `collections`.
  public let shuffleType: MPShuffleType
  /// Whether the mode is to be kept between plays; always true.
  public let preservesShuffleMode = true

  init(_ command: MPChangeShuffleModeCommand, shuffleType: MPShuffleType) {
    self.shuffleType = shuffleType
    super.init(command)
  }
}

/// A command to change the repetition.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpchangerepeatmodecommandevent>
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {  // immutable
  /// The mode.
  public let repeatType: MPRepeatType
  /// Whether the mode is to be kept between plays; always true.
  public let preservesRepeatMode = true

  init(_ command: MPChangeRepeatModeCommand, repeatType: MPRepeatType) {
    self.repeatType = repeatType
    super.init(command)
  }
}
