// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The kind of the media that plays.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfomediatype>
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
  /// Unknown.
  case none = 0
  /// Audio.
  case audio = 1
  /// Video.
  case video = 2
}

/// The state of playback that a program declares.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayingplaybackstate>
public enum MPNowPlayingPlaybackState: UInt, Sendable {
  /// Not declared: it follows from the rate in the info, or from the players of the program.
  case unknown = 0
  /// Playing.
  case playing = 1
  /// Paused.
  case paused = 2
  /// Stopped.
  case stopped = 3
  /// Interrupted; clients see a paused player.
  case interrupted = 4
}

// The keys of ``MPNowPlayingInfoCenter/nowPlayingInfo`` in addition to the keys of media items.
// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfocenter#Now-Playing-metadata>

/// The key of the elapsed time in seconds when the info is set, a number; the time advances by itself with the rate.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The key of the rate, a number: 1 is normal and 0 is paused.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The key of the rate of normal playback, a number; 1 by default.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// The key of the index in the queue, from 0; not shown.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// The key of the number of items in the queue; not shown.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
/// The key of the index of the chapter, from 0; not shown.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// The key of the number of chapters; not shown.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// The key of a Boolean for live streams, which have no `mpris:length` and cannot be sought.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// The key of an array of ``MPNowPlayingInfoLanguageOptionGroup``; not shown.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions = "MPNowPlayingInfoPropertyAvailableLanguageOptions"
/// The key of an array of ``MPNowPlayingInfoLanguageOption``; not shown.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"
/// The key of a string that identifies the item; another string is another track.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// The key of a string that identifies the user's profile; not shown.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
  "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"
/// The key of a string that identifies the provider; not shown.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
/// The key of the progress from 0 to 1; not shown.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// The key of the raw value of an ``MPNowPlayingInfoMediaType``; not shown.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// The key of the `URL` of the media: `xesam:url`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// The key of the `Date` of the elapsed time of a live stream; not shown.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"
/// The key of the time ranges of advertisements; not shown.
public let MPNowPlayingInfoPropertyAdTimeRanges = "MPNowPlayingInfoPropertyAdTimeRanges"
/// The key of the time at which the credits start; not shown.
public let MPNowPlayingInfoPropertyCreditsStartTime = "MPNowPlayingInfoPropertyCreditsStartTime"
/// The key of the ISRC, a string; not shown.
public let MPNowPlayingInfoPropertyInternationalStandardRecordingCode =
  "MPNowPlayingInfoPropertyInternationalStandardRecordingCode"
/// The key of a Boolean that excludes the item from suggestions; not shown.
public let MPNowPlayingInfoPropertyExcludeFromSuggestions = "MPNowPlayingInfoPropertyExcludeFromSuggestions"
/// The key of a string that identifies the album, playlist or show; not shown.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"
