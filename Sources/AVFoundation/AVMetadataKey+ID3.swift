// The frames of ID3 that the player does not read as tags; timed ID3 metadata has any frame.

extension AVMetadataKey {
  // MARK: Further keys of ID3

  /// The encryption of the audio.
  public static let id3MetadataKeyAudioEncryption = Self("AENC")
  /// The index of positions for seeking.
  public static let id3MetadataKeyAudioSeekPointIndex = Self("ASPI")
  /// An offer to buy the media.
  public static let id3MetadataKeyCommercial = Self("COMR")
  /// The method of encryption.
  public static let id3MetadataKeyEncryption = Self("ENCR")
  /// The equalization, of ID3 2.3.
  public static let id3MetadataKeyEqualization = Self("EQUA")
  /// The equalization, of ID3 2.4.
  public static let id3MetadataKeyEqualization2 = Self("EQU2")
  /// The times of events, such as the start of the refrain.
  public static let id3MetadataKeyEventTimingCodes = Self("ETCO")
  /// A file of any kind.
  public static let id3MetadataKeyGeneralEncapsulatedObject = Self("GEOB")
  /// The identifier of a group of frames.
  public static let id3MetadataKeyGroupIdentifier = Self("GRID")
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The people who took part, of ID3 2.3.
  public static let id3MetadataKeyInvolvedPeopleList_v23 = Self("IPLS")
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The people who took part, of ID3 2.4.
  public static let id3MetadataKeyInvolvedPeopleList_v24 = Self("TIPL")
  /// A link to other information.
  public static let id3MetadataKeyLink = Self("LINK")
  /// The table of contents of the CD.
  public static let id3MetadataKeyMusicCDIdentifier = Self("MCDI")
  /// The table of positions for seeking.
  public static let id3MetadataKeyMPEGLocationLookupTable = Self("MLLT")
  /// The purchase of the media.
  public static let id3MetadataKeyOwnership = Self("OWNE")
  /// The data of a program, with its owner.
  public static let id3MetadataKeyPrivate = Self("PRIV")
  /// The number of plays.
  public static let id3MetadataKeyPlayCounter = Self("PCNT")
  /// A rating and the number of plays.
  public static let id3MetadataKeyPopularimeter = Self("POPM")
  /// The position at which a stream was joined.
  public static let id3MetadataKeyPositionSynchronization = Self("POSS")
  /// The recommended size of the buffer.
  public static let id3MetadataKeyRecommendedBufferSize = Self("RBUF")
  /// The correction of the volume, of ID3 2.3.
  public static let id3MetadataKeyRelativeVolumeAdjustment = Self("RVAD")
  /// The correction of the volume, of ID3 2.4.
  public static let id3MetadataKeyRelativeVolumeAdjustment2 = Self("RVA2")
  /// The settings of a reverb.
  public static let id3MetadataKeyReverb = Self("RVRB")
  /// The position of the next tag.
  public static let id3MetadataKeySeek = Self("SEEK")
  /// The signature of a group of frames.
  public static let id3MetadataKeySignature = Self("SIGN")
  /// The tempo over the time.
  public static let id3MetadataKeySynchronizedTempoCodes = Self("SYTC")
  /// The copyright.
  public static let id3MetadataKeyCopyright = Self("TCOP")
  /// The day and the month of the recording, of ID3 2.3.
  public static let id3MetadataKeyDate = Self("TDAT")
  /// The time of the encoding.
  public static let id3MetadataKeyEncodingTime = Self("TDEN")
  /// The pause before the track, in milliseconds.
  public static let id3MetadataKeyPlaylistDelay = Self("TDLY")
  /// The date of the original release.
  public static let id3MetadataKeyOriginalReleaseTime = Self("TDOR")
  /// The date of the release.
  public static let id3MetadataKeyReleaseTime = Self("TDRL")
  /// The time at which the tag was written.
  public static let id3MetadataKeyTaggingTime = Self("TDTG")
  /// The person who encoded the media.
  public static let id3MetadataKeyEncodedBy = Self("TENC")
  /// The author of the lyrics.
  public static let id3MetadataKeyLyricist = Self("TEXT")
  /// The type of the audio.
  public static let id3MetadataKeyFileType = Self("TFLT")
  /// The time of day of the recording, of ID3 2.3.
  public static let id3MetadataKeyTime = Self("TIME")
  /// The group, such as a work of several movements.
  public static let id3MetadataKeyContentGroupDescription = Self("TIT1")
  /// The subtitle.
  public static let id3MetadataKeySubTitle = Self("TIT3")
  /// The musical key.
  public static let id3MetadataKeyInitialKey = Self("TKEY")
  /// The language.
  public static let id3MetadataKeyLanguage = Self("TLAN")
  /// The duration in milliseconds.
  public static let id3MetadataKeyLength = Self("TLEN")
  /// The musicians and their instruments.
  public static let id3MetadataKeyMusicianCreditsList = Self("TMCL")
  /// The medium from which the audio was taken.
  public static let id3MetadataKeyMediaType = Self("TMED")
  /// The mood.
  public static let id3MetadataKeyMood = Self("TMOO")
  /// The album of the original recording.
  public static let id3MetadataKeyOriginalAlbumTitle = Self("TOAL")
  /// The original name of the file.
  public static let id3MetadataKeyOriginalFilename = Self("TOFN")
  /// The author of the original lyrics.
  public static let id3MetadataKeyOriginalLyricist = Self("TOLY")
  /// The performer of the original recording.
  public static let id3MetadataKeyOriginalArtist = Self("TOPE")
  /// The year of the original release, of ID3 2.3.
  public static let id3MetadataKeyOriginalReleaseYear = Self("TORY")
  /// The owner of the file.
  public static let id3MetadataKeyFileOwner = Self("TOWN")
  /// The conductor.
  public static let id3MetadataKeyConductor = Self("TPE3")
  /// The person who remixed or changed the recording.
  public static let id3MetadataKeyModifiedBy = Self("TPE4")
  /// The notice of the production.
  public static let id3MetadataKeyProducedNotice = Self("TPRO")
  /// The dates of the recording, of ID3 2.3.
  public static let id3MetadataKeyRecordingDates = Self("TRDA")
  /// The name of a radio station.
  public static let id3MetadataKeyInternetRadioStationName = Self("TRSN")
  /// The owner of a radio station.
  public static let id3MetadataKeyInternetRadioStationOwner = Self("TRSO")
  /// The size in bytes, of ID3 2.3.
  public static let id3MetadataKeySize = Self("TSIZ")
  /// The album for sorting.
  public static let id3MetadataKeyAlbumSortOrder = Self("TSOA")
  /// The performer for sorting.
  public static let id3MetadataKeyPerformerSortOrder = Self("TSOP")
  /// The title for sorting.
  public static let id3MetadataKeyTitleSortOrder = Self("TSOT")
  /// The ISRC.
  public static let id3MetadataKeyInternationalStandardRecordingCode = Self("TSRC")
  /// The software of the encoding.
  public static let id3MetadataKeyEncodedWith = Self("TSSE")
  /// The subtitle of the disc.
  public static let id3MetadataKeySetSubtitle = Self("TSST")
  /// The year of the recording, of ID3 2.3.
  public static let id3MetadataKeyYear = Self("TYER")
  /// A text of any kind, with its description.
  public static let id3MetadataKeyUserText = Self("TXXX")
  /// The identifier of the file in a database.
  public static let id3MetadataKeyUniqueFileIdentifier = Self("UFID")
  /// The terms of use.
  public static let id3MetadataKeyTermsOfUse = Self("USER")
  /// The address at which the media is sold.
  public static let id3MetadataKeyCommercialInformation = Self("WCOM")
  /// The address of the terms of copyright.
  public static let id3MetadataKeyCopyrightInformation = Self("WCOP")
  /// The address of a page about the file.
  public static let id3MetadataKeyOfficialAudioFileWebpage = Self("WOAF")
  /// The address of a page about the performer.
  public static let id3MetadataKeyOfficialArtistWebpage = Self("WOAR")
  /// The address of a page about the source.
  public static let id3MetadataKeyOfficialAudioSourceWebpage = Self("WOAS")
  /// The address of a radio station.
  public static let id3MetadataKeyOfficialInternetRadioStationHomepage = Self("WORS")
  /// The address for payments.
  public static let id3MetadataKeyPayment = Self("WPAY")
  /// The address of the publisher.
  public static let id3MetadataKeyOfficialPublisherWebpage = Self("WPUB")
  /// An address of any kind, with its description.
  public static let id3MetadataKeyUserURL = Self("WXXX")
}
