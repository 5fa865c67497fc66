// The frames of ID3 that the player does not read as tags; timed ID3 metadata has any frame.

extension AVMetadataIdentifier {
  // MARK: Further identifiers of ID3

  /// The encryption of the audio.
  public static let id3MetadataAudioEncryption = Self("id3/AENC")
  /// The index of positions for seeking.
  public static let id3MetadataAudioSeekPointIndex = Self("id3/ASPI")
  /// An offer to buy the media.
  public static let id3MetadataCommercial = Self("id3/COMR")
  /// The method of encryption.
  public static let id3MetadataEncryption = Self("id3/ENCR")
  /// The equalization, of ID3 2.3.
  public static let id3MetadataEqualization = Self("id3/EQUA")
  /// The equalization, of ID3 2.4.
  public static let id3MetadataEqualization2 = Self("id3/EQU2")
  /// The times of events, such as the start of the refrain.
  public static let id3MetadataEventTimingCodes = Self("id3/ETCO")
  /// A file of any kind.
  public static let id3MetadataGeneralEncapsulatedObject = Self("id3/GEOB")
  /// The identifier of a group of frames.
  public static let id3MetadataGroupIdentifier = Self("id3/GRID")
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The people who took part, of ID3 2.3.
  public static let id3MetadataInvolvedPeopleList_v23 = Self("id3/IPLS")
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The people who took part, of ID3 2.4.
  public static let id3MetadataInvolvedPeopleList_v24 = Self("id3/TIPL")
  /// A link to other information.
  public static let id3MetadataLink = Self("id3/LINK")
  /// The table of contents of the CD.
  public static let id3MetadataMusicCDIdentifier = Self("id3/MCDI")
  /// The table of positions for seeking.
  public static let id3MetadataMPEGLocationLookupTable = Self("id3/MLLT")
  /// The purchase of the media.
  public static let id3MetadataOwnership = Self("id3/OWNE")
  /// The data of a program, with its owner.
  public static let id3MetadataPrivate = Self("id3/PRIV")
  /// The number of plays.
  public static let id3MetadataPlayCounter = Self("id3/PCNT")
  /// A rating and the number of plays.
  public static let id3MetadataPopularimeter = Self("id3/POPM")
  /// The position at which a stream was joined.
  public static let id3MetadataPositionSynchronization = Self("id3/POSS")
  /// The recommended size of the buffer.
  public static let id3MetadataRecommendedBufferSize = Self("id3/RBUF")
  /// The correction of the volume, of ID3 2.3.
  public static let id3MetadataRelativeVolumeAdjustment = Self("id3/RVAD")
  /// The correction of the volume, of ID3 2.4.
  public static let id3MetadataRelativeVolumeAdjustment2 = Self("id3/RVA2")
  /// The settings of a reverb.
  public static let id3MetadataReverb = Self("id3/RVRB")
  /// The position of the next tag.
  public static let id3MetadataSeek = Self("id3/SEEK")
  /// The signature of a group of frames.
  public static let id3MetadataSignature = Self("id3/SIGN")
  /// The tempo over the time.
  public static let id3MetadataSynchronizedTempoCodes = Self("id3/SYTC")
  /// The copyright.
  public static let id3MetadataCopyright = Self("id3/TCOP")
  /// The day and the month of the recording, of ID3 2.3.
  public static let id3MetadataDate = Self("id3/TDAT")
  /// The time of the encoding.
  public static let id3MetadataEncodingTime = Self("id3/TDEN")
  /// The pause before the track, in milliseconds.
  public static let id3MetadataPlaylistDelay = Self("id3/TDLY")
  /// The date of the original release.
  public static let id3MetadataOriginalReleaseTime = Self("id3/TDOR")
  /// The date of the release.
  public static let id3MetadataReleaseTime = Self("id3/TDRL")
  /// The time at which the tag was written.
  public static let id3MetadataTaggingTime = Self("id3/TDTG")
  /// The person who encoded the media.
  public static let id3MetadataEncodedBy = Self("id3/TENC")
  /// The author of the lyrics.
  public static let id3MetadataLyricist = Self("id3/TEXT")
  /// The type of the audio.
  public static let id3MetadataFileType = Self("id3/TFLT")
  /// The time of day of the recording, of ID3 2.3.
  public static let id3MetadataTime = Self("id3/TIME")
  /// The group, such as a work of several movements.
  public static let id3MetadataContentGroupDescription = Self("id3/TIT1")
  /// The subtitle.
  public static let id3MetadataSubTitle = Self("id3/TIT3")
  /// The musical key.
  public static let id3MetadataInitialKey = Self("id3/TKEY")
  /// The language.
  public static let id3MetadataLanguage = Self("id3/TLAN")
  /// The duration in milliseconds.
  public static let id3MetadataLength = Self("id3/TLEN")
  /// The musicians and their instruments.
  public static let id3MetadataMusicianCreditsList = Self("id3/TMCL")
  /// The medium from which the audio was taken.
  public static let id3MetadataMediaType = Self("id3/TMED")
  /// The mood.
  public static let id3MetadataMood = Self("id3/TMOO")
  /// The album of the original recording.
  public static let id3MetadataOriginalAlbumTitle = Self("id3/TOAL")
  /// The original name of the file.
  public static let id3MetadataOriginalFilename = Self("id3/TOFN")
  /// The author of the original lyrics.
  public static let id3MetadataOriginalLyricist = Self("id3/TOLY")
  /// The performer of the original recording.
  public static let id3MetadataOriginalArtist = Self("id3/TOPE")
  /// The year of the original release, of ID3 2.3.
  public static let id3MetadataOriginalReleaseYear = Self("id3/TORY")
  /// The owner of the file.
  public static let id3MetadataFileOwner = Self("id3/TOWN")
  /// The conductor.
  public static let id3MetadataConductor = Self("id3/TPE3")
  /// The person who remixed or changed the recording.
  public static let id3MetadataModifiedBy = Self("id3/TPE4")
  /// The notice of the production.
  public static let id3MetadataProducedNotice = Self("id3/TPRO")
  /// The dates of the recording, of ID3 2.3.
  public static let id3MetadataRecordingDates = Self("id3/TRDA")
  /// The name of a radio station.
  public static let id3MetadataInternetRadioStationName = Self("id3/TRSN")
  /// The owner of a radio station.
  public static let id3MetadataInternetRadioStationOwner = Self("id3/TRSO")
  /// The size in bytes, of ID3 2.3.
  public static let id3MetadataSize = Self("id3/TSIZ")
  /// The album for sorting.
  public static let id3MetadataAlbumSortOrder = Self("id3/TSOA")
  /// The performer for sorting.
  public static let id3MetadataPerformerSortOrder = Self("id3/TSOP")
  /// The title for sorting.
  public static let id3MetadataTitleSortOrder = Self("id3/TSOT")
  /// The ISRC.
  public static let id3MetadataInternationalStandardRecordingCode = Self("id3/TSRC")
  /// The software of the encoding.
  public static let id3MetadataEncodedWith = Self("id3/TSSE")
  /// The subtitle of the disc.
  public static let id3MetadataSetSubtitle = Self("id3/TSST")
  /// The year of the recording, of ID3 2.3.
  public static let id3MetadataYear = Self("id3/TYER")
  /// A text of any kind, with its description.
  public static let id3MetadataUserText = Self("id3/TXXX")
  /// The identifier of the file in a database.
  public static let id3MetadataUniqueFileIdentifier = Self("id3/UFID")
  /// The terms of use.
  public static let id3MetadataTermsOfUse = Self("id3/USER")
  /// The address at which the media is sold.
  public static let id3MetadataCommercialInformation = Self("id3/WCOM")
  /// The address of the terms of copyright.
  public static let id3MetadataCopyrightInformation = Self("id3/WCOP")
  /// The address of a page about the file.
  public static let id3MetadataOfficialAudioFileWebpage = Self("id3/WOAF")
  /// The address of a page about the performer.
  public static let id3MetadataOfficialArtistWebpage = Self("id3/WOAR")
  /// The address of a page about the source.
  public static let id3MetadataOfficialAudioSourceWebpage = Self("id3/WOAS")
  /// The address of a radio station.
  public static let id3MetadataOfficialInternetRadioStationHomepage = Self("id3/WORS")
  /// The address for payments.
  public static let id3MetadataPayment = Self("id3/WPAY")
  /// The address of the publisher.
  public static let id3MetadataOfficialPublisherWebpage = Self("id3/WPUB")
  /// An address of any kind, with its description.
  public static let id3MetadataUserURL = Self("id3/WXXX")
}
