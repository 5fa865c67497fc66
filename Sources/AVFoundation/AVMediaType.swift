/// The type of a track.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediatype>
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a type from its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Audio.
  public static let audio = Self("soun")
  /// Video.
  public static let video = Self("vide")
  /// Text.
  public static let text = Self("text")
  /// Closed captions.
  public static let closedCaption = Self("clcp")
  /// Subtitles.
  public static let subtitle = Self("sbtl")
  /// Time codes.
  public static let timecode = Self("tmcd")
  /// Timed metadata.
  public static let metadata = Self("meta")
  /// Several types in one track.
  public static let muxed = Self("muxx")
  /// Haptics.
  public static let haptic = Self("hapt")
  /// Objects that a camera has found.
  public static let metadataObject = Self("mobj")
  /// Depth.
  public static let depthData = Self("dpth")
  /// A picture beside the video.
  public static let auxiliaryPicture = Self("auxv")
}

/// A property of the media of a track.
///
/// Tracks have `audible` and `visual` here: the player does not read the others from the media.
///
/// <https://developer.apple.com/documentation/avfoundation/avmediacharacteristic>
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The text of the value.
  public let rawValue: String

  /// Makes a value from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a characteristic from its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The media is audible.
  public static let audible = Self("AVMediaCharacteristicAudible")
  /// The media is visible.
  public static let visual = Self("AVMediaCharacteristicVisual")
  /// The media is text.
  public static let legible = Self("AVMediaCharacteristicLegible")
  /// The media consists of frames.
  public static let frameBased = Self("AVMediaCharacteristicFrameBased")
  /// The video has a wide range of colours.
  public static let usesWideGamutColorSpace = Self("AVMediaCharacteristicUsesWideGamutColorSpace")
  /// The video has a high dynamic range.
  public static let containsHDRVideo = Self("AVMediaCharacteristicContainsHDRVideo")
  /// The video has transparency.
  public static let containsAlphaChannel = Self("AVMediaCharacteristicContainsAlphaChannel")
  /// The video has a picture for each eye.
  public static let containsStereoMultiviewVideo = Self("public.contains-stereo-multiview-video")
  /// The video has metadata about the pictures for both eyes.
  public static let carriesVideoStereoMetadata = Self("com.apple.quicktime.video.stereo-metadata")
  /// The video states its field of view.
  public static let indicatesHorizontalFieldOfView = Self("public.indicates-horizontal-field-of-view")
  /// The haptics are weak.
  public static let tactileMinimal = Self("public.haptics.minimal")

  // MARK: The content

  /// The media is the main content.
  public static let isMainProgramContent = Self("public.main-program-content")
  /// The media is beside the main content, such as a commentary.
  public static let isAuxiliaryContent = Self("public.auxiliary-content")
  /// The media is in the original language.
  public static let isOriginalContent = Self("public.original-content")
  /// The subtitles are of foreign speech alone.
  public static let containsOnlyForcedSubtitles = Self("public.subtitles.forced-only")
  /// The media is a translation.
  public static let languageTranslation = Self("public.translation")
  /// Other voices speak a translation.
  public static let dubbedTranslation = Self("public.translation.dubbed")
  /// A voice over the original speaks a translation.
  public static let voiceOverTranslation = Self("public.translation.voice-over")

  // MARK: Accessibility

  /// The text contains the speech.
  public static let transcribesSpokenDialogForAccessibility = Self("public.accessibility.transcribes-spoken-dialog")
  /// The text describes music and sounds.
  public static let describesMusicAndSoundForAccessibility = Self("public.accessibility.describes-music-and-sound")
  /// A voice describes the video.
  public static let describesVideoForAccessibility = Self("public.accessibility.describes-video")
  /// The speech is made easier to understand.
  public static let enhancesSpeechIntelligibility = Self("public.accessibility.enhances-speech-intelligibility")
  /// The text is easy to read.
  public static let easyToRead = Self("public.easy-to-read")
}
