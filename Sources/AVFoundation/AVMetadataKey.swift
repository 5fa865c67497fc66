/// The name of a metadata item in its key space.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadatakey>
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a value from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  // MARK: Common keys

  /// The title.
  public static let commonKeyTitle = Self("title")
  /// The creator, such as the composer.
  public static let commonKeyCreator = Self("creator")
  /// The subject.
  public static let commonKeySubject = Self("subject")
  /// The description, such as a comment.
  public static let commonKeyDescription = Self("description")
  /// The publisher; for a radio station, its name.
  public static let commonKeyPublisher = Self("publisher")
  /// A contributor.
  public static let commonKeyContributor = Self("contributor")
  /// The date of the recording.
  public static let commonKeyCreationDate = Self("creationDate")
  /// The date of the last change.
  public static let commonKeyLastModifiedDate = Self("lastModifiedDate")
  /// The genre.
  public static let commonKeyType = Self("type")
  /// The format.
  public static let commonKeyFormat = Self("format")
  /// The identifier of the media.
  public static let commonKeyIdentifier = Self("identifier")
  /// The source.
  public static let commonKeySource = Self("source")
  /// The language.
  public static let commonKeyLanguage = Self("language")
  /// The related media.
  public static let commonKeyRelation = Self("relation")
  /// The location.
  public static let commonKeyLocation = Self("location")
  /// The copyright.
  public static let commonKeyCopyrights = Self("copyrights")
  /// The album.
  public static let commonKeyAlbumName = Self("albumName")
  /// The author.
  public static let commonKeyAuthor = Self("author")
  /// The performer.
  public static let commonKeyArtist = Self("artist")
  /// The picture.
  public static let commonKeyArtwork = Self("artwork")
  /// The manufacturer of the recorder.
  public static let commonKeyMake = Self("make")
  /// The model of the recorder.
  public static let commonKeyModel = Self("model")
  /// The software that made the media.
  public static let commonKeySoftware = Self("software")
  /// The description for accessibility.
  public static let commonKeyAccessibilityDescription = Self("accessibilityDescription")

  // MARK: Keys of MP4 and M4A

  /// The title.
  public static let iTunesMetadataKeySongName = Self("@nam")
  /// The performer.
  public static let iTunesMetadataKeyArtist = Self("@ART")
  /// The album's artist.
  public static let iTunesMetadataKeyAlbumArtist = Self("aART")
  /// The album.
  public static let iTunesMetadataKeyAlbum = Self("@alb")
  /// The genre.
  public static let iTunesMetadataKeyUserGenre = Self("@gen")
  /// The composer.
  public static let iTunesMetadataKeyComposer = Self("@wrt")
  /// A comment.
  public static let iTunesMetadataKeyUserComment = Self("@cmt")
  /// The track number.
  public static let iTunesMetadataKeyTrackNumber = Self("trkn")
  /// The disc number.
  public static let iTunesMetadataKeyDiscNumber = Self("disk")
  /// The date.
  public static let iTunesMetadataKeyReleaseDate = Self("@day")
  /// The beats per minute.
  public static let iTunesMetadataKeyBeatsPerMin = Self("tmpo")
  /// The lyrics.
  public static let iTunesMetadataKeyLyrics = Self("@lyr")
  /// The publisher.
  public static let iTunesMetadataKeyPublisher = Self("@pub")
  /// The cover.
  public static let iTunesMetadataKeyCoverArt = Self("covr")

  // MARK: Keys of ID3

  /// The title.
  public static let id3MetadataKeyTitleDescription = Self("TIT2")
  /// The performer.
  public static let id3MetadataKeyLeadPerformer = Self("TPE1")
  /// The album's artist.
  public static let id3MetadataKeyBand = Self("TPE2")
  /// The album.
  public static let id3MetadataKeyAlbumTitle = Self("TALB")
  /// The genre.
  public static let id3MetadataKeyContentType = Self("TCON")
  /// The composer.
  public static let id3MetadataKeyComposer = Self("TCOM")
  /// A comment.
  public static let id3MetadataKeyComments = Self("COMM")
  /// The track number.
  public static let id3MetadataKeyTrackNumber = Self("TRCK")
  /// The disc number.
  public static let id3MetadataKeyPartOfASet = Self("TPOS")
  /// The date.
  public static let id3MetadataKeyRecordingTime = Self("TDRC")
  /// The beats per minute.
  public static let id3MetadataKeyBeatsPerMinute = Self("TBPM")
  /// The lyrics.
  public static let id3MetadataKeyUnsynchronizedLyric = Self("USLT")
  /// A line of the lyrics with its time.
  public static let id3MetadataKeySynchronizedLyric = Self("SYLT")
  /// The publisher.
  public static let id3MetadataKeyPublisher = Self("TPUB")
  /// The cover.
  public static let id3MetadataKeyAttachedPicture = Self("APIC")

  // MARK: Keys of radio stations

  /// The title that a station plays.
  public static let icyMetadataKeyStreamTitle = Self("StreamTitle")
  /// The address of a station.
  public static let icyMetadataKeyStreamURL = Self("StreamUrl")
}

/// The key space of a metadata item: the format that defines its key.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadatakeyspace>
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a value from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  // MARK: Key spaces

  /// The keys that are common to all formats.
  public static let common = Self("comn")
  /// The keys of MP4 and M4A.
  public static let iTunes = Self("itsk")
  /// The keys of ID3.
  public static let id3 = Self("org.id3")
  /// The keys of radio stations.
  public static let icy = Self("icy")
  /// The keys of user data in ISO files.
  public static let isoUserData = Self("uiso")
  /// The keys of metadata in QuickTime files.
  public static let quickTimeMetadata = Self("mdta")
  /// The keys of user data in QuickTime files.
  public static let quickTimeUserData = Self("udta")
  /// The keys of date ranges in HLS.
  public static let hlsDateRange = Self("lsdr")
  /// The keys of Core Audio files.
  public static let audioFile = Self("caaf")
}

/// The format of metadata.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadataformat>
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a value from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  // MARK: Formats

  /// The format of MP4 and M4A.
  public static let iTunesMetadata = Self("com.apple.itunes")
  /// ID3.
  public static let id3Metadata = Self("org.id3")
  /// User data in ISO files.
  public static let isoUserData = Self("org.mp4ra")
  /// Metadata in QuickTime files.
  public static let quickTimeMetadata = Self("com.apple.quicktime.mdta")
  /// User data in QuickTime files.
  public static let quickTimeUserData = Self("com.apple.quicktime.udta")
  /// Metadata in HLS.
  public static let hlsMetadata = Self("com.apple.quicktime.HLS")
  /// Another format, such as Vorbis comments.
  public static let unknown = Self("public.unknown")
}
