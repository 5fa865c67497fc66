// The list of Apple's names that this module lacks: the compiler reports the message instead of an unknown name, and `make tables` writes
// the list of the page. A declaration is one line, so that it reads like Apple's interface; no body is ever run.
// swift-format-ignore-file

/// Ends the program: no code that compiles gets here.
package func unavailable() -> Never { preconditionFailure("an unavailable declaration was called") }

@available(*, unavailable, message: "a description has the type and the format alone: use audioStreamBasicDescription")
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> [String: Any]? { unavailable() }

@available(*, unavailable, message: "a description has the type and the format alone: use audioStreamBasicDescription")
public func CMAudioFormatDescriptionGetMagicCookie(_ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?) -> UnsafeRawPointer? { unavailable() }

@available(*, unavailable, message: "a description has the type and the format alone: use audioStreamBasicDescription")
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms = ""

@available(*, unavailable, message: "a player has no timebase: use AVPlayer.rateDidChangeNotification")
public let kCMTimebaseNotification_EffectiveRateChanged = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_BackgroundColorARGB = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_BaseFontSizePercentageRelativeToVideoHeight = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_BoldStyle = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_CharacterBackgroundColorARGB = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_CharacterEdgeStyle = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_FontFamilyName = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_ForegroundColorARGB = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_GenericFontFamilyName = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_ItalicStyle = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_OrthogonalLinePositionPercentageRelativeToWritingDirection = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_RelativeFontSize = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_TextPositionPercentageRelativeToWritingDirection = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupAttribute_UnderlineStyle = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupCharacterEdgeStyle_None = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupCharacterEdgeStyle_Raised = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupCharacterEdgeStyle_Depressed = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupCharacterEdgeStyle_Uniform = ""

@available(*, unavailable, message: "subtitles are not read, see docs/AVFOUNDATION.md")
public let kCMTextMarkupCharacterEdgeStyle_DropShadow = ""

@available(*, unavailable, message: "use rawValue, the code of four characters")
extension CMFormatDescription.MediaType {
  public var description: String { unavailable() }
}

@available(*, unavailable, message: "use rawValue, the code of four characters")
extension CMFormatDescription.MediaSubType {
  public var description: String { unavailable() }
}
