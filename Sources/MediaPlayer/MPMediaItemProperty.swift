// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The identity of an item of a library.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpmediaentitypersistentid>
public typealias MPMediaEntityPersistentID = UInt64

/// The kind of a media item.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpmediatype>
public struct MPMediaType: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Music.
  public static let music = Self(rawValue: 1 << 0)
  /// An episode of a podcast.
  public static let podcast = Self(rawValue: 1 << 1)
  /// An audiobook.
  public static let audioBook = Self(rawValue: 1 << 2)
  /// Audio of iTunes U.
  public static let audioITunesU = Self(rawValue: 1 << 3)
  /// Any audio.
  public static let anyAudio = Self(rawValue: 0xff)
  /// A movie.
  public static let movie = Self(rawValue: 1 << 8)
  /// A television show.
  public static let tvShow = Self(rawValue: 1 << 9)
  /// An episode of a video podcast.
  public static let videoPodcast = Self(rawValue: 1 << 10)
  /// A music video.
  public static let musicVideo = Self(rawValue: 1 << 11)
  /// Video of iTunes U.
  public static let videoITunesU = Self(rawValue: 1 << 12)
  /// A home video.
  public static let homeVideo = Self(rawValue: 1 << 13)
  /// Any video.
  public static let anyVideo = Self(rawValue: 0xff00)
  /// Any media.
  public static let any = Self(rawValue: ~0)
}

// The keys of media items in ``MPNowPlayingInfoCenter/nowPlayingInfo``.
// <https://developer.apple.com/documentation/mediaplayer/general-media-item-property-keys>

/// The key of the item's identity, a ``MPMediaEntityPersistentID``.
public let MPMediaItemPropertyPersistentID = "persistentID"
/// The key of the raw value of an ``MPMediaType``; not shown.
public let MPMediaItemPropertyMediaType = "mediaType"
/// The key of the title, a string: `xesam:title`.
public let MPMediaItemPropertyTitle = "title"
/// The key of the album, a string: `xesam:album`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The key of the album's identity; not shown.
public let MPMediaItemPropertyAlbumPersistentID = "albumPID"
/// The key of the artist, a string: `xesam:artist`.
public let MPMediaItemPropertyArtist = "artist"
/// The key of the artist's identity; not shown.
public let MPMediaItemPropertyArtistPersistentID = "artistPID"
/// The key of the artist of the album, a string: `xesam:albumArtist`.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// The key of the identity of the album's artist; not shown.
public let MPMediaItemPropertyAlbumArtistPersistentID = "albumArtistPID"
/// The key of the genre, a string: `xesam:genre`.
public let MPMediaItemPropertyGenre = "genre"
/// The key of the genre's identity; not shown.
public let MPMediaItemPropertyGenrePersistentID = "genrePID"
/// The key of the composer, a string: `xesam:composer`.
public let MPMediaItemPropertyComposer = "composer"
/// The key of the composer's identity; not shown.
public let MPMediaItemPropertyComposerPersistentID = "composerPID"
/// The key of the duration in seconds, a number: `mpris:length`.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The key of the track number on the disc, from 1: `xesam:trackNumber`.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// The key of the number of tracks; not shown.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// The key of the disc number, from 1: `xesam:discNumber`.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// The key of the number of discs; not shown.
public let MPMediaItemPropertyDiscCount = "discCount"
/// The key of the picture, an ``MPMediaItemArtwork``: `mpris:artUrl`.
public let MPMediaItemPropertyArtwork = "artwork"
/// The key of a Boolean for explicit content; not shown.
public let MPMediaItemPropertyIsExplicit = "isExplicit"
/// The key of the lyrics, a string: `xesam:asText`.
public let MPMediaItemPropertyLyrics = "lyrics"
/// The key of a Boolean for compilations; not shown.
public let MPMediaItemPropertyIsCompilation = "isCompilation"
/// The key of the date of release, a `Date`: `xesam:contentCreated`.
public let MPMediaItemPropertyReleaseDate = "releaseDate"
/// The key of the beats per minute, a number: `xesam:audioBPM`.
public let MPMediaItemPropertyBeatsPerMinute = "beatsPerMinute"
/// The key of the comments, a string: `xesam:comment`.
public let MPMediaItemPropertyComments = "comments"
/// The key of the `URL` of the media: `xesam:url`.
public let MPMediaItemPropertyAssetURL = "assetURL"
/// The key of a Boolean for items in iCloud; not shown.
public let MPMediaItemPropertyIsCloudItem = "isCloudItem"
/// The key of a Boolean for protected media; not shown.
public let MPMediaItemPropertyHasProtectedAsset = "hasProtectedAsset"
/// The key of the podcast, a string: `xesam:album` of an item without an album.
public let MPMediaItemPropertyPodcastTitle = "podcastTitle"
/// The key of the podcast's identity; not shown.
public let MPMediaItemPropertyPodcastPersistentID = "podcastPID"
/// The key of the number of plays: `xesam:useCount`.
public let MPMediaItemPropertyPlayCount = "playCount"
/// The key of the number of skips; not shown.
public let MPMediaItemPropertySkipCount = "skipCount"
/// The key of the rating, a number from 0 to 5: `xesam:userRating`, from 0 to 1.
public let MPMediaItemPropertyRating = "rating"
/// The key of the `Date` of the last play; not shown.
public let MPMediaItemPropertyLastPlayedDate = "lastPlayedDate"
/// The key of the grouping, a string; not shown.
public let MPMediaItemPropertyUserGrouping = "userGrouping"
/// The key of the bookmarked time in seconds; not shown.
public let MPMediaItemPropertyBookmarkTime = "bookmarkTime"
/// The key of the `Date` at which the item was added; not shown.
public let MPMediaItemPropertyDateAdded = "dateAdded"
/// The key of the identity in the store; not shown.
public let MPMediaItemPropertyPlaybackStoreID = "playbackStoreID"
