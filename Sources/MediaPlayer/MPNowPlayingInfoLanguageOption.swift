// The constants have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The kind of a language option.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfolanguageoptiontype>
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
  /// Audio.
  case audible = 0
  /// Text.
  case legible = 1
}

/// The language of the audio or of the text of the item that plays; clients of MPRIS do not see it.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfolanguageoption>
public final class MPNowPlayingInfoLanguageOption: NSObject, Sendable {
  /// Whether the option is for audio or for text.
  public let languageOptionType: MPNowPlayingInfoLanguageOptionType
  /// The language in the format of BCP 47.
  public let languageTag: String?
  /// The characteristics.
  public let languageOptionCharacteristics: [String]?
  /// The name that users see.
  public let displayName: String?
  /// The program's name of the option.
  public let identifier: String?

  /// Makes an option.
  public init(
    type languageOptionType: MPNowPlayingInfoLanguageOptionType, languageTag: String,
    characteristics languageOptionCharacteristics: [String]?, displayName: String, identifier: String
  ) {
    self.languageOptionType = languageOptionType
    self.languageTag = languageTag
    self.languageOptionCharacteristics = languageOptionCharacteristics
    self.displayName = displayName
    self.identifier = identifier
  }

  /// Returns whether the option stands for automatically selected text: a text option without a language.
  public func isAutomaticLegibleLanguageOption() -> Bool {
    languageOptionType == .legible && languageTag?.isEmpty ?? true
  }

  /// Returns whether the option stands for automatically selected audio: an audio option without a language.
  public func isAutomaticAudibleLanguageOption() -> Bool {
    languageOptionType == .audible && languageTag?.isEmpty ?? true
  }
}

/// Language options; one of them is selected at a time.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfolanguageoptiongroup>
public final class MPNowPlayingInfoLanguageOptionGroup: NSObject, Sendable {
  /// The options.
  public let languageOptions: [MPNowPlayingInfoLanguageOption]
  /// The option that is selected without a choice of the user.
  public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
  /// Whether no option may be selected.
  public let allowEmptySelection: Bool

  /// Makes a group.
  public init(
    languageOptions: [MPNowPlayingInfoLanguageOption], defaultLanguageOption: MPNowPlayingInfoLanguageOption?,
    allowEmptySelection: Bool
  ) {
    self.languageOptions = languageOptions
    self.defaultLanguageOption = defaultLanguageOption
    self.allowEmptySelection = allowEmptySelection
  }
}

// The characteristics of language options.
// <https://developer.apple.com/documentation/mediaplayer/language-option-characteristic-constants>

/// Main content.
public let MPLanguageOptionCharacteristicIsMainProgramContent = "public.main-program-content"
/// Auxiliary content.
public let MPLanguageOptionCharacteristicIsAuxiliaryContent = "public.auxiliary-content"
/// Forced subtitles only.
public let MPLanguageOptionCharacteristicContainsOnlyForcedSubtitles = "public.subtitles.forced-only"
/// A transcript of spoken dialogue.
public let MPLanguageOptionCharacteristicTranscribesSpokenDialog = "public.accessibility.transcribes-spoken-dialog"
/// A description of music and sound.
public let MPLanguageOptionCharacteristicDescribesMusicAndSound = "public.accessibility.describes-music-and-sound"
/// Text that is easy to read.
public let MPLanguageOptionCharacteristicEasyToRead = "public.easy-to-read"
/// A description of the video.
public let MPLanguageOptionCharacteristicDescribesVideo = "public.accessibility.describes-video"
/// A translation.
public let MPLanguageOptionCharacteristicLanguageTranslation = "public.translation"
/// A dubbed translation.
public let MPLanguageOptionCharacteristicDubbedTranslation = "public.translation.dubbed"
/// A translation that is spoken over the original.
public let MPLanguageOptionCharacteristicVoiceOverTranslation = "public.translation.voice-over"
