// The player does not read these values of MP4 and QuickTime files; a program may give them to its own items.

extension AVMetadataKey {
  // MARK: Further keys of MP4 and M4A

  /// The copyright.
  public static let iTunesMetadataKeyCopyright = Self("cprt")
  /// The person who encoded the media.
  public static let iTunesMetadataKeyEncodedBy = Self("@enc")
  /// The number of a genre of ID3.
  public static let iTunesMetadataKeyPredefinedGenre = Self("gnre")
  /// The subtitle.
  public static let iTunesMetadataKeyTrackSubTitle = Self("@st3")
  /// The software of the encoding.
  public static let iTunesMetadataKeyEncodingTool = Self("@too")
  /// The kind of the account of a purchase.
  public static let iTunesMetadataKeyAccountKind = Self("akID")
  /// The account of a purchase.
  public static let iTunesMetadataKeyAppleID = Self("apID")
  /// The number of the performer in the iTunes Store.
  public static let iTunesMetadataKeyArtistID = Self("atID")
  /// The number of the track in the iTunes Store.
  public static let iTunesMetadataKeySongID = Self("cnID")
  /// Whether the album has several performers.
  public static let iTunesMetadataKeyDiscCompilation = Self("cpil")
  /// The number of the genre in the iTunes Store.
  public static let iTunesMetadataKeyGenreID = Self("geID")
  /// The group, such as a work of several movements.
  public static let iTunesMetadataKeyGrouping = Self("grup")
  /// The number of the album in the iTunes Store.
  public static let iTunesMetadataKeyPlaylistID = Self("plID")
  /// Whether the content is explicit.
  public static let iTunesMetadataKeyContentRating = Self("rtng")
  /// The art director.
  public static let iTunesMetadataKeyArtDirector = Self("@ard")
  /// The arranger.
  public static let iTunesMetadataKeyArranger = Self("@arg")
  /// The author.
  public static let iTunesMetadataKeyAuthor = Self("@aut")
  /// The acknowledgement.
  public static let iTunesMetadataKeyAcknowledgement = Self("@cak")
  /// The conductor.
  public static let iTunesMetadataKeyConductor = Self("@con")
  /// The description.
  public static let iTunesMetadataKeyDescription = Self("@des")
  /// The director.
  public static let iTunesMetadataKeyDirector = Self("@dir")
  /// The equalization.
  public static let iTunesMetadataKeyEQ = Self("@equ")
  /// The liner notes.
  public static let iTunesMetadataKeyLinerNotes = Self("@lnt")
  /// The record company.
  public static let iTunesMetadataKeyRecordCompany = Self("@mak")
  /// The performer of the original recording.
  public static let iTunesMetadataKeyOriginalArtist = Self("@ope")
  /// The rights of the recording.
  public static let iTunesMetadataKeyPhonogramRights = Self("@phg")
  /// The producer.
  public static let iTunesMetadataKeyProducer = Self("@prd")
  /// A performer and the instrument.
  public static let iTunesMetadataKeyPerformer = Self("@prf")
  /// The sound engineer.
  public static let iTunesMetadataKeySoundEngineer = Self("@sne")
  /// The soloist.
  public static let iTunesMetadataKeySoloist = Self("@sol")
  /// The credits.
  public static let iTunesMetadataKeyCredits = Self("@src")
  /// The thanks.
  public static let iTunesMetadataKeyThanks = Self("@thx")
  /// The address of further content.
  public static let iTunesMetadataKeyOnlineExtras = Self("@url")
  /// The executive producer.
  public static let iTunesMetadataKeyExecProducer = Self("@xpd")

  // MARK: Metadata of QuickTime files

  /// The author.
  public static let quickTimeMetadataKeyAuthor = Self("com.apple.quicktime.author")
  /// A comment.
  public static let quickTimeMetadataKeyComment = Self("com.apple.quicktime.comment")
  /// The copyright.
  public static let quickTimeMetadataKeyCopyright = Self("com.apple.quicktime.copyright")
  /// The date of the recording.
  public static let quickTimeMetadataKeyCreationDate = Self("com.apple.quicktime.creationdate")
  /// The director.
  public static let quickTimeMetadataKeyDirector = Self("com.apple.quicktime.director")
  /// The title for users.
  public static let quickTimeMetadataKeyDisplayName = Self("com.apple.quicktime.displayname")
  /// Information of any kind.
  public static let quickTimeMetadataKeyInformation = Self("com.apple.quicktime.information")
  /// The keywords.
  public static let quickTimeMetadataKeyKeywords = Self("com.apple.quicktime.keywords")
  /// The producer.
  public static let quickTimeMetadataKeyProducer = Self("com.apple.quicktime.producer")
  /// The publisher.
  public static let quickTimeMetadataKeyPublisher = Self("com.apple.quicktime.publisher")
  /// The album.
  public static let quickTimeMetadataKeyAlbum = Self("com.apple.quicktime.album")
  /// The performer.
  public static let quickTimeMetadataKeyArtist = Self("com.apple.quicktime.artist")
  /// The picture.
  public static let quickTimeMetadataKeyArtwork = Self("com.apple.quicktime.artwork")
  /// The description.
  public static let quickTimeMetadataKeyDescription = Self("com.apple.quicktime.description")
  /// The software that made the media.
  public static let quickTimeMetadataKeySoftware = Self("com.apple.quicktime.software")
  /// The year of the recording.
  public static let quickTimeMetadataKeyYear = Self("com.apple.quicktime.year")
  /// The genre.
  public static let quickTimeMetadataKeyGenre = Self("com.apple.quicktime.genre")
  /// The title.
  public static let quickTimeMetadataKeyTitle = Self("com.apple.quicktime.title")
  /// The manufacturer of the recorder.
  public static let quickTimeMetadataKeyMake = Self("com.apple.quicktime.make")
  /// The model of the recorder.
  public static let quickTimeMetadataKeyModel = Self("com.apple.quicktime.model")
  /// The rights of the recording.
  public static let quickTimeMetadataKeyPhonogramRights = Self("com.apple.quicktime.phonogramrights")
  /// The collection of the user.
  public static let quickTimeMetadataKeyCollectionUser = Self("com.apple.quicktime.collection.user")
  /// The rating of the user, 0 to 5.
  public static let quickTimeMetadataKeyRatingUser = Self("com.apple.quicktime.rating.user")
  /// The identifier of the content.
  public static let quickTimeMetadataKeyContentIdentifier = Self("com.apple.quicktime.content.identifier")
  /// The location, ISO 6709.
  public static let quickTimeMetadataKeyLocationISO6709 = Self("com.apple.quicktime.location.ISO6709")
  /// The name of the location.
  public static let quickTimeMetadataKeyLocationName = Self("com.apple.quicktime.location.name")
  /// The astronomical body of the location.
  public static let quickTimeMetadataKeyLocationBody = Self("com.apple.quicktime.location.body")
  /// A note about the location.
  public static let quickTimeMetadataKeyLocationNote = Self("com.apple.quicktime.location.note")
  /// The role of the location.
  public static let quickTimeMetadataKeyLocationRole = Self("com.apple.quicktime.location.role")
  /// The date at the location.
  public static let quickTimeMetadataKeyLocationDate = Self("com.apple.quicktime.location.date")
  /// The direction of the camera.
  public static let quickTimeMetadataKeyDirectionFacing = Self("com.apple.quicktime.direction.facing")
  /// The direction of the motion.
  public static let quickTimeMetadataKeyDirectionMotion = Self("com.apple.quicktime.direction.motion")
  /// The identifier of the camera.
  public static let quickTimeMetadataKeyCameraIdentifier = Self("com.apple.quicktime.camera.identifier")
  /// The time of reading a frame, in microseconds.
  public static let quickTimeMetadataKeyCameraFrameReadoutTime = Self(
    "com.apple.quicktime.camera.framereadouttimeinmicroseconds")
  /// The notes of the recorder, iXML.
  public static let quickTimeMetadataKeyiXML = Self("com.apple.quicktime.iXML")
  /// The arranger.
  public static let quickTimeMetadataKeyArranger = Self("com.apple.quicktime.arranger")
  /// The person who encoded the media.
  public static let quickTimeMetadataKeyEncodedBy = Self("com.apple.quicktime.encodedby")
  /// The performer of the original recording.
  public static let quickTimeMetadataKeyOriginalArtist = Self("com.apple.quicktime.originalartist")
  /// A performer.
  public static let quickTimeMetadataKeyPerformer = Self("com.apple.quicktime.performer")
  /// The composer.
  public static let quickTimeMetadataKeyComposer = Self("com.apple.quicktime.composer")
  /// The credits.
  public static let quickTimeMetadataKeyCredits = Self("com.apple.quicktime.credits")
  /// The description for accessibility.
  public static let quickTimeMetadataKeyAccessibilityDescription = Self("com.apple.quicktime.accessibility.description")
  /// Whether the media was cut from others.
  public static let quickTimeMetadataKeyIsMontage = Self("com.apple.quicktime.is-montage")
  /// Whether the live photo plays by itself.
  public static let quickTimeMetadataKeyAutoLivePhoto = Self("com.apple.quicktime.live-photo.auto")
  /// The score of a live photo.
  public static let quickTimeMetadataKeyLivePhotoVitalityScore = Self("com.apple.quicktime.live-photo.vitality-score")
  /// The version of the score of a live photo.
  public static let quickTimeMetadataKeyLivePhotoVitalityScoringVersion = Self(
    "com.apple.quicktime.live-photo.vitality-scoring-version")
  /// The score of the content beyond the frame.
  public static let quickTimeMetadataKeySpatialOverCaptureQualityScore = Self(
    "com.apple.quicktime.spatial-overcapture.quality-score")
  /// The version of the score of the content beyond the frame.
  public static let quickTimeMetadataKeySpatialOverCaptureQualityScoringVersion = Self(
    "com.apple.quicktime.spatial-overcapture.quality-scoring-version")
  /// The accuracy of the location, in metres.
  public static let quickTimeMetadataKeyLocationHorizontalAccuracyInMeters = Self(
    "com.apple.quicktime.location.accuracy.horizontal")
  /// Whether video is to be played with its whole frame rate.
  public static let quickTimeMetadataKeyFullFrameRatePlaybackIntent = Self(
    "com.apple.quicktime.full-frame-rate-playback-intent")

  // MARK: User data of QuickTime files

  /// The album.
  public static let quickTimeUserDataKeyAlbum = Self("@alb")
  /// The arranger.
  public static let quickTimeUserDataKeyArranger = Self("@arg")
  /// The performer.
  public static let quickTimeUserDataKeyArtist = Self("@ART")
  /// The author.
  public static let quickTimeUserDataKeyAuthor = Self("@aut")
  /// The chapter.
  public static let quickTimeUserDataKeyChapter = Self("@chp")
  /// A comment.
  public static let quickTimeUserDataKeyComment = Self("@cmt")
  /// The composer.
  public static let quickTimeUserDataKeyComposer = Self("@com")
  /// The copyright.
  public static let quickTimeUserDataKeyCopyright = Self("@cpy")
  /// The date of the recording.
  public static let quickTimeUserDataKeyCreationDate = Self("@day")
  /// The description.
  public static let quickTimeUserDataKeyDescription = Self("@des")
  /// The director.
  public static let quickTimeUserDataKeyDirector = Self("@dir")
  /// The disclaimer.
  public static let quickTimeUserDataKeyDisclaimer = Self("@dis")
  /// The person who encoded the media.
  public static let quickTimeUserDataKeyEncodedBy = Self("@enc")
  /// The title.
  public static let quickTimeUserDataKeyFullName = Self("@nam")
  /// The genre.
  public static let quickTimeUserDataKeyGenre = Self("@gen")
  /// The computer of the recording.
  public static let quickTimeUserDataKeyHostComputer = Self("@hst")
  /// Information of any kind.
  public static let quickTimeUserDataKeyInformation = Self("@inf")
  /// The keywords.
  public static let quickTimeUserDataKeyKeywords = Self("@key")
  /// The manufacturer of the recorder.
  public static let quickTimeUserDataKeyMake = Self("@mak")
  /// The model of the recorder.
  public static let quickTimeUserDataKeyModel = Self("@mod")
  /// The performer of the original recording.
  public static let quickTimeUserDataKeyOriginalArtist = Self("@ope")
  /// The original format.
  public static let quickTimeUserDataKeyOriginalFormat = Self("@fmt")
  /// The original source.
  public static let quickTimeUserDataKeyOriginalSource = Self("@src")
  /// The performers.
  public static let quickTimeUserDataKeyPerformers = Self("@prf")
  /// The producer.
  public static let quickTimeUserDataKeyProducer = Self("@prd")
  /// The publisher.
  public static let quickTimeUserDataKeyPublisher = Self("@pub")
  /// The product.
  public static let quickTimeUserDataKeyProduct = Self("@PRD")
  /// The software that made the media.
  public static let quickTimeUserDataKeySoftware = Self("@swr")
  /// The requirements of playback.
  public static let quickTimeUserDataKeySpecialPlaybackRequirements = Self("@req")
  /// The track number.
  public static let quickTimeUserDataKeyTrack = Self("@trk")
  /// The warning.
  public static let quickTimeUserDataKeyWarning = Self("@wrn")
  /// The author.
  public static let quickTimeUserDataKeyWriter = Self("@wrt")
  /// An address.
  public static let quickTimeUserDataKeyURLLink = Self("@url")
  /// The location, ISO 6709.
  public static let quickTimeUserDataKeyLocationISO6709 = Self("@xyz")
  /// The name of the track.
  public static let quickTimeUserDataKeyTrackName = Self("tnam")
  /// The rights of the recording.
  public static let quickTimeUserDataKeyPhonogramRights = Self("@phg")
  /// A characteristic of the track.
  public static let quickTimeUserDataKeyTaggedCharacteristic = Self("tagc")
  /// The credits.
  public static let quickTimeUserDataKeyCredits = Self("@src")
  /// The description for accessibility.
  public static let quickTimeUserDataKeyAccessibilityDescription = Self("@ade")

  // MARK: User data of ISO files

  /// The copyright.
  public static let isoUserDataKeyCopyright = Self("cprt")
  /// The date of the recording.
  public static let isoUserDataKeyDate = Self("date")
  /// A characteristic of the track.
  public static let isoUserDataKeyTaggedCharacteristic = Self("tagc")
  /// The description for accessibility.
  public static let isoUserDataKeyAccessibilityDescription = Self("ades")
  /// The copyright.
  public static let metadata3GPUserDataKeyCopyright = Self("cprt")
  /// The author.
  public static let metadata3GPUserDataKeyAuthor = Self("auth")
  /// The performer.
  public static let metadata3GPUserDataKeyPerformer = Self("perf")
  /// The genre.
  public static let metadata3GPUserDataKeyGenre = Self("gnre")
  /// The year of the recording.
  public static let metadata3GPUserDataKeyRecordingYear = Self("yrrc")
  /// The location.
  public static let metadata3GPUserDataKeyLocation = Self("loci")
  /// The title.
  public static let metadata3GPUserDataKeyTitle = Self("titl")
  /// The description.
  public static let metadata3GPUserDataKeyDescription = Self("dscp")
  /// The collection.
  public static let metadata3GPUserDataKeyCollection = Self("coll")
  /// The rating of the user.
  public static let metadata3GPUserDataKeyUserRating = Self("urat")
  /// The picture.
  public static let metadata3GPUserDataKeyThumbnail = Self("thmb")
  /// The album and the track number.
  public static let metadata3GPUserDataKeyAlbumAndTrack = Self("albm")
  /// The keywords.
  public static let metadata3GPUserDataKeyKeywordList = Self("kywd")
  /// The classification.
  public static let metadata3GPUserDataKeyMediaClassification = Self("clsf")
  /// The rating of the content.
  public static let metadata3GPUserDataKeyMediaRating = Self("rtng")
}
