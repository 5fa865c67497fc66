// The player does not read these values of MP4 and QuickTime files; a program may give them to its own items.

extension AVMetadataIdentifier {
  // MARK: Further identifiers of MP4 and M4A

  /// The copyright.
  public static let iTunesMetadataCopyright = Self("itsk/cprt")
  /// The person who encoded the media.
  public static let iTunesMetadataEncodedBy = Self("itsk/%A9enc")
  /// The number of a genre of ID3.
  public static let iTunesMetadataPredefinedGenre = Self("itsk/gnre")
  /// The subtitle.
  public static let iTunesMetadataTrackSubTitle = Self("itsk/%A9st3")
  /// The software of the encoding.
  public static let iTunesMetadataEncodingTool = Self("itsk/%A9too")
  /// The kind of the account of a purchase.
  public static let iTunesMetadataAccountKind = Self("itsk/akID")
  /// The account of a purchase.
  public static let iTunesMetadataAppleID = Self("itsk/apID")
  /// The number of the performer in the iTunes Store.
  public static let iTunesMetadataArtistID = Self("itsk/atID")
  /// The number of the track in the iTunes Store.
  public static let iTunesMetadataSongID = Self("itsk/cnID")
  /// Whether the album has several performers.
  public static let iTunesMetadataDiscCompilation = Self("itsk/cpil")
  /// The number of the genre in the iTunes Store.
  public static let iTunesMetadataGenreID = Self("itsk/geID")
  /// The group, such as a work of several movements.
  public static let iTunesMetadataGrouping = Self("itsk/grup")
  /// The number of the album in the iTunes Store.
  public static let iTunesMetadataPlaylistID = Self("itsk/plID")
  /// Whether the content is explicit.
  public static let iTunesMetadataContentRating = Self("itsk/rtng")
  /// The art director.
  public static let iTunesMetadataArtDirector = Self("itsk/%A9ard")
  /// The arranger.
  public static let iTunesMetadataArranger = Self("itsk/%A9arg")
  /// The author.
  public static let iTunesMetadataAuthor = Self("itsk/%A9aut")
  /// The acknowledgement.
  public static let iTunesMetadataAcknowledgement = Self("itsk/%A9cak")
  /// The conductor.
  public static let iTunesMetadataConductor = Self("itsk/%A9con")
  /// The description.
  public static let iTunesMetadataDescription = Self("itsk/%A9des")
  /// The director.
  public static let iTunesMetadataDirector = Self("itsk/%A9dir")
  /// The equalization.
  public static let iTunesMetadataEQ = Self("itsk/%A9equ")
  /// The liner notes.
  public static let iTunesMetadataLinerNotes = Self("itsk/%A9lnt")
  /// The record company.
  public static let iTunesMetadataRecordCompany = Self("itsk/%A9mak")
  /// The performer of the original recording.
  public static let iTunesMetadataOriginalArtist = Self("itsk/%A9ope")
  /// The rights of the recording.
  public static let iTunesMetadataPhonogramRights = Self("itsk/%A9phg")
  /// The producer.
  public static let iTunesMetadataProducer = Self("itsk/%A9prd")
  /// A performer and the instrument.
  public static let iTunesMetadataPerformer = Self("itsk/%A9prf")
  /// The sound engineer.
  public static let iTunesMetadataSoundEngineer = Self("itsk/%A9sne")
  /// The soloist.
  public static let iTunesMetadataSoloist = Self("itsk/%A9sol")
  /// The credits.
  public static let iTunesMetadataCredits = Self("itsk/%A9src")
  /// The thanks.
  public static let iTunesMetadataThanks = Self("itsk/%A9thx")
  /// The address of further content.
  public static let iTunesMetadataOnlineExtras = Self("itsk/%A9url")
  /// The executive producer.
  public static let iTunesMetadataExecProducer = Self("itsk/%A9xpd")

  // MARK: Metadata of QuickTime files

  /// The author.
  public static let quickTimeMetadataAuthor = Self("mdta/com.apple.quicktime.author")
  /// A comment.
  public static let quickTimeMetadataComment = Self("mdta/com.apple.quicktime.comment")
  /// The copyright.
  public static let quickTimeMetadataCopyright = Self("mdta/com.apple.quicktime.copyright")
  /// The date of the recording.
  public static let quickTimeMetadataCreationDate = Self("mdta/com.apple.quicktime.creationdate")
  /// The director.
  public static let quickTimeMetadataDirector = Self("mdta/com.apple.quicktime.director")
  /// The title for users.
  public static let quickTimeMetadataDisplayName = Self("mdta/com.apple.quicktime.displayname")
  /// Information of any kind.
  public static let quickTimeMetadataInformation = Self("mdta/com.apple.quicktime.information")
  /// The keywords.
  public static let quickTimeMetadataKeywords = Self("mdta/com.apple.quicktime.keywords")
  /// The producer.
  public static let quickTimeMetadataProducer = Self("mdta/com.apple.quicktime.producer")
  /// The publisher.
  public static let quickTimeMetadataPublisher = Self("mdta/com.apple.quicktime.publisher")
  /// The album.
  public static let quickTimeMetadataAlbum = Self("mdta/com.apple.quicktime.album")
  /// The performer.
  public static let quickTimeMetadataArtist = Self("mdta/com.apple.quicktime.artist")
  /// The picture.
  public static let quickTimeMetadataArtwork = Self("mdta/com.apple.quicktime.artwork")
  /// The description.
  public static let quickTimeMetadataDescription = Self("mdta/com.apple.quicktime.description")
  /// The software that made the media.
  public static let quickTimeMetadataSoftware = Self("mdta/com.apple.quicktime.software")
  /// The year of the recording.
  public static let quickTimeMetadataYear = Self("mdta/com.apple.quicktime.year")
  /// The genre.
  public static let quickTimeMetadataGenre = Self("mdta/com.apple.quicktime.genre")
  /// The title.
  public static let quickTimeMetadataTitle = Self("mdta/com.apple.quicktime.title")
  /// The manufacturer of the recorder.
  public static let quickTimeMetadataMake = Self("mdta/com.apple.quicktime.make")
  /// The model of the recorder.
  public static let quickTimeMetadataModel = Self("mdta/com.apple.quicktime.model")
  /// The rights of the recording.
  public static let quickTimeMetadataPhonogramRights = Self("mdta/com.apple.quicktime.phonogramrights")
  /// The collection of the user.
  public static let quickTimeMetadataCollectionUser = Self("mdta/com.apple.quicktime.collection.user")
  /// The rating of the user, 0 to 5.
  public static let quickTimeMetadataRatingUser = Self("mdta/com.apple.quicktime.rating.user")
  /// The identifier of the content.
  public static let quickTimeMetadataContentIdentifier = Self("mdta/com.apple.quicktime.content.identifier")
  /// The location, ISO 6709.
  public static let quickTimeMetadataLocationISO6709 = Self("mdta/com.apple.quicktime.location.ISO6709")
  /// The name of the location.
  public static let quickTimeMetadataLocationName = Self("mdta/com.apple.quicktime.location.name")
  /// The astronomical body of the location.
  public static let quickTimeMetadataLocationBody = Self("mdta/com.apple.quicktime.location.body")
  /// A note about the location.
  public static let quickTimeMetadataLocationNote = Self("mdta/com.apple.quicktime.location.note")
  /// The role of the location.
  public static let quickTimeMetadataLocationRole = Self("mdta/com.apple.quicktime.location.role")
  /// The date at the location.
  public static let quickTimeMetadataLocationDate = Self("mdta/com.apple.quicktime.location.date")
  /// The direction of the camera.
  public static let quickTimeMetadataDirectionFacing = Self("mdta/com.apple.quicktime.direction.facing")
  /// The direction of the motion.
  public static let quickTimeMetadataDirectionMotion = Self("mdta/com.apple.quicktime.direction.motion")
  /// The identifier of the camera.
  public static let quickTimeMetadataCameraIdentifier = Self("mdta/com.apple.quicktime.camera.identifier")
  /// The time of reading a frame, in microseconds.
  public static let quickTimeMetadataCameraFrameReadoutTime = Self(
    "mdta/com.apple.quicktime.camera.framereadouttimeinmicroseconds")
  /// The notes of the recorder, iXML.
  public static let quickTimeMetadataiXML = Self("mdta/com.apple.quicktime.iXML")
  /// The arranger.
  public static let quickTimeMetadataArranger = Self("mdta/com.apple.quicktime.arranger")
  /// The person who encoded the media.
  public static let quickTimeMetadataEncodedBy = Self("mdta/com.apple.quicktime.encodedby")
  /// The performer of the original recording.
  public static let quickTimeMetadataOriginalArtist = Self("mdta/com.apple.quicktime.originalartist")
  /// A performer.
  public static let quickTimeMetadataPerformer = Self("mdta/com.apple.quicktime.performer")
  /// The composer.
  public static let quickTimeMetadataComposer = Self("mdta/com.apple.quicktime.composer")
  /// The credits.
  public static let quickTimeMetadataCredits = Self("mdta/com.apple.quicktime.credits")
  /// The description for accessibility.
  public static let quickTimeMetadataAccessibilityDescription = Self(
    "mdta/com.apple.quicktime.accessibility.description")
  /// Whether the media was cut from others.
  public static let quickTimeMetadataIsMontage = Self("mdta/com.apple.quicktime.is-montage")
  /// Whether the live photo plays by itself.
  public static let quickTimeMetadataAutoLivePhoto = Self("mdta/com.apple.quicktime.live-photo.auto")
  /// The score of a live photo.
  public static let quickTimeMetadataLivePhotoVitalityScore = Self("mdta/com.apple.quicktime.live-photo.vitality-score")
  /// The version of the score of a live photo.
  public static let quickTimeMetadataLivePhotoVitalityScoringVersion = Self(
    "mdta/com.apple.quicktime.live-photo.vitality-scoring-version")
  /// The score of the content beyond the frame.
  public static let quickTimeMetadataSpatialOverCaptureQualityScore = Self(
    "mdta/com.apple.quicktime.spatial-overcapture.quality-score")
  /// The version of the score of the content beyond the frame.
  public static let quickTimeMetadataSpatialOverCaptureQualityScoringVersion = Self(
    "mdta/com.apple.quicktime.spatial-overcapture.quality-scoring-version")
  /// The accuracy of the location, in metres.
  public static let quickTimeMetadataLocationHorizontalAccuracyInMeters = Self(
    "mdta/com.apple.quicktime.location.accuracy.horizontal")
  /// Whether video is to be played with its whole frame rate.
  public static let quickTimeMetadataFullFrameRatePlaybackIntent = Self(
    "mdta/com.apple.quicktime.full-frame-rate-playback-intent")
  /// The orientation of the video.
  public static let quickTimeMetadataPreferredAffineTransform = Self(
    "mdta/com.apple.quicktime.preferred-affine-transform")
  /// The orientation of the video.
  public static let quickTimeMetadataVideoOrientation = Self("mdta/com.apple.quicktime.video-orientation")
  /// A face in the video.
  public static let quickTimeMetadataDetectedFace = Self("mdta/com.apple.quicktime.detected-face")
  /// A person in the video.
  public static let quickTimeMetadataDetectedHumanBody = Self("mdta/com.apple.quicktime.detected-human-body")
  /// A cat in the video.
  public static let quickTimeMetadataDetectedCatBody = Self("mdta/com.apple.quicktime.detected-cat-body")
  /// A dog in the video.
  public static let quickTimeMetadataDetectedDogBody = Self("mdta/com.apple.quicktime.detected-dog-body")
  /// A salient object in the video.
  public static let quickTimeMetadataDetectedSalientObject = Self("mdta/com.apple.quicktime.detected-salient-object")

  // MARK: User data of QuickTime files

  /// The album.
  public static let quickTimeUserDataAlbum = Self("udta/%A9alb")
  /// The arranger.
  public static let quickTimeUserDataArranger = Self("udta/%A9arg")
  /// The performer.
  public static let quickTimeUserDataArtist = Self("udta/%A9ART")
  /// The author.
  public static let quickTimeUserDataAuthor = Self("udta/%A9aut")
  /// The chapter.
  public static let quickTimeUserDataChapter = Self("udta/%A9chp")
  /// A comment.
  public static let quickTimeUserDataComment = Self("udta/%A9cmt")
  /// The composer.
  public static let quickTimeUserDataComposer = Self("udta/%A9com")
  /// The copyright.
  public static let quickTimeUserDataCopyright = Self("udta/%A9cpy")
  /// The date of the recording.
  public static let quickTimeUserDataCreationDate = Self("udta/%A9day")
  /// The description.
  public static let quickTimeUserDataDescription = Self("udta/%A9des")
  /// The director.
  public static let quickTimeUserDataDirector = Self("udta/%A9dir")
  /// The disclaimer.
  public static let quickTimeUserDataDisclaimer = Self("udta/%A9dis")
  /// The person who encoded the media.
  public static let quickTimeUserDataEncodedBy = Self("udta/%A9enc")
  /// The title.
  public static let quickTimeUserDataFullName = Self("udta/%A9nam")
  /// The genre.
  public static let quickTimeUserDataGenre = Self("udta/%A9gen")
  /// The computer of the recording.
  public static let quickTimeUserDataHostComputer = Self("udta/%A9hst")
  /// Information of any kind.
  public static let quickTimeUserDataInformation = Self("udta/%A9inf")
  /// The keywords.
  public static let quickTimeUserDataKeywords = Self("udta/%A9key")
  /// The manufacturer of the recorder.
  public static let quickTimeUserDataMake = Self("udta/%A9mak")
  /// The model of the recorder.
  public static let quickTimeUserDataModel = Self("udta/%A9mod")
  /// The performer of the original recording.
  public static let quickTimeUserDataOriginalArtist = Self("udta/%A9ope")
  /// The original format.
  public static let quickTimeUserDataOriginalFormat = Self("udta/%A9fmt")
  /// The original source.
  public static let quickTimeUserDataOriginalSource = Self("udta/%A9src")
  /// The performers.
  public static let quickTimeUserDataPerformers = Self("udta/%A9prf")
  /// The producer.
  public static let quickTimeUserDataProducer = Self("udta/%A9prd")
  /// The publisher.
  public static let quickTimeUserDataPublisher = Self("udta/%A9pub")
  /// The product.
  public static let quickTimeUserDataProduct = Self("udta/%A9PRD")
  /// The software that made the media.
  public static let quickTimeUserDataSoftware = Self("udta/%A9swr")
  /// The requirements of playback.
  public static let quickTimeUserDataSpecialPlaybackRequirements = Self("udta/%A9req")
  /// The track number.
  public static let quickTimeUserDataTrack = Self("udta/%A9trk")
  /// The warning.
  public static let quickTimeUserDataWarning = Self("udta/%A9wrn")
  /// The author.
  public static let quickTimeUserDataWriter = Self("udta/%A9wrt")
  /// An address.
  public static let quickTimeUserDataURLLink = Self("udta/%A9url")
  /// The location, ISO 6709.
  public static let quickTimeUserDataLocationISO6709 = Self("udta/%A9xyz")
  /// The name of the track.
  public static let quickTimeUserDataTrackName = Self("udta/tnam")
  /// The rights of the recording.
  public static let quickTimeUserDataPhonogramRights = Self("udta/%A9phg")
  /// A characteristic of the track.
  public static let quickTimeUserDataTaggedCharacteristic = Self("udta/tagc")
  /// The credits.
  public static let quickTimeUserDataCredits = Self("udta/%A9src")
  /// The description for accessibility.
  public static let quickTimeUserDataAccessibilityDescription = Self("udta/%A9ade")

  // MARK: User data of ISO files

  /// The copyright.
  public static let isoUserDataCopyright = Self("uiso/cprt")
  /// The date of the recording.
  public static let isoUserDataDate = Self("uiso/date")
  /// A characteristic of the track.
  public static let isoUserDataTaggedCharacteristic = Self("uiso/tagc")
  /// The description for accessibility.
  public static let isoUserDataAccessibilityDescription = Self("uiso/ades")
  /// The copyright.
  public static let identifier3GPUserDataCopyright = Self("uiso/cprt")
  /// The author.
  public static let identifier3GPUserDataAuthor = Self("uiso/auth")
  /// The performer.
  public static let identifier3GPUserDataPerformer = Self("uiso/perf")
  /// The genre.
  public static let identifier3GPUserDataGenre = Self("uiso/gnre")
  /// The year of the recording.
  public static let identifier3GPUserDataRecordingYear = Self("uiso/yrrc")
  /// The location.
  public static let identifier3GPUserDataLocation = Self("uiso/loci")
  /// The title.
  public static let identifier3GPUserDataTitle = Self("uiso/titl")
  /// The description.
  public static let identifier3GPUserDataDescription = Self("uiso/dscp")
  /// The collection.
  public static let identifier3GPUserDataCollection = Self("uiso/coll")
  /// The rating of the user.
  public static let identifier3GPUserDataUserRating = Self("uiso/urat")
  /// The picture.
  public static let identifier3GPUserDataThumbnail = Self("uiso/thmb")
  /// The album and the track number.
  public static let identifier3GPUserDataAlbumAndTrack = Self("uiso/albm")
  /// The keywords.
  public static let identifier3GPUserDataKeywordList = Self("uiso/kywd")
  /// The classification.
  public static let identifier3GPUserDataMediaClassification = Self("uiso/clsf")
  /// The rating of the content.
  public static let identifier3GPUserDataMediaRating = Self("uiso/rtng")
}
