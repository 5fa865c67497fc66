/// The key space and the key of a metadata item, such as `id3/TIT2`.
///
/// <https://developer.apple.com/documentation/avfoundation/avmetadataidentifier>
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a value from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  // MARK: Common identifiers

  /// The title.
  public static let commonIdentifierTitle = Self("common/title")
  /// The creator, such as the composer.
  public static let commonIdentifierCreator = Self("common/creator")
  /// The subject.
  public static let commonIdentifierSubject = Self("common/subject")
  /// The description, such as a comment.
  public static let commonIdentifierDescription = Self("common/description")
  /// The publisher; for a radio station, its name.
  public static let commonIdentifierPublisher = Self("common/publisher")
  /// A contributor.
  public static let commonIdentifierContributor = Self("common/contributor")
  /// The date of the recording.
  public static let commonIdentifierCreationDate = Self("common/creationDate")
  /// The date of the last change.
  public static let commonIdentifierLastModifiedDate = Self("common/lastModifiedDate")
  /// The genre.
  public static let commonIdentifierType = Self("common/type")
  /// The format.
  public static let commonIdentifierFormat = Self("common/format")
  /// The identifier of the media.
  public static let commonIdentifierAssetIdentifier = Self("common/identifier")
  /// The source.
  public static let commonIdentifierSource = Self("common/source")
  /// The language.
  public static let commonIdentifierLanguage = Self("common/language")
  /// The related media.
  public static let commonIdentifierRelation = Self("common/relation")
  /// The location.
  public static let commonIdentifierLocation = Self("common/location")
  /// The copyright.
  public static let commonIdentifierCopyrights = Self("common/copyrights")
  /// The album.
  public static let commonIdentifierAlbumName = Self("common/albumName")
  /// The author.
  public static let commonIdentifierAuthor = Self("common/author")
  /// The performer.
  public static let commonIdentifierArtist = Self("common/artist")
  /// The picture.
  public static let commonIdentifierArtwork = Self("common/artwork")
  /// The manufacturer of the recorder.
  public static let commonIdentifierMake = Self("common/make")
  /// The model of the recorder.
  public static let commonIdentifierModel = Self("common/model")
  /// The software that made the media.
  public static let commonIdentifierSoftware = Self("common/software")
  /// The description for accessibility.
  public static let commonIdentifierAccessibilityDescription = Self("common/accessibilityDescription")

  // MARK: Identifiers of MP4 and M4A

  /// The title.
  public static let iTunesMetadataSongName = Self("itsk/%A9nam")
  /// The performer.
  public static let iTunesMetadataArtist = Self("itsk/%A9ART")
  /// The album's artist.
  public static let iTunesMetadataAlbumArtist = Self("itsk/aART")
  /// The album.
  public static let iTunesMetadataAlbum = Self("itsk/%A9alb")
  /// The genre.
  public static let iTunesMetadataUserGenre = Self("itsk/%A9gen")
  /// The composer.
  public static let iTunesMetadataComposer = Self("itsk/%A9wrt")
  /// A comment.
  public static let iTunesMetadataUserComment = Self("itsk/%A9cmt")
  /// The track number.
  public static let iTunesMetadataTrackNumber = Self("itsk/trkn")
  /// The disc number.
  public static let iTunesMetadataDiscNumber = Self("itsk/disk")
  /// The date.
  public static let iTunesMetadataReleaseDate = Self("itsk/%A9day")
  /// The beats per minute.
  public static let iTunesMetadataBeatsPerMin = Self("itsk/tmpo")
  /// The lyrics.
  public static let iTunesMetadataLyrics = Self("itsk/%A9lyr")
  /// The publisher.
  public static let iTunesMetadataPublisher = Self("itsk/%A9pub")
  /// The cover.
  public static let iTunesMetadataCoverArt = Self("itsk/covr")

  // MARK: Identifiers of ID3

  /// The title.
  public static let id3MetadataTitleDescription = Self("id3/TIT2")
  /// The performer.
  public static let id3MetadataLeadPerformer = Self("id3/TPE1")
  /// The album's artist.
  public static let id3MetadataBand = Self("id3/TPE2")
  /// The album.
  public static let id3MetadataAlbumTitle = Self("id3/TALB")
  /// The genre.
  public static let id3MetadataContentType = Self("id3/TCON")
  /// The composer.
  public static let id3MetadataComposer = Self("id3/TCOM")
  /// A comment.
  public static let id3MetadataComments = Self("id3/COMM")
  /// The track number.
  public static let id3MetadataTrackNumber = Self("id3/TRCK")
  /// The disc number.
  public static let id3MetadataPartOfASet = Self("id3/TPOS")
  /// The date.
  public static let id3MetadataRecordingTime = Self("id3/TDRC")
  /// The beats per minute.
  public static let id3MetadataBeatsPerMinute = Self("id3/TBPM")
  /// The lyrics.
  public static let id3MetadataUnsynchronizedLyric = Self("id3/USLT")
  /// A line of the lyrics with its time.
  public static let id3MetadataSynchronizedLyric = Self("id3/SYLT")
  /// The publisher.
  public static let id3MetadataPublisher = Self("id3/TPUB")
  /// The cover.
  public static let id3MetadataAttachedPicture = Self("id3/APIC")

  // MARK: Identifiers of radio stations

  /// The title that a station plays.
  public static let icyMetadataStreamTitle = Self("icy/StreamTitle")
  /// The address of a station.
  public static let icyMetadataStreamURL = Self("icy/StreamUrl")
}
