/// The type of a file, a uniform type identifier.
///
/// A name alone: the player recognises the type of a file from its data.
///
/// <https://developer.apple.com/documentation/avfoundation/avfiletype>
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The identifier.
  public let rawValue: String

  /// Makes a type from its identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a type from its identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  // MARK: Audio

  /// MP3.
  public static let mp3 = Self("public.mp3")
  /// M4A.
  public static let m4a = Self("com.apple.m4a-audio")
  /// WAV.
  public static let wav = Self("com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = Self("public.aiff-audio")
  /// AIFF-C.
  public static let aifc = Self("public.aifc-audio")
  /// Core Audio.
  public static let caf = Self("com.apple.coreaudio-format")
  /// Sun audio.
  public static let au = Self("public.au-audio")
  /// AMR.
  public static let amr = Self("org.3gpp.adaptive-multi-rate-audio")
  /// AC-3.
  public static let ac3 = Self("public.ac3-audio")
  /// Enhanced AC-3.
  public static let eac3 = Self("public.enhanced-ac3-audio")

  // MARK: Video

  /// MP4.
  public static let mp4 = Self("public.mpeg-4")
  /// M4V.
  public static let m4v = Self("com.apple.m4v-video")
  /// QuickTime.
  public static let mov = Self("com.apple.quicktime-movie")
  /// 3GP.
  public static let mobile3GPP = Self("public.3gpp")
  /// 3G2.
  public static let mobile3GPP2 = Self("public.3gpp2")

  // MARK: Text

  /// Subtitles of iTunes.
  public static let appleiTT = Self("com.apple.itunes-timed-text")
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Closed captions.
  public static let SCC = Self("com.scenarist.closed-caption")

  // MARK: Pictures

  /// JPEG.
  public static let jpg = Self("public.jpeg")
  /// TIFF.
  public static let tif = Self("public.tiff")
  /// DNG.
  public static let dng = Self("com.adobe.raw-image")
  /// HEIC.
  public static let heic = Self("public.heic")
  /// HEIF.
  public static let heif = Self("public.heif")
  /// AVCI.
  public static let avci = Self("public.avci")

  // MARK: Haptics

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// AHAP.
  public static let AHAP = Self("public.haptics-content")
}
